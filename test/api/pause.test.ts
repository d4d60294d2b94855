// Pauses: marketing mail waits until a time that the person chose, at each place where mail is sent.
import { expect, test } from "bun:test";
import { linksFor } from "../../src/content/rendering/links.ts";
import { ledger } from "../support/ledger.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkflow, DAY, execution, HOUR, track } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const mail = { from: "news@example.test", subject: "Hi", body: "<p>Hi</p>" };
const everybody = { audienceType: "ALL" };

async function made(posthorn: Posthorn, route: string, body: object): Promise<Json> {
  const reply = await ask(posthorn, route, { body });
  expect([route, reply.status < 300 ? "" : reply.body]).toEqual([route, ""]);
  return "id" in reply.body ? reply.body : (reply.body.data ?? reply.body);
}

/** Ada and Bob are subscribed, and there is a marketing template. */
async function house(): Promise<{ posthorn: Posthorn; ada: Json; template: string }> {
  const posthorn = await workspace();
  const ada = await made(posthorn, "POST /contacts", { email: ADA });
  await made(posthorn, "POST /contacts", { email: BOB });
  const { id: template } = await made(posthorn, "POST /templates", { ...mail, name: "M", type: "MARKETING" });
  return { posthorn, ada, template };
}

const inDays = (posthorn: Posthorn, days: number) => new Date(posthorn.clock.nowMs() + days * DAY).toISOString();
const set = (posthorn: Posthorn, { id }: Json, pausedUntil: string | null) =>
  ask(posthorn, `PATCH /contacts/${id}`, { body: { pausedUntil } });
const record = async (posthorn: Posthorn, { id }: Json) => (await ask(posthorn, `GET /contacts/${id}`)).body;
const sentTo = (posthorn: Posthorn) => posthorn.transport.sent.map(({ envelope }) => envelope.recipient).toSorted();

async function eventsOf(posthorn: Posthorn): Promise<unknown[]> {
  const { events: data } = (await ask(posthorn, "GET /events")).body;
  const told = data.filter(({ name }: Json) => /^contact\.(paused|resumed)$/.test(name));
  return told.map(({ name, data }: Json) => [name, data]).toReversed();
}

test("a pause is a time to come within a year; it is in the record, in the list, and in the ledger with its end (slow)", async () => {
  const { posthorn, ada } = await house();
  await using _ = posthorn;
  const until = inDays(posthorn, 10);
  expect((await set(posthorn, ada, until)).body.pausedUntil).toBe(until);
  expect((await set(posthorn, ada, until)).status).toBe(200);
  const { data } = (await ask(posthorn, "GET /contacts")).body;
  expect(data.map(({ email, pausedUntil }: Json) => [email, pausedUntil])).toEqual([
    [BOB, null],
    [ADA, until],
  ]);
  for (const [wrong, code] of [
    [inDays(posthorn, -1), "in_the_past"],
    [inDays(posthorn, 367), "too_big"],
    ["2026-13-01", "invalid"],
  ] as const)
    expect((await set(posthorn, ada, wrong)).body.error.errors).toMatchObject([
      { field: "pausedUntil", code: expect.stringContaining(code) },
    ]);
  expect((await set(posthorn, ada, null)).body.pausedUntil).toBeNull();
  expect((await set(posthorn, ada, null)).status).toBe(200);
  await posthorn.settle();
  expect(await eventsOf(posthorn)).toEqual([
    ["contact.paused", { until }],
    ["contact.resumed", {}],
  ]);
  const noted = (await ledger(posthorn.store, ADA)).map(({ what, until: end, door }) => [what, end, door]);
  expect(noted).toEqual([
    ["subscribed", undefined, "key"],
    ["paused", until, "key"],
    ["resumed", undefined, "key"],
  ]);
});

test("to unsubscribe ends a pause, and events of pauses cannot be tracked by hand", async () => {
  const { posthorn, ada } = await house();
  await using _ = posthorn;
  await set(posthorn, ada, inDays(posthorn, 10));
  await ask(posthorn, `PATCH /contacts/${ada.id}`, { body: { subscribed: false } });
  await ask(posthorn, `PATCH /contacts/${ada.id}`, { body: { subscribed: true } });
  expect(await record(posthorn, ada)).toMatchObject({ subscribed: true, pausedUntil: null });
  const tracked = await ask(posthorn, "POST /v1/track", { body: { email: ADA, event: "contact.paused" } });
  expect(tracked.status).toBe(422);
  const body = { email: ADA, event: "seen", pausedUntil: inDays(posthorn, 5) };
  await ask(posthorn, "POST /v1/track", { body });
  expect((await record(posthorn, ada)).pausedUntil).toBeNull();
});

