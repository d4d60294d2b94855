// Each increment is counted once, whenever it is committed, and however many loops count at the same time.
import { NOTHING_DUE } from "../../src/base/jobs/due.ts";
import { expect, test } from "bun:test";
import { addToSums, countMail } from "../../src/mail/statistics/counting.ts";
import { emptyLooseTables } from "../../src/operator/installation/reset-queries.ts";
import { insertIncrements, takeIncrements } from "../../src/mail/statistics/increment-queries.ts";
import type { Increment } from "../../src/mail/statistics/increments.ts";
import { addIncrements } from "../../src/mail/statistics/sum-queries.ts";
import type { Tx } from "../../src/store/store.ts";
import { ENGINE } from "../support/database.ts";
import { held, somebodyWaits } from "../support/locks.ts";
import { letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const onPostgres = test.if(ENGINE === "postgres");

const INCREMENT: Increment = {
  workspace: 1,
  quarter: "2026-03-01T09:00",
  sourceType: "TRANSACTIONAL",
  domain: "example.test",
  what: "sent",
  template: null,
  campaign: null,
  tags: null,
  hop: null,
  provider: "gmail",
  times: 1,
};

async function sent(tx: Tx): Promise<void> {
  const addresses = { fromAddress: "hello@example.test", toAddress: "ada@gmail.com" };
  countMail(tx, "sent", {
    workspace: 1,
    sourceType: "TRANSACTIONAL",
    ...addresses,
    templateId: null,
    campaignId: null,
    tags: null,
  });
}

async function shown(posthorn: Posthorn): Promise<number> {
  return (await posthorn.call("GET /statistics/mails")).body.series[0]?.totals.sent ?? 0;
}

test("what happens alike in one transaction is one increment with its number", async () => {
  await using posthorn = await workspace();
  const to = ["ada@gmail.com", "bob@gmail.com", "eve@web.de", "kim@googlemail.com"];
  await ask(posthorn, "POST /v1/send", { body: { ...letter, to } });
  const increments = await posthorn.store.read(
    (reader) => reader.all`select what, provider, times from mail_increments`,
  );
  expect(increments).toEqual([
    { what: "accepted", provider: "gmail", times: 3 },
    { what: "accepted", provider: "web.de", times: 1 },
  ]);
});

test("a piece that is full is followed by the next at once, and the last by a rest", async () => {
  await using posthorn = await workspace();
  for (let increment = 0; increment < 3; increment++) await posthorn.store.write(sent);
  const rests = [await addToSums(posthorn.store, 2), await addToSums(posthorn.store, 2)];
  expect([rests, await shown(posthorn)]).toEqual([[0, NOTHING_DUE], 3]);
});

onPostgres("what is committed late is counted once, as soon as it can be seen", async () => {
  await using posthorn = await workspace();
  const late = held(posthorn.store, (tx) => insertIncrements(tx, [INCREMENT]));
  await late.done;
  await posthorn.store.write(sent);
  await addToSums(posthorn.store);
  expect(await shown(posthorn)).toBe(1);
  await late.commit();
  await addToSums(posthorn.store);
  expect(await shown(posthorn)).toBe(2);
});

onPostgres("increments that a loop is counting are deleted with their workspace", async () => {
  await using posthorn = await workspace();
  await posthorn.store.write(sent);
  const counting = held(posthorn.store, async (tx) => addIncrements(tx, await takeIncrements(tx, 1)));
  await counting.done;
  const deletion = posthorn.store.write((tx) => emptyLooseTables(tx, 1));
  await somebodyWaits(posthorn.store);
  await Promise.all([counting.commit(), deletion]);
  expect(await shown(posthorn)).toBe(0);
});

test("processes that count at the same time count each increment once", async () => {
  await using posthorn = await workspace();
  const pieces = [7, 5, 3];
  for (let round = 0; round < 10; round++) {
    for (let increment = 0; increment < 10; increment++) await posthorn.store.write(sent);
    await Promise.all(pieces.map((most) => addToSums(posthorn.store, most)));
  }
  await posthorn.settle();
  expect(await shown(posthorn)).toBe(100);
});
