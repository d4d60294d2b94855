// On PostgreSQL a smaller number may be committed after a larger one, and a row may be deleted while it is being
// counted.
import { expect, test } from "bun:test";
import { emit } from "../../src/events/emit.ts";
import { newId } from "../../src/ids.ts";
import { Counting } from "../../src/statistics/counting.ts";
import type { Tx } from "../../src/store/store.ts";
import { ENGINE } from "../support/database.ts";
import { held } from "../support/locks.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";

const onPostgres = test.if(ENGINE === "postgres");

function sent(tx: Tx): Promise<string> {
  const data = {
    ...{
      subject: "Hi",
      from: "hello@example.test",
      fromName: "",
      messageId: "<x@example.test>",
      emailId: newId(tx.nowMs),
    },
    ...{ templateId: null, campaignId: null, sourceType: "TRANSACTIONAL", sentAt: tx.now },
  };
  return emit(tx, { workspace: 1, name: "email.sent", contact: null, data });
}

async function shown(posthorn: Posthorn): Promise<number> {
  return (await posthorn.call("GET /statistics/mails")).body.series[0].totals.sent;
}

/** In the sums. */
async function counted(posthorn: Posthorn): Promise<number> {
  const row = await posthorn.store.read(
    (reader) => reader.get<{ sent: number }>`select cast(coalesce(sum(sent), 0) as bigint) as sent from mail_counts`,
  );
  return row?.sent ?? 0;
}

async function count(...nodes: readonly Counting[]): Promise<void> {
  for (let step = 0; step < 4; step++) await Promise.all(nodes.map((node) => node.step()));
}

/**
 * Transactions of other tests hold counting up, too, if their databases are on the same server; none holds it up for
 * good.
 */
async function countUp(posthorn: Posthorn, to: number, ...nodes: readonly Counting[]): Promise<void> {
  while ((await counted(posthorn)) < to) await count(...nodes);
  await count(...nodes);
}

onPostgres("what is committed late is counted once, as soon as it can be seen", async () => {
  await using posthorn = await startPosthorn();
  const counting = new Counting(posthorn.store);
  await count(counting);
  const late = held(posthorn.store, sent);
  await late.done;
  await posthorn.store.write(sent);
  await count(counting);
  expect([await shown(posthorn), await counted(posthorn)]).toEqual([1, 0]);
  await late.commit();
  expect(await shown(posthorn)).toBe(2);
  await countUp(posthorn, 2, counting);
  expect([await shown(posthorn), await counted(posthorn)]).toEqual([2, 2]);
});

onPostgres("what is being deleted is left until it is known whether it was", async () => {
  await using posthorn = await startPosthorn();
  const counting = new Counting(posthorn.store);
  await posthorn.store.write(sent);
  const deletion = held(posthorn.store, (tx) => tx.run`delete from events`);
  await deletion.done;
  await count(counting);
  expect(await shown(posthorn)).toBe(1);
  await deletion.commit();
  expect(await shown(posthorn)).toBe(1);
  await countUp(posthorn, 1, counting);
  expect([await shown(posthorn), await counted(posthorn)]).toEqual([1, 1]);
});

test("a row that is deleted before and one that is deleted after the count are both counted once", async () => {
  await using posthorn = await startPosthorn();
  const counting = new Counting(posthorn.store);
  await posthorn.store.write(sent);
  await countUp(posthorn, 1, counting);
  await posthorn.store.write(sent);
  await posthorn.store.write((tx) => tx.run`delete from events`);
  expect(await shown(posthorn)).toBe(2);
  await countUp(posthorn, 2, counting);
  expect([await shown(posthorn), await counted(posthorn)]).toEqual([2, 2]);
});

test("two processes that count at the same time count each fact once", async () => {
  await using posthorn = await startPosthorn();
  const nodes = [new Counting(posthorn.store, 7), new Counting(posthorn.store, 5), new Counting(posthorn.store, 3)];
  for (let round = 0; round < 10; round++) {
    await posthorn.store.write(async (tx) => {
      for (let event = 0; event < 10; event++) await sent(tx);
    });
    await Promise.all(nodes.map((node) => node.step()));
  }
  await countUp(posthorn, 100, ...nodes);
  expect([await shown(posthorn), await counted(posthorn)]).toEqual([100, 100]);
});