test("only who is subscribed can pause, also where a change says both, and nobody resumes twice", async () => {
  const { posthorn, ada } = await house();
  await using _ = posthorn;
  const until = inDays(posthorn, 10);
  const patch = (body: object) => ask(posthorn, `PATCH /contacts/${ada.id}`, { body });
  const refused = await patch({ subscribed: false, pausedUntil: until });
  expect(refused.body.error.errors).toMatchObject([{ field: "pausedUntil", code: "not_subscribed" }]);
  expect(await record(posthorn, ada)).toMatchObject({ subscribed: true, pausedUntil: null });
  await patch({ pausedUntil: until });
  expect((await patch({ subscribed: false, pausedUntil: null })).body).toMatchObject({ pausedUntil: null });
  expect((await patch({ pausedUntil: until })).status).toBe(422);
  expect((await patch({ subscribed: true })).body).toMatchObject({ subscribed: true, pausedUntil: null });
  expect((await patch({ subscribed: false })).status).toBe(200);
  expect((await patch({ subscribed: true, pausedUntil: until })).body).toMatchObject({ pausedUntil: until });
  expect((await eventsOf(posthorn)).map((told) => (told as unknown[])[0])).toEqual([
    "contact.paused",
    "contact.paused",
  ]);
});

test("a campaign leaves out who is paused, at its audience and at its queue, and counts them", async () => {
  const { posthorn, ada } = await house();
  await using _ = posthorn;
  const eve = await made(posthorn, "POST /contacts", { email: "eve@example.com" });
  await set(posthorn, ada, inDays(posthorn, 10));
  const preview = await made(posthorn, "POST /campaigns/audience-preview", everybody);
  expect(preview).toMatchObject({ matched: 3, willReceive: 2, excluded: { unsubscribed: 0, topic: 0, paused: 1 } });
  const left = await ask(posthorn, "POST /campaigns/audience-people", { body: { ...everybody, part: "paused" } });
  expect(left.body.data.map(({ email }: Json) => email)).toEqual([ADA]);
  const campaign = await made(posthorn, "POST /campaigns", { ...mail, name: "News", ...everybody });
  expect(campaign.totalRecipients).toBe(2);
  await made(posthorn, `POST /campaigns/${campaign.id}/send`, {});
  // Between the frozen audience and the queue.
  await set(posthorn, eve, inDays(posthorn, 10));
  await posthorn.settle();
  expect(sentTo(posthorn)).toEqual([BOB]);
  const { data } = (await ask(posthorn, `GET /campaigns/${campaign.id}/recipients`)).body;
  expect(data.map(({ email, state, reason }: Json) => [email, state, reason])).toEqual([
    [BOB, "SENT", null],
    ["eve@example.com", "SKIPPED", "paused"],
  ]);
  const past = (await ask(posthorn, `GET /contacts/${ada.id}/timeline?kind=CAMPAIGN`)).body.entries;
  expect(past).toMatchObject([{ state: "LEFT_OUT", reason: "paused" }]);
});

test("who is paused at the time of a planned campaign is excluded from it, and who is not by then is not", async () => {
  const { posthorn, ada } = await house();
  await using _ = posthorn;
  const { id } = await made(posthorn, "POST /campaigns", { ...mail, name: "News", ...everybody });
  await made(posthorn, `POST /campaigns/${id}/send`, { scheduledFor: inDays(posthorn, 5) });
  const excluded = async () => (await ask(posthorn, `GET /contacts/${ada.id}/upcoming`)).body.campaigns[0].excluded;
  await set(posthorn, ada, inDays(posthorn, 10));
  expect(await excluded()).toBe("paused");
  await set(posthorn, ada, inDays(posthorn, 3));
  expect(await excluded()).toBeNull();
});

test("a marketing send is refused, and a mail that is queued already is skipped just before the hand-over", async () => {
  const { posthorn, ada, template } = await house();
  await using _ = posthorn;
  const inAnHour = new Date(posthorn.clock.nowMs() + HOUR).toISOString();
  const queued = await made(posthorn, "POST /v1/send", { template, to: ADA, sendAt: inAnHour });
  const until = inDays(posthorn, 10);
  await set(posthorn, ada, until);
  const refused = await ask(posthorn, "POST /v1/send", { body: { template, to: ADA } });
  expect(refused.body.error).toMatchObject({
    code: "CONTACT_UNSUBSCRIBED",
    reason: "paused",
    values: { email: ADA, until },
  });
  expect((await ask(posthorn, "POST /v1/send", { body: { ...mail, to: ADA } })).status).toBe(200);
  posthorn.clock.advance(HOUR + 1);
  await posthorn.settle();
  const { email } = queued.emails[0];
  const kept = (await ask(posthorn, `GET /emails/${email}`)).body;
  expect([kept.status, kept.error]).toEqual(["SKIPPED", "The recipient has paused marketing email."]);
  expect(sentTo(posthorn)).toEqual([ADA]);
  expect((await ask(posthorn, `POST /emails/${email}/resend`)).body.error.reason).toBe("paused");
  posthorn.clock.advance(10 * DAY);
  expect((await ask(posthorn, "POST /v1/send", { body: { template, to: ADA } })).status).toBe(200);
});

