// Everybody who is in the audience when a campaign begins has a row, whatever happens to them before their mail is
// queued.
import { expect, test } from "bun:test";
import { CampaignLoop } from "../../src/programs/campaigns/run/loop.ts";
import { createLog } from "../../src/base/log.ts";
import { addReaders, look, recipients, send, statistics, write } from "../support/campaigns.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, countOf } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

/** More than become recipients at once. */
const MANY = 5_200;

async function addMany(posthorn: Posthorn): Promise<void> {
  await addReaders(posthorn, 4);
  await posthorn.store.write(async (tx) => {
    await tx.run`
      insert into contacts (id, workspace, email, subscribed, data, created_at, updated_at)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${MANY - 4})
      select 'c' || n, 1, 'c' || n || '@example.com', 1, ${tx.dialect.json("{}")}, ${tx.now}, ${tx.now} from numbers`;
    await tx.run`insert into contact_counts values (1, 1000, ${MANY - 4}, ${MANY - 4})`;
  });
}

async function contactOf(posthorn: Posthorn, email: string): Promise<string> {
  return (await ask(posthorn, "POST /contacts/lookup", { body: { emails: [email] } })).body.found[0].id;
}

function loopOf({ store, clock }: Posthorn): CampaignLoop {
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  return new CampaignLoop({ store, clock, log, catchUp: async () => {}, isGettingThrough: () => true });
}

test("of many people nobody vanishes who leaves before they are frozen (slow)", async () => {
  await using posthorn = await workspace();
  await addMany(posthorn);
  const id = await write(posthorn, { subject: "Hi" });
  const { data } = (await ask(posthorn, `POST /campaigns/${id}/send`)).body;
  expect(data.totalRecipients).toBe(MANY);
  expect(await countOf(posthorn, "recipients")).toBe(0);
  const [gone, left] = [
    await contactOf(posthorn, "reader1@example.com"),
    await contactOf(posthorn, "reader2@example.com"),
  ];
  await ask(posthorn, `DELETE /contacts/${gone}`);
  await ask(posthorn, `PATCH /contacts/${left}`, { body: { subscribed: false } });
  await ask(posthorn, "POST /contacts", { body: { email: "late@example.com" } });
  const loop = loopOf(posthorn);
  for (let round = 0; round < 10; round++) await loop.step();
  expect(await countOf(posthorn, "recipients")).toBe(MANY);
  expect(await countOf(posthorn, "audience_pieces")).toBe(0);
  const { data: skipped } = (await ask(posthorn, `GET /campaigns/${id}/recipients?state=SKIPPED`)).body;
  expect(skipped.map(({ email, reason }: Json) => [email, reason])).toEqual([
    [null, "erased"],
    ["reader2@example.com", "unsubscribed"],
  ]);
  expect((await look(posthorn, id)).totalRecipients).toBe(MANY);
});

test("of many people everybody is cancelled where the campaign is cancelled before they are frozen (slow)", async () => {
  await using posthorn = await workspace();
  await addMany(posthorn);
  const id = await send(posthorn, { subject: "Hi" });
  await ask(posthorn, `POST /campaigns/${id}/cancel`);
  await posthorn.settle();
  expect(posthorn.transport.sent).toEqual([]);
  expect(await statistics(posthorn, id)).toMatchObject({
    totalRecipients: MANY,
    cancelledCount: MANY,
    pendingCount: 0,
  });
});

test("a scheduled campaign freezes its people in the transaction that begins it (slow)", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 3);
  const id = await write(posthorn);
  await ask(posthorn, `POST /campaigns/${id}/send`, { body: { delaySeconds: 10 } });
  posthorn.clock.advance(10_000);
  await loopOf(posthorn).step();
  expect((await look(posthorn, id)).status).toBe("SENDING");
  const left = await contactOf(posthorn, "reader2@example.com");
  await ask(posthorn, `PATCH /contacts/${left}`, { body: { subscribed: false } });
  await posthorn.settle();
  expect(await recipients(posthorn, id)).toEqual([
    "reader1@example.com SENT",
    "reader2@example.com SKIPPED unsubscribed",
    "reader3@example.com SENT",
  ]);
});

test("who no longer meets the condition when the mail is queued was in the audience, and gets it", async () => {
  await using posthorn = await workspace();
  for (const name of ["a", "b"])
    await ask(posthorn, "POST /contacts", { body: { email: `${name}@example.com`, data: { plan: "pro" } } });
  const condition = { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] };
  const id = await send(posthorn, { audienceType: "FILTERED", audienceCondition: condition });
  await ask(posthorn, "POST /contacts", { body: { email: "a@example.com", data: { plan: "free" } } });
  await posthorn.settle();
  expect(await recipients(posthorn, id)).toEqual(["a@example.com SENT", "b@example.com SENT"]);
});
