// Each fact is counted once, whenever it is committed, and however many loops count at the same time.
import { expect, test } from "bun:test";
import { countFacts, countMail } from "../../src/mail/statistics/counting.ts";
import { emptyLooseTables } from "../../src/operator/installation/reset-queries.ts";
import { insertFacts, takeFacts } from "../../src/mail/statistics/fact-queries.ts";
import type { Fact } from "../../src/mail/statistics/facts.ts";
import { addFacts } from "../../src/mail/statistics/sum-queries.ts";
import type { Tx } from "../../src/store/store.ts";
import { ENGINE } from "../support/database.ts";
import { held, somebodyWaits } from "../support/locks.ts";
import { letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const onPostgres = test.if(ENGINE === "postgres");

const FACT: Fact = {
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

test("what happens alike in one transaction is one fact with its number", async () => {
  await using posthorn = await workspace();
  const to = ["ada@gmail.com", "bob@gmail.com", "eve@web.de", "kim@googlemail.com"];
  await ask(posthorn, "POST /v1/send", { body: { ...letter, to } });
  const facts = await posthorn.store.read((reader) => reader.all`select what, provider, times from mail_facts`);
  expect(facts).toEqual([
    { what: "accepted", provider: "gmail", times: 3 },
    { what: "accepted", provider: "web.de", times: 1 },
  ]);
});

test("a piece that is full is followed by the next at once, and the last by a rest", async () => {
  await using posthorn = await workspace();
  for (let fact = 0; fact < 3; fact++) await posthorn.store.write(sent);
  const rests = [await countFacts(posthorn.store, 2), await countFacts(posthorn.store, 2)];
  expect([rests, await shown(posthorn)]).toEqual([[0, 2_000], 3]);
});

onPostgres("what is committed late is counted once, as soon as it can be seen", async () => {
  await using posthorn = await workspace();
  const late = held(posthorn.store, (tx) => insertFacts(tx, [FACT]));
  await late.done;
  await posthorn.store.write(sent);
  await countFacts(posthorn.store);
  expect(await shown(posthorn)).toBe(1);
  await late.commit();
  await countFacts(posthorn.store);
  expect(await shown(posthorn)).toBe(2);
});

onPostgres("facts that a loop is counting are deleted with their workspace", async () => {
  await using posthorn = await workspace();
  await posthorn.store.write(sent);
  const counting = held(posthorn.store, async (tx) => addFacts(tx, await takeFacts(tx, 1)));
  await counting.done;
  const deletion = posthorn.store.write((tx) => emptyLooseTables(tx, 1));
  await somebodyWaits(posthorn.store);
  await Promise.all([counting.commit(), deletion]);
  expect(await shown(posthorn)).toBe(0);
});

test("processes that count at the same time count each fact once", async () => {
  await using posthorn = await workspace();
  const pieces = [7, 5, 3];
  for (let round = 0; round < 10; round++) {
    for (let fact = 0; fact < 10; fact++) await posthorn.store.write(sent);
    await Promise.all(pieces.map((most) => countFacts(posthorn.store, most)));
  }
  await posthorn.settle();
  expect(await shown(posthorn)).toBe(100);
});