test("a mail step of a workflow is skipped with the reason, and a pause begins one", async () => {
  const { posthorn, ada, template } = await house();
  await using _ = posthorn;
  const flow = await addWorkflow(posthorn, [{ type: "SEND_EMAIL", name: "Mail", config: { templateId: template } }]);
  const onPause = await addWorkflow(posthorn, [{ type: "EXIT", name: "End", config: {} }], {
    name: "Paused",
    eventName: "contact.paused",
  });
  await set(posthorn, ada, inDays(posthorn, 10));
  await track(posthorn, "signup");
  await posthorn.settle();
  const { steps } = await execution(posthorn, flow);
  expect(steps.at(-1)).toMatchObject({
    status: "SKIPPED",
    output: { reason: "The recipient has paused marketing email." },
  });
  await execution(posthorn, onPause);
  expect(sentTo(posthorn)).toEqual([]);
});

test("segments know who is paused, from the beginning of the pause to its end, which the clock makes", async () => {
  const { posthorn, ada } = await house();
  await using _ = posthorn;
  const condition = (value: boolean, operator = "equals") => ({
    logic: "AND",
    groups: [{ filters: [{ field: "paused", operator, value }] }],
  });
  const segment = await made(posthorn, "POST /segments", {
    name: "Paused",
    condition: condition(true),
    trackMembership: true,
  });
  const members = async () => {
    await posthorn.settle();
    const { data } = (await ask(posthorn, `GET /segments/${segment.id}/contacts`)).body;
    return data.map(({ email }: Json) => email);
  };
  expect(await members()).toEqual([]);
  const until = inDays(posthorn, 30);
  await set(posthorn, ada, until);
  expect(await members()).toEqual([ADA]);
  const others = { audienceType: "FILTERED", audienceCondition: condition(true, "notEquals") };
  expect((await made(posthorn, "POST /campaigns/audience-preview", others)).matched).toBe(1);
  const why = await ask(posthorn, "POST /segments/explain", { body: { segmentId: segment.id, contactId: ada.id } });
  expect(why.body).toMatchObject({ matches: true, changesAt: until, filters: [{ seen: true, changesAt: until }] });
  posthorn.clock.advance(30 * DAY);
  // At once, even before the loop has cleared it.
  expect((await made(posthorn, "POST /campaigns/audience-preview", everybody)).willReceive).toBe(2);
  expect(await members()).toEqual([]);
  expect((await record(posthorn, ada)).pausedUntil).toBeNull();
  expect(await eventsOf(posthorn)).toMatchObject([
    ["contact.paused", { until }],
    ["contact.resumed", {}],
  ]);
  const noted = (await ledger(posthorn.store, ADA)).map(({ what, door }) => `${what} by ${door}`);
  expect(noted.slice(1)).toEqual(["paused by key", "resumed by clock"]);
});

const FORM = { "content-type": "application/x-www-form-urlencoded" };

async function page(url: string, form?: string, language = "en"): Promise<string> {
  const headers = { "accept-language": language, ...(form === undefined ? {} : FORM) };
  const reply = await fetch(url, form === undefined ? { headers } : { method: "POST", headers, body: form });
  expect(reply.status).toBe(200);
  return reply.text();
}

test("the page offers to pause for 30, 60 or 90 days, says until when, and ends the pause", async () => {
  const { posthorn, ada } = await house();
  await using _ = posthorn;
  const { manageUrl, subscribeUrl } = linksFor(posthorn.secrets, posthorn.server.url, {
    contactId: ada.id,
    emailId: ada.id,
  });
  const shown = await page(manageUrl, undefined, "de");
  for (const days of [30, 60, 90])
    expect(shown).toContain(`<button name="pause" value="${days}">${days} Tage</button>`);
  expect((await record(posthorn, ada)).pausedUntil).toBeNull();
  const paused = await page(manageUrl, "pause=60");
  const until = inDays(posthorn, 60);
  const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(new Date(until));
  expect((await record(posthorn, ada)).pausedUntil?.slice(0, 10)).toBe(until.slice(0, 10));
  for (const words of ["Your email is paused", day, "Your choice has been saved.", "Resume now", "Unsubscribe"])
    expect(paused).toContain(words);
  expect(paused).not.toContain('value="30"');
  expect(await page(manageUrl, "pause=31")).toContain("Resume now");
  expect(await page(manageUrl, "pause=0")).toContain("You are subscribed");
  await page(manageUrl, "pause=90");
  await page(subscribeUrl, "");
  expect(await record(posthorn, ada)).toMatchObject({ subscribed: true, pausedUntil: null });
  await page(manageUrl, "subscribed=false");
  expect(await page(manageUrl, "pause=30")).not.toContain("paused");
  expect((await record(posthorn, ada)).pausedUntil).toBeNull();
  const noted = (await ledger(posthorn.store, ADA)).map(({ what, door }) => `${what} by ${door}`);
  expect(noted.slice(1)).toEqual([
    ...["paused by page", "resumed by page", "paused by page", "resumed by page", "unsubscribed by page"],
  ]);
});
