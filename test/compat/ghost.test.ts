// Ghost's newsletter through Mailgun's API: 3,000 members, and what Ghost shows afterwards.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { Ghost, type Member } from "../support/ghost.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { visit } from "../support/tracking.ts";

let posthorn: Posthorn;
let ghost: Ghost;
beforeAll(async () => {
  posthorn = await startPosthorn({ config: { compat: { mailgunHost: "localhost" } }, tracking: true });
  const baseUrl = `http://localhost:${new URL(posthorn.server.url).port}/v3`;
  const settings = { apiKey: posthorn.keys.secret, domain: "example.test", baseUrl };
  ghost = new Ghost(settings, () => new Date(posthorn.clock.nowMs()));
});
afterAll(() => posthorn[Symbol.asyncDispose]());

/** So many members with each fate, the others with mailboxes of their own. */
const FATES = { opened: 1_200, bounced: 12, "soft-bounced": 5, complained: 2, delivered: 1_768, deferred: 3 };
const READERS = 10;
const addresses = [
  ...Object.entries(FATES).flatMap(([fate, count]) =>
    Array.from({ length: count }, (_, at) => `${fate}+${at}@simulator.test`),
  ),
  ...Array.from({ length: READERS }, (_, at) => `reader${at}@example.com`),
];
const members: readonly Member[] = addresses.map((email, at) => ({ email, name: `Member ${at}`, uuid: `uuid-${at}` }));

const issue = (id: string) => ({
  id,
  subject: "The news of March",
  from: '"The Blog" <news@example.test>',
  html: `<html><head><style>p { margin: 0 }</style></head><body><p>Hey %recipient.name%, {{ braces }}</p>
<a href="%recipient.unsubscribe_url%">Unsubscribe</a></body></html>`,
  plaintext: "Hey %recipient.name%\n\nUnsubscribe: %recipient.unsubscribe_url%",
});

const sentTo = (address: string) =>
  posthorn.transport.sent
    .findLast(({ envelope }) => envelope.recipient === address)
    ?.raw.toString()
    .replace(/=\r\n/g, "")
    .replace(/\r\n[ \t]+/g, " ") ?? "";

/** A deferral slows down what waits for the same provider. */
async function leftAll(): Promise<void> {
  for (let hours = 0; hours < 48; hours++) {
    await posthorn.settle();
    if ((await ask(posthorn, "GET /emails?status=QUEUED")).body.data.length === 0) return;
    posthorn.clock.advance(HOUR_MS);
  }
}

test("a newsletter to 3,000 members is three calls, each with one id and one content", async () => {
  const ids = await ghost.sendNewsletter(issue("issue-1"), members);
  expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
  const [counted] = await posthorn.store.read(
    (reader) => reader.all`select count(*) as mails, count(distinct content) as contents from emails`,
  );
  expect(counted).toEqual({ mails: 3_000, contents: 3 });
}, 60_000);

test("each member gets their own name and links, and a way to unsubscribe with one click", async () => {
  await posthorn.settle();
  const at = addresses.indexOf("reader3@example.com");
  const raw = sentTo("reader3@example.com");
  const link = `https://blog.example/unsubscribe/?uuid=uuid-${at}&newsletter=1`;
  for (const part of [
    "To: reader3@example.com",
    `Hey Member ${at}, {{ braces }}`,
    `Unsubscribe: ${link}`,
    `List-Unsubscribe: <${link}>\r\n`,
    "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
    "Auto-Submitted: auto-generated",
    "X-Auto-Response-Suppress: OOF, AutoReply",
    "/o/",
  ])
    expect(raw).toContain(part);
  expect(raw).not.toContain("reader4@example.com");
}, 120_000);

test("it shows who got it, who opened it, and who did not get it", async () => {
  posthorn.clock.advance(MINUTE_MS);
  const pixel = /http:\/\/127\.0\.0\.1:8484(\/o\/[\w-]+)/.exec(sentTo("reader3@example.com"))?.[1] ?? "";
  await visit(posthorn, pixel, { userAgent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15) Thunderbird/128.0" });
  await leftAll();
  await ghost.readEvents();
  expect(ghost.countsOf("issue-1")).toEqual({
    sent: 3_000,
    delivered: FATES.opened + FATES.delivered + FATES.complained + FATES.deferred,
    opened: FATES.opened + 1,
    failed: FATES.bounced + FATES["soft-bounced"],
    tried: FATES.deferred,
  });
  expect(ghost.copies.get("issue-1")?.get("bounced+0@simulator.test")?.failed).toEqual({
    code: 550,
    message: "550 5.1.1 Simulated: there is no such mailbox",
  });
  expect([...ghost.suppressed].toSorted()).toEqual([
    ["complained+0@simulator.test", "spam"],
    ["complained+1@simulator.test", "spam"],
  ]);
}, 120_000);

test("a page has 300 events, and those that were read are not asked for again", async () => {
  const events =
    Object.values(ghost.countsOf("issue-1"))
      .slice(1)
      .reduce((sum, one) => sum + one, 0) + FATES.complained;
  expect(ghost.pages).toBe(Math.ceil(events / 300));
  const before = ghost.pages;
  await ghost.readEvents();
  expect(ghost.pages - before).toBeLessThanOrEqual(1);
}, 60_000);

test("the next issue does not leave to an address that bounced, until Ghost releases it", async () => {
  posthorn.clock.advance(MINUTE_MS);
  const gone = members.filter(({ email }) => /^bounced\+[01]@/.test(email));
  await ghost.sendNewsletter(issue("issue-2"), gone);
  await leftAll();
  await ghost.readEvents();
  expect(ghost.countsOf("issue-2")).toMatchObject({ sent: 2, failed: 2, delivered: 0 });
  expect(ghost.suppressed.get("bounced+0@simulator.test")).toBe("bounce");
  expect(await ghost.release("bounced+0@simulator.test")).toEqual(["bounces"]);
  expect(await ghost.release("bounced+0@simulator.test")).toEqual([]);
  expect(await ghost.release("complained+0@simulator.test")).toEqual(["complaints"]);
  posthorn.clock.advance(MINUTE_MS);
  await ghost.sendNewsletter(issue("issue-3"), gone);
  await leftAll();
  const { data } = (await ask(posthorn, "GET /emails?metadata[email-id]=issue-3")).body;
  expect(data.map(({ to, status }: Json) => [to, status]).toSorted()).toEqual([
    ["bounced+0@simulator.test", "BOUNCED"],
    ["bounced+1@simulator.test", "SKIPPED"],
  ]);
}, 60_000);
