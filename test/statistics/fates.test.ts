// One word for one fate, in a campaign, in the lists and in the statistics; and what was accepted is the sum of the
// rest, whoever is erased.
import { expect, test } from "bun:test";
import { addReaders, look, send, statistics } from "../support/campaigns.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";

const DAYS = "from=2026-03-01&to=2026-03-03";

async function totals(posthorn: Posthorn, by?: "template" | "campaign" | "provider"): Promise<Json> {
  const { body } = await ask(posthorn, `GET /statistics/mails?${DAYS}${by === undefined ? "" : `&by=${by}`}`);
  return body.series[0].totals;
}

const sumOf = ({ sent, failed, hardBounced, softBounced, skipped, cancelled }: Json) =>
  sent + failed + hardBounced + softBounced + skipped + cancelled;

async function contactOf(posthorn: Posthorn, email: string): Promise<string> {
  return (await ask(posthorn, "POST /contacts/lookup", { body: { emails: [email] } })).body.found[0].id;
}

const erase = async (posthorn: Posthorn, email: string) =>
  ask(posthorn, `DELETE /contacts/${await contactOf(posthorn, email)}`);

/** A campaign whose mails are queued, and wait because the server is told to try them later. */
async function queuedCampaign(posthorn: Posthorn, readers: number): Promise<string> {
  await addReaders(posthorn, readers);
  posthorn.transport.answer = () => ({ kind: "later", reply: "451 4.3.0 Later" });
  const campaign = await send(posthorn);
  await posthorn.settle();
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
  posthorn.clock.advance(120_000);
  return campaign;
}

test("one who unsubscribes while the mail is queued is skipped, and nowhere failed", async () => {
  await using posthorn = await startPosthorn();
  const campaign = await queuedCampaign(posthorn, 3);
  const left = await contactOf(posthorn, "reader2@example.com");
  await ask(posthorn, `PATCH /contacts/${left}`, { body: { subscribed: false } });
  await posthorn.settle();
  expect(await statistics(posthorn, campaign)).toMatchObject({ sentCount: 2, skippedCount: 1, failedCount: 0 });
  const { body: states } = await ask(posthorn, "GET /statistics/states?since=2026-03-01T00:00:00Z");
  expect(states).toMatchObject({ accepted: 3, sent: 2, skipped: 1, failed: 0, cancelled: 0, waiting: 0 });
  for (const counted of [
    await totals(posthorn),
    await totals(posthorn, "campaign"),
    await totals(posthorn, "provider"),
  ])
    expect(counted).toMatchObject({ accepted: 3, sent: 2, skipped: 1, failed: 0 });
  for (const query of ["status=SKIPPED", "happened=skipped", `campaignId=${campaign}&status=SKIPPED`]) {
    const { data } = (await ask(posthorn, `GET /emails?${query}`)).body;
    expect(data.map(({ to, status }: Json) => [to, status])).toEqual([["reader2@example.com", "SKIPPED"]]);
  }
  const { data } = (await ask(posthorn, `GET /campaigns/${campaign}/recipients?state=SKIPPED`)).body;
  expect(data).toMatchObject([{ email: "reader2@example.com", state: "SKIPPED", reason: "unsubscribed" }]);
  expect((await ask(posthorn, "GET /overview")).body.attention).toEqual([]);
  expect((await ask(posthorn, `GET /contacts/${left}/summary`)).body.mails).toMatchObject({
    total: 1,
    skipped: 1,
    failed: 0,
  });
  expect((await ask(posthorn, "POST /emails/retry", { body: { filter: { status: "FAILED" } } })).status).toBe(422);
});

test("one who is subscribed again can be sent what was skipped", async () => {
  await using posthorn = await startPosthorn();
  await queuedCampaign(posthorn, 1);
  const left = await contactOf(posthorn, "reader1@example.com");
  await ask(posthorn, `PATCH /contacts/${left}`, { body: { subscribed: false } });
  await posthorn.settle();
  const [{ id }] = (await ask(posthorn, "GET /emails?status=SKIPPED")).body.data;
  expect((await ask(posthorn, `POST /emails/${id}/resend`)).body.error.code).toBe("CONTACT_UNSUBSCRIBED");
  await ask(posthorn, `PATCH /contacts/${left}`, { body: { subscribed: true } });
  expect((await ask(posthorn, `POST /emails/${id}/resend`)).status).toBe(201);
});

test.each(["accepted", "bounced", "failed"] as const)(
  "what was accepted is the sum of the rest after an erasure while the mail is handed over and %s",
  async (kind) => {
    await using posthorn = await startPosthorn();
    await addReaders(posthorn, 3);
    posthorn.transport.answer = async ({ envelope }) => {
      await erase(posthorn, envelope.recipient);
      return { kind, reply: kind === "accepted" ? "250 Ok" : "550 5.1.1 No such user" };
    };
    await send(posthorn);
    await posthorn.settle();
    for (const counted of [await totals(posthorn), await totals(posthorn, "campaign")])
      expect([counted.accepted, sumOf(counted)]).toEqual([3, 3]);
  },
);

test("what was accepted is the sum of the rest by campaign and provider after people are erased", async () => {
  await using posthorn = await startPosthorn();
  await addReaders(posthorn, 4);
  const campaign = await send(posthorn);
  await posthorn.settle();
  await erase(posthorn, "reader1@example.com");
  await posthorn.settle();
  await erase(posthorn, "reader2@example.com");
  await posthorn.settle();
  for (const by of [undefined, "campaign", "provider"] as const) {
    const counted = await totals(posthorn, by);
    expect([by, counted.accepted, counted.sent]).toEqual([by, 4, 4]);
  }
  expect(await look(posthorn, campaign)).toMatchObject({ totalRecipients: 4, sentCount: 4 });
});

test("what was accepted is the sum of the rest after people are erased whose mails were queued", async () => {
  await using posthorn = await startPosthorn();
  const campaign = await queuedCampaign(posthorn, 3);
  await erase(posthorn, "reader1@example.com");
  await posthorn.settle();
  const counted = await totals(posthorn, "campaign");
  expect([counted.accepted, sumOf(counted), counted.cancelled]).toEqual([3, 3, 1]);
  expect(await statistics(posthorn, campaign)).toMatchObject({ totalRecipients: 3, sentCount: 2, skippedCount: 1 });
});
