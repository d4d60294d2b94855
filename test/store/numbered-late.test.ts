// Numbers are given in one order and committed in another. Who follows a list misses nothing, and is told nothing
// twice.
import { describe, expect, test } from "bun:test";
import { iso, MINUTE_MS } from "../../src/base/clock.ts";
import { emit } from "../../src/tenant/events/emit.ts";
import { newId } from "../../src/base/ids.ts";
import { Tail } from "../../src/operator/operation/tail.ts";
import { HorizonFollower } from "../../src/store/horizon.ts";
import { sql } from "../../src/store/sql.ts";
import { SQLITE } from "../../src/store/sqlite/connection.ts";
import type { Reader, Tx } from "../../src/store/store.ts";
import { COMMAND_LINE } from "../../src/tenant/access/caller.ts";
import { noteAct } from "../../src/operator/team/audit/audit.ts";
import { ENGINE } from "../support/database.ts";
import { held } from "../support/locks.ts";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { workspace } from "../support/workspace.ts";

describe("of two rows the one with the smaller number is younger:", () => {
  /** Their ids and moments change places, as if the first had waited before it was numbered. */
  function cross(posthorn: Posthorn, table: "emails" | "contacts"): Promise<void> {
    const rows = table === "emails" ? sql`emails` : sql`contacts`;
    return posthorn.store.write(async (tx) => {
      const found = await tx.all<{ seq: number; id: string; at: string }>`
        select seq, id, created_at as at from ${rows} order by seq desc limit 2`;
      const [second, first] = found as [Json, Json];
      await tx.run`update ${rows} set id = 'nobody' where seq = ${first.seq}`;
      for (const [one, other] of [
        [second, first],
        [first, second],
      ] as const)
        await tx.run`update ${rows} set id = ${other.id}, created_at = ${other.at} where seq = ${one.seq}`;
    });
  }

  test("a list of mails, and their states, have both", async () => {
    await using posthorn = await workspace();
    await posthorn.call("POST /v1/send", letter);
    posthorn.clock.advance(60 * MINUTE_MS);
    const since = iso(posthorn.clock.nowMs());
    for (const to of ["first@example.com", "second@example.com"]) {
      posthorn.clock.advance(1_000);
      await posthorn.call("POST /v1/send", { ...letter, to });
    }
    await cross(posthorn, "emails");
    const list: Json[] = (await posthorn.call(`GET /emails?limit=9&since=${since}`)).body.data;
    expect(list.map(({ to }) => to)).toEqual(["second@example.com", "first@example.com"]);
    const states = (await posthorn.call(`GET /statistics/states?since=${since}`)).body;
    expect(states).toMatchObject({ accepted: 2, waiting: 2 });
  });

  test("a list of contacts has both", async () => {
    await using posthorn = await workspace();
    await posthorn.call("POST /contacts", { email: "before@example.com" });
    posthorn.clock.advance(60 * MINUTE_MS);
    const since = iso(posthorn.clock.nowMs());
    for (const email of ["first@example.com", "second@example.com"]) {
      posthorn.clock.advance(1_000);
      await posthorn.call("POST /contacts", { email });
    }
    await cross(posthorn, "contacts");
    const list: Json[] = (await posthorn.call(`GET /contacts?since=${since}`)).body.data;
    expect(list.map(({ email }) => email)).toEqual(["second@example.com", "first@example.com"]);
  });
});

describe.if(ENGINE === "postgres")("what is committed late,", () => {
  /** More than anybody would look back. */
  const MANY = 600;

  async function sent(tx: Tx): Promise<string> {
    const content = { subject: "Hi", from: "hello@example.test", fromName: "", messageId: "<x@example.test>" };
    const ids = { emailId: newId(tx.nowMs), templateId: null, campaignId: null };
    const data = { ...content, ...ids, sourceType: "TRANSACTIONAL", sentAt: tx.now };
    const { seq } = (await tx.get<{ seq: number }>`select seq from emails`) as { seq: number };
    return emit(tx, { workspace: 1, name: "email.sent", contact: null, email: seq, data });
  }

  test("posthorn tail tells once, when it can be seen", async () => {
    await using posthorn = await workspace();
    await posthorn.call("POST /v1/send", letter);
    const tail = new Tail(posthorn.store, { workspace: null, mail: null, failed: false });
    const told = async () => (await tail.next()).map(({ what }) => what);
    expect(await told()).toEqual([]);
    const late = held(posthorn.store, sent);
    await late.done;
    await posthorn.store.write(async (tx) => {
      for (let times = 0; times < MANY; times++) await sent(tx);
    });
    const seen = [await told(), await told(), await told()].flat();
    expect(seen).toEqual(Array(MANY).fill("sent"));
    await late.commit();
    expect(await told()).toEqual(["sent"]);
    expect([await told(), await told()]).toEqual([[], []]);
  });

  test("the log of changes has once", async () => {
    await using posthorn = await workspace();
    const note = (action: string) => (tx: Tx) => noteAct(tx, { by: COMMAND_LINE, action });
    const lines = () => posthorn.logLines.filter((line) => line.includes(" change ")).length;
    await posthorn.settle();
    const late = held(posthorn.store, note("late"));
    await late.done;
    await posthorn.store.write(async (tx) => {
      for (let times = 0; times < MANY; times++) await note("early")(tx);
    });
    await posthorn.settle();
    await posthorn.settle();
    expect(lines()).toBe(MANY);
    await late.commit();
    await posthorn.settle();
    await posthorn.settle();
    expect(lines()).toBe(MANY + 1);
  });
});

test("who follows a list remembers so much and no more, however long a transaction takes", async () => {
  const rows: number[] = [];
  const asked: number[] = [];
  const never = {
    dialect: SQLITE,
    all: async () => [],
    get: async () => ({ next: 2, oldest: 1 }),
  } as unknown as Reader;
  const lists = {
    endsOf: async () => rows.at(-1) ?? 0,
    after: async (_: Reader, place: number, most: number) => {
      asked.push(most);
      return [rows.filter((row) => row > place).slice(0, most)];
    },
    keyOf: (row: number) => row,
  };
  const follower = new HorizonFollower(lists, 5_000);
  const told: number[] = [];
  for (let look = 0; look < 30; look++) {
    told.push(...(await follower.next(never)));
    for (let row = 0; row < 2_000; row++) rows.push(rows.length + 1);
  }
  expect(told).toEqual(rows.slice(0, 58_000));
  expect(Math.max(...asked)).toBeLessThan(30_000);
});
