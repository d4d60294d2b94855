// Contacts who become one while a campaign is being sent to them: the person gets it once, whoever was first.
import { expect, test } from "bun:test";
import { look, news, recipients, send, statistics, unfreeze, write } from "../support/campaigns.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { HOUR } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const ADA = "ada@example.com";
const OLD = "ada@old.example";
const BOB = "bob@example.com";

async function person(posthorn: Posthorn, email: string, more: object = {}): Promise<string> {
  return (await ask(posthorn, "POST /contacts", { body: { email, ...more } })).body.id;
}

async function merge(posthorn: Posthorn, into: string, from: readonly string[]): Promise<Json> {
  const { status, body } = await ask(posthorn, "POST /contacts/merge", { body: { into, from } });
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
}

/** Each recipient is counted once, and the campaign comes to its end. */
async function expectClosed(posthorn: Posthorn, id: string): Promise<void> {
  await posthorn.settle();
  expect((await look(posthorn, id)).status).toBe("SENT");
  const counts = await statistics(posthorn, id);
  const { sentCount, refusedCount, failedCount, skippedCount, cancelledCount, pendingCount, queuedCount } = counts;
  const sum = sentCount + refusedCount + failedCount + skippedCount + cancelledCount + pendingCount + queuedCount;
  expect([sum, pendingCount, queuedCount]).toEqual([counts.totalRecipients, 0, 0]);
}

test("before any mail is queued: the former contact's place is not filled (slow)", async () => {
  await using posthorn = await workspace();
  const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
  await person(posthorn, BOB);
  const id = await send(posthorn);
  await merge(posthorn, ada, [old]);
  await expectClosed(posthorn, id);
  expect(posthorn.transport.recipients.toSorted()).toEqual([ADA, BOB]);
  expect(await recipients(posthorn, id)).toEqual([`${ADA} SENT`, "SKIPPED merged", `${BOB} SENT`]);
});

test.each([
  ["before", [BOB, OLD]],
  ["behind", [OLD, BOB]],
])("a person who is a recipient only as the former contact gets it as the other, who comes %s", async (where) => {
  await using posthorn = await workspace();
  const ids = new Map<string, string>();
  for (const email of where === "before" ? [ADA, BOB, OLD] : [OLD, BOB, ADA])
    ids.set(email, await person(posthorn, email, { subscribed: email !== ADA }));
  const id = await send(posthorn);
  await ask(posthorn, `PATCH /contacts/${ids.get(ADA)}`, { body: { subscribed: true } });
  await merge(posthorn, ids.get(ADA) as string, [ids.get(OLD) as string]);
  await expectClosed(posthorn, id);
  expect(posthorn.transport.recipients.toSorted()).toEqual([ADA, BOB]);
  expect((await statistics(posthorn, id)).totalRecipients).toBe(2);
});

test("while the audience is still being made, everybody is in it once", async () => {
  await using posthorn = await workspace();
  const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
  const only = await person(posthorn, "only@old.example");
  const bob = await person(posthorn, BOB);
  const id = await send(posthorn);
  const people = await posthorn.store.read((reader) => reader.all<{ contact: number }>`select contact from recipients`);
  await unfreeze(posthorn);
  await posthorn.store.write(async (tx) => {
    const piece = people.map(({ contact }) => contact).join(",");
    await tx.run`insert into audience_pieces (campaign, number, people) select seq, 0, ${piece} from campaigns`;
  });
  await merge(posthorn, ada, [old]);
  await merge(posthorn, bob, [only]);
  await expectClosed(posthorn, id);
  expect(posthorn.transport.recipients.toSorted()).toEqual([ADA, BOB]);
});

test("a mail that waits for the former contact is withdrawn", async () => {
  await using posthorn = await workspace();
  const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
  const id = await waiting(posthorn);
  await merge(posthorn, ada, [old]);
  await retried(posthorn);
  await expectClosed(posthorn, id);
  expect(posthorn.transport.recipients).toEqual([ADA]);
  expect(await recipients(posthorn, id)).toEqual([`${ADA} SENT`, `${OLD} CANCELLED`]);
  expect(
    (await ask(posthorn, `GET /emails?contactId=${ada}`)).body.data.map(({ status }: Json) => status).toSorted(),
  ).toEqual(["CANCELLED", "SENT"]);
});

test("a mail that has left to the former contact keeps the other's from leaving", async () => {
  await using posthorn = await workspace();
  const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
  const id = await waiting(posthorn, OLD);
  await merge(posthorn, ada, [old]);
  await retried(posthorn);
  await expectClosed(posthorn, id);
  expect(posthorn.transport.recipients).toEqual([OLD]);
  expect(await recipients(posthorn, id)).toEqual([`${ADA} CANCELLED`, `${OLD} SENT`]);
});

test("a mail that was refused keeps nobody else's from leaving", async () => {
  await using posthorn = await workspace();
  const [ada, old] = [await person(posthorn, ADA), await person(posthorn, OLD)];
  const id = await waiting(posthorn);
  await ask(posthorn, `DELETE /emails/${(await mailTo(posthorn, ADA)).id}`);
  await merge(posthorn, ada, [old]);
  await retried(posthorn);
  await expectClosed(posthorn, id);
  expect(posthorn.transport.recipients).toEqual([OLD]);
});

test("what was sent to the former contact alone is in the account of the other, and goes back with it", async () => {
  await using posthorn = await workspace();
  const [ada, old] = [await person(posthorn, ADA, { subscribed: false }), await person(posthorn, OLD)];
  const id = await send(posthorn);
  await posthorn.settle();
  const { id: merged } = await merge(posthorn, ada, [old]);
  const campaigns = async (contact: string) =>
    (await ask(posthorn, `GET /contacts/${contact}/timeline?kind=CAMPAIGN`)).body.entries.map(
      ({ state }: Json) => state,
    );
  expect(await campaigns(ada)).toEqual(["SENT"]);
  await ask(posthorn, `POST /contacts/merges/${merged}/undo`);
  await posthorn.settle();
  expect([await campaigns(ada), await campaigns(old)]).toEqual([["LEFT_OUT"], ["SENT"]]);
  await expectClosed(posthorn, id);
});

/** All mails are queued and tried once; none has left but those to `leaves`. */
async function waiting(posthorn: Posthorn, leaves?: string): Promise<string> {
  const id = await write(posthorn, news);
  await ask(posthorn, `POST /campaigns/${id}/send`);
  posthorn.transport.answer = ({ envelope }) =>
    envelope.recipient === leaves ? { kind: "accepted", reply: "250 Ok" } : { kind: "later", reply: "451 Later" };
  await posthorn.settle();
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
  posthorn.transport.sent.splice(
    0,
    Infinity,
    ...posthorn.transport.sent.filter(({ envelope }) => envelope.recipient === leaves),
  );
  return id;
}

async function retried(posthorn: Posthorn): Promise<void> {
  posthorn.clock.advance(2 * HOUR);
  await posthorn.settle();
}

async function mailTo(posthorn: Posthorn, email: string): Promise<Json> {
  return (await ask(posthorn, "GET /emails?pageSize=100")).body.data.find(({ to }: Json) => to === email);
}
