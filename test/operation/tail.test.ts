// Following mails: what was accepted, sent, deferred, bounced, failed, in the order in which it happened, each once.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { acceptedAfter, attemptsSince, eventsAfter } from "../../src/operator/operation/tail-queries.ts";
import { migrateSqlite } from "../../src/store/migrations.ts";
import { flatten, Sql } from "../../src/store/sql.ts";
import { SQLITE } from "../../src/store/sqlite/connection.ts";
import type { Reader } from "../../src/store/store.ts";
import { Tail } from "../../src/operator/operation/tail.ts";
import { cliBeside } from "../support/cli.ts";
import { letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const ALL = { workspace: null, mail: null, failed: false };

async function send(posthorn: Posthorn, to = "ada@example.com"): Promise<string> {
  const { body } = await posthorn.call("POST /v1/send", { ...letter, to });
  return body.data.emails[0].email;
}

async function told(tail: Tail): Promise<string[]> {
  return (await tail.next()).map(({ what, attempt }) => (attempt === null ? what : `${what} ${attempt}`));
}

test("what happens is told once, in its order, and not what was before", async () => {
  await using posthorn = await workspace();
  await send(posthorn);
  await posthorn.settle();
  const tail = new Tail(posthorn.store, ALL);
  expect(await told(tail)).toEqual([]);
  posthorn.transport.answer = () => ({ kind: "later", reply: "451 4.7.1 later" });
  posthorn.clock.advance(1_000);
  await send(posthorn);
  expect(await told(tail)).toEqual(["accepted"]);
  posthorn.clock.advance(1_000);
  await posthorn.settle();
  expect(await told(tail)).toEqual(["deferred 1"]);
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 ok" });
  posthorn.clock.advance(120_000);
  await posthorn.settle();
  posthorn.clock.advance(1_000);
  await send(posthorn, "bob@example.com");
  expect(await told(tail)).toEqual(["sent 2", "accepted"]);
  expect(await told(tail)).toEqual([]);
});

test("of a mail all is told from its beginning, and nothing of others", async () => {
  await using posthorn = await workspace();
  posthorn.transport.answer = ({ envelope }) =>
    envelope.recipient.startsWith("ada")
      ? { kind: "bounced", reply: "550 5.1.1 <ada@example.com> unknown" }
      : { kind: "accepted", reply: "250" };
  const id = await send(posthorn);
  await send(posthorn, "bob@example.com");
  await posthorn.settle();
  const at = "2026-03-01T09:00:00.000Z";
  const { code, out } = await cliBeside(posthorn, ["tail", "--mail", id]);
  expect(code).toBe(0);
  expect(out.split("\n")).toEqual([
    expect.stringMatching(new RegExp(`^${at} accepted   mail=${id} workspace=[0-9a-f-]+$`)),
    expect.stringMatching(
      new RegExp(`^${at} bounced    mail=${id} workspace=[0-9a-f-]+ attempt=1 code="550 5.1.1" ms=0$`),
    ),
  ]);
  expect(out).not.toContain("@");
  const loud = await cliBeside(posthorn, ["tail", "--mail", id, "--addresses", "--json"]);
  expect(JSON.parse(loud.out.split("\n")[1] ?? "")).toMatchObject({
    ...{ at, what: "bounced", mail: id, attempt: 1, code: "550 5.1.1", ms: 0 },
    ...{ to: "ada@example.com", reply: "550 5.1.1 <ada@example.com> unknown" },
  });
});

test("of a workspace only its own mails are told, and of failures nothing else", async () => {
  await using posthorn = await workspace();
  const { secret } = await addWorkspace(posthorn, { name: "acme", domain: "acme.example" });
  const [row] = await posthorn.store.read(
    (reader) => reader.all<{ seq: number }>`select seq from workspaces where name = ${"acme"}`,
  );
  const own = new Tail(posthorn.store, { ...ALL, workspace: row?.seq ?? 0 });
  const failures = new Tail(posthorn.store, { ...ALL, failed: true });
  for (const tail of [own, failures]) await tail.next();
  posthorn.transport.answer = ({ envelope }) =>
    envelope.recipient.startsWith("ada")
      ? { kind: "failed", reply: "554 5.7.1 no" }
      : { kind: "accepted", reply: "250" };
  await send(posthorn);
  const body = { ...letter, from: "hello@acme.example", to: "bob@example.com" };
  await posthorn.call("POST /v1/send", body, { authorization: `Bearer ${secret}` });
  await posthorn.settle();
  expect(await told(own)).toEqual(["accepted", "sent 1"]);
  expect(await told(failures)).toEqual(["failed 1"]);
});

test("a mail that there is not is named", async () => {
  await using posthorn = await workspace();
  const { code, err } = await cliBeside(posthorn, ["tail", "--mail", "01980000-0000-7000-8000-000000000000"]);
  expect([code, err]).toEqual([1, "There is no email 01980000-0000-7000-8000-000000000000."]);
});

test("each list is read along its end, however many mails there are", async () => {
  const database = new Database(":memory:", { strict: true });
  migrateSqlite(database, "2026-03-01T09:00:00.000Z");
  const plans: string[] = [];
  const all: Reader["all"] = async (strings, ...values) => {
    const { text, values: bound } = flatten(new Sql(strings, values), () => "?");
    const steps = database.query(`explain query plan ${text}`).all(...(bound as string[])) as { detail: string }[];
    plans.push(steps.map(({ detail }) => detail).find((detail) => !/^SEARCH w /.test(detail)) ?? "");
    return [];
  };
  const reader = { dialect: SQLITE, all, get: async () => null } as Reader;
  const place = { mail: 1, event: 1, attemptAt: "2026" };
  for (const filter of [ALL, { ...ALL, workspace: 1 }, { ...ALL, mail: 1 }])
    for (const list of [acceptedAfter, eventsAfter, attemptsSince]) await list(reader, { filter, place, most: 9 });
  const [accepted, events, attempts, ...others] = plans;
  expect([accepted, events, attempts]).toEqual([
    "SEARCH e USING INTEGER PRIMARY KEY (rowid>?)",
    "SEARCH v USING INTEGER PRIMARY KEY (rowid>?)",
    "SEARCH a USING INDEX email_attempts_by_time (at>?)",
  ]);
  expect(others.slice(0, 3)).toEqual([
    expect.stringMatching(/^SEARCH e USING INDEX emails_in_order \(workspace=\? AND seq>\?\)/),
    expect.stringMatching(/^SEARCH v USING INDEX events_\w+ \(workspace=\? AND (name=\? AND )?seq>\?\)/),
    "SEARCH a USING INDEX email_attempts_by_time (at>?)",
  ]);
  expect(others.slice(3)).toEqual(Array(3).fill("SEARCH e USING INTEGER PRIMARY KEY (rowid=?)"));
});
