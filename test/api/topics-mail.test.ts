// Mail of a topic: who has left it gets none, at the audience, at the door, and just before the hand-over.
import { expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const FROM = "news@example.test";
const mail = { from: FROM, subject: "Hi", body: "<p>Hi</p>" };
const ADA = "ada@example.com";
const BOB = "bob@example.com";
const EVE = "eve@example.com";

async function made(posthorn: Posthorn, route: string, body: object): Promise<Json> {
  const reply = await ask(posthorn, route, { body });
  expect([route, reply.status < 300 ? "" : reply.body]).toEqual([route, ""]);
  return reply.body.data ?? reply.body;
}

/**
 * News for all who have not left, tips for those who joined: Ada left the news, Bob joined the tips, Eve says nothing.
 */
async function house(): Promise<Posthorn> {
  const posthorn = await workspace();
  await made(posthorn, "POST /topics", { key: "news", name: { en: "News" } });
  await made(posthorn, "POST /topics", { key: "tips", name: { en: "Tips" }, default: "out" });
  await made(posthorn, "POST /contacts", { email: ADA, topics: { news: "out" } });
  await made(posthorn, "POST /contacts", { email: BOB, topics: { tips: "in" } });
  await made(posthorn, "POST /contacts", { email: EVE });
  return posthorn;
}

const sentTo = (posthorn: Posthorn) => posthorn.transport.sent.map(({ envelope }) => envelope.recipient).toSorted();
const say = async (posthorn: Posthorn, email: string, topics: object) =>
  made(posthorn, "POST /contacts", { email, topics });

test("a campaign of a topic goes to those who get it, its preview counts the others, and its account closes (slow)", async () => {
  await using posthorn = await house();
  const audience = { audienceType: "ALL", topic: "news" };
  const preview = await made(posthorn, "POST /campaigns/audience-preview", audience);
  expect(preview).toMatchObject({ matched: 3, willReceive: 2, excluded: { unsubscribed: 0, topic: 1 } });
  const tips = await made(posthorn, "POST /campaigns/audience-preview", { ...audience, topic: "tips" });
  expect(tips).toMatchObject({ matched: 3, willReceive: 1, excluded: { topic: 2 } });
  const left = await ask(posthorn, "POST /campaigns/audience-people", { body: { ...audience, part: "topic" } });
  expect(left.body.data.map(({ email }: Json) => email)).toEqual([ADA]);
  const campaign = await made(posthorn, "POST /campaigns", { ...mail, name: "News", ...audience });
  expect(campaign).toMatchObject({ topic: "news", totalRecipients: 2 });
  await made(posthorn, `POST /campaigns/${campaign.id}/send`, {});
  // Between the frozen audience and the queue.
  await say(posthorn, BOB, { news: "out" });
  await posthorn.settle();
  expect(sentTo(posthorn)).toEqual([EVE]);
  const { data } = (await ask(posthorn, `GET /campaigns/${campaign.id}/recipients`)).body;
  expect(data.map(({ email, state, reason }: Json) => [email, state, reason])).toEqual([
    [BOB, "SKIPPED", "topic"],
    [EVE, expect.stringMatching("SENT"), null],
  ]);
  const statistics = (await ask(posthorn, `GET /campaigns/${campaign.id}/stats`)).body.data;
  expect(statistics).toMatchObject({ totalRecipients: 2, sentCount: 1, skippedCount: 1 });
});

test("who leaves the topic while the mail is queued is skipped just before the hand-over, with the reason", async () => {
  await using posthorn = await house();
  const template = await made(posthorn, "POST /templates", { ...mail, name: "Tips", type: "MARKETING", topic: "tips" });
  const inAnHour = new Date(posthorn.clock.nowMs() + 3_600_000).toISOString();
  const queued = await made(posthorn, "POST /v1/send", { template: template.id, to: BOB, sendAt: inAnHour });
  await say(posthorn, BOB, { tips: "out" });
  posthorn.clock.advance(3_700_000);
  await posthorn.settle();
  const record = (await ask(posthorn, `GET /emails/${queued.emails[0].email}`)).body;
  expect([record.status, record.error]).toEqual(["SKIPPED", "The recipient has left the topic of this email."]);
  expect(sentTo(posthorn)).toEqual([]);
  const again = await ask(posthorn, `POST /emails/${queued.emails[0].email}/resend`);
  expect(again.body.error).toMatchObject({
    ...{ code: "CONTACT_UNSUBSCRIBED", reason: "left_topic", suggestion: expect.stringContaining("`topics`") },
  });
});

test("a marketing send of a topic is refused for who is not in, and a transactional one has none", async () => {
  await using posthorn = await house();
  const { id: template } = await made(posthorn, "POST /templates", { ...mail, name: "M", type: "MARKETING" });
  const send = (body: object) => ask(posthorn, "POST /v1/send", { body: { template, ...body } });
  const refused = await send({ to: ADA, topic: "news" });
  expect(refused.body.error).toMatchObject({
    code: "CONTACT_UNSUBSCRIBED",
    reason: "left_topic",
    values: { email: ADA, topic: "news" },
  });
  expect((await send({ to: BOB, topic: "news" })).status).toBe(200);
  expect((await send({ to: "new@example.com", subscribed: true, topic: "tips" })).status).toBe(400);
  expect((await send({ to: "new@example.com", subscribed: true, topic: "news" })).status).toBe(200);
  const emails = [ADA, EVE].map((to) => ({ template, to, topic: "news" }));
  const batch = await ask(posthorn, "POST /v1/send/batch", { body: { emails } });
  expect(batch.body.error.errors).toMatchObject([{ field: "emails.0.to", code: "contact_unsubscribed" }]);
  expect((await send({ to: EVE, topic: "news" })).status).toBe(200);
  const faults = [
    [{ to: BOB, topic: "gone" }, "unknown_topic"],
    [{ ...mail, template: undefined, to: BOB, topic: "news" }, "unsupported"],
  ] as const;
  for (const [body, code] of faults)
    expect((await send(body)).body.error.errors).toMatchObject([{ field: "topic", code }]);
  await posthorn.settle();
  expect(sentTo(posthorn)).toEqual([BOB, EVE, "new@example.com"]);
});

test("a template keeps its topic, a step may have another, and what uses a topic keeps it from being deleted", async () => {
  await using posthorn = await house();
  const template = await made(posthorn, "POST /templates", { ...mail, name: "Tips", type: "MARKETING", topic: "tips" });
  const other = { ...mail, name: "Receipt", type: "TRANSACTIONAL", topic: "tips" };
  expect((await ask(posthorn, "POST /templates", { body: other })).body.error.errors).toMatchObject([
    { field: "topic" },
  ]);
  const unknown = await ask(posthorn, `PATCH /templates/${template.id}`, { body: { topic: "gone" } });
  expect(unknown.body.error.errors).toMatchObject([{ field: "topic", code: "unknown_topic" }]);
  const step = (topic?: string) => ({ type: "SEND_EMAIL", name: "Tell", config: { templateId: template.id, topic } });
  const flow = (name: string, topic?: string) =>
    ask(posthorn, "POST /workflows", { body: { name, eventName: name, enabled: true, steps: [step(topic)] } });
  expect((await flow("wrong", "gone")).body.error.errors).toMatchObject([{ code: "unknown_topic" }]);
  const [own, ofStep] = [await flow("own"), await flow("other", "news")];
  expect([own.status, ofStep.status]).toEqual([201, 201]);
  for (const email of [ADA, BOB]) {
    await made(posthorn, "POST /v1/track", { email, event: "own" });
    await made(posthorn, "POST /v1/track", { email, event: "other" });
  }
  await posthorn.settle();
  expect(sentTo(posthorn)).toEqual([BOB, BOB]);
  const refusedFor = async (key: string) => (await ask(posthorn, `DELETE /topics/${key}`)).body.error?.message ?? "";
  expect(await refusedFor("tips")).toContain("template Tips");
  expect(await refusedFor("news")).toContain("workflow other");
  await made(posthorn, `PATCH /templates/${template.id}`, { type: "TRANSACTIONAL" });
  expect((await ask(posthorn, `GET /templates/${template.id}`)).body.topic).toBeNull();
  expect(await refusedFor("tips")).toBe("");
});
