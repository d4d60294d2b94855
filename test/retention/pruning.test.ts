// What is old goes; what counts stays as it was. Nothing that is still to be sent is touched, and nothing of another
// workspace.
import { describe, expect, test } from "bun:test";
import { DEFAULTS } from "../../src/base/config.ts";
import { findLeftMail, markComplained, markReturned } from "../../src/mail/emails/feedback/feedback.ts";
import { emitAll } from "../../src/tenant/events/emit.ts";
import { HOUR_MS } from "../../src/base/clock.ts";
import { createLog } from "../../src/base/log.ts";
import { Metrics } from "../../src/base/metrics/metrics.ts";
import { KINDS } from "../../src/operator/retention/kinds.ts";
import { pruning } from "../../src/operator/retention/loop.ts";
import { prunePiece, ROWS_AT_ONCE } from "../../src/operator/retention/prune.ts";
import type { Tx } from "../../src/store/store.ts";
import { TestClock } from "../support/clock.ts";
import { ENGINE } from "../support/database.ts";
import { allRetention } from "../../src/tenant/workspaces/queries.ts";
import { addReaders, look, recipients, send, statistics } from "../support/campaigns.ts";
import { cliBeside } from "../support/cli.ts";
import { letter, mailsSent } from "../support/mails.ts";
import { LETTER, bring, startHouse } from "../support/outside.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { allMailStatistics, DAY_MS, keeping, later, mailIds } from "../support/retention.ts";
import { ask, countOf } from "../support/scenario.ts";
import { sendTracked, visit } from "../support/tracking.ts";
import { addTemplate, addWorkflow, executions, track } from "../support/workflows.ts";
import { addWorkspace } from "../support/workspaces.ts";

async function sendOne(posthorn: Posthorn, body: object = {}): Promise<string> {
  const reply = await ask(posthorn, "POST /v1/send", { body: { ...letter, ...body } });
  expect([reply.status, reply.body.error]).toEqual([200, undefined]);
  return reply.body.data.emails[0].email;
}

async function statusOf(posthorn: Posthorn, route: string): Promise<[number, string | undefined]> {
  const { status, body } = await ask(posthorn, route);
  return [status, body.error?.code];
}

/**
 * A campaign of which one mail each has bounced, was opened and clicked, complained of, left by its link, refused, and
 * of one erased.
 */
async function eventfulCampaign(posthorn: Posthorn): Promise<string> {
  await addReaders(posthorn, 9);
  await ask(posthorn, "POST /contacts", { body: { email: "late@example.com" } });
  posthorn.transport.answer = ({ envelope }) =>
    envelope.recipient === "reader5@example.com"
      ? { kind: "failed", reply: "554 5.7.1 No" }
      : { kind: "accepted", reply: "250 Ok" };
  const id = await send(posthorn, { body: '<p>It is spring. <a href="https://example.com/spring">Look</a></p>' });
  await posthorn.settle();
  const mails: Json[] = (await ask(posthorn, `GET /campaigns/${id}/recipients?pageSize=100`)).body.data;
  const mailOf = (reader: number) => mails.find(({ email }) => email === `reader${reader}@example.com`).emailId;
  await posthorn.store.write(async (tx) => {
    await markReturned(
      tx,
      (await findLeftMail(tx, mailOf(1))) as never,
      { reason: "550 5.1.1 No such user", byCarrier: false },
      "Permanent",
    );
    await markReturned(
      tx,
      (await findLeftMail(tx, mailOf(2))) as never,
      { reason: "452 4.2.2 Full", byCarrier: false },
      "Transient",
    );
    await markComplained(tx, (await findLeftMail(tx, mailOf(3))) as never);
  });
  const html = String((await mailsSent(posthorn)).find(({ to }) => JSON.stringify(to).includes("reader4@"))?.html);
  const path = (pattern: RegExp) => new URL(pattern.exec(html)?.[0] as string).pathname;
  await visit(posthorn, path(/http:\/\/127\.0\.0\.1:8484\/o\/[\w-]+/));
  await visit(posthorn, path(/http:\/\/127\.0\.0\.1:8484\/c\/[\w-]+/));
  await ask(posthorn, `POST ${path(/http:\/\/127\.0\.0\.1:8484\/unsubscribe\/[\w-]+/)}`, { key: "none" });
  const erased = mails.find(({ email }) => email === "reader6@example.com").contactId;
  await ask(posthorn, `DELETE /contacts/${erased}`);
  return id;
}

test("a campaign's figures, its recipients and the statistics are the same after its mails were pruned", async () => {
  await using posthorn = await keeping({ mailDays: 31 });
  const id = await eventfulCampaign(posthorn);
  await posthorn.settle();
  const state = async () => ({
    record: await look(posthorn, id),
    statistics: await statistics(posthorn, id),
    recipients: (await recipients(posthorn, id)).map((line) => line.replace(/ \d{3} .*/, "")),
    mails: await allMailStatistics(posthorn),
  });
  const before = await state();
  expect(before.statistics).toMatchObject({
    ...{ totalRecipients: 10, openedCount: 1, clickedCount: 1, hardBouncedCount: 1, softBouncedCount: 1 },
    ...{ complainedCount: 1, unsubscribedCount: 1, failedCount: 1 },
  });
  const { data: told } = (await ask(posthorn, `GET /campaigns/${id}/recipients?pageSize=100`)).body;
  await later(posthorn, 32);
  expect(await state()).toEqual(before);
  // The one mail whose person was erased, of whom nothing else is left.
  expect(await mailIds(posthorn)).toHaveLength(1);
  const { data: still } = (await ask(posthorn, `GET /campaigns/${id}/recipients?pageSize=100`)).body;
  const kept = ({ emailId, reason, ...moments }: Json) => moments;
  expect(still.map(kept)).toEqual(told.map(kept));
  expect(still.filter(({ emailId }: Json) => emailId !== null)).toHaveLength(1);
});

test.each([
  ["before its mails", { recipientDays: 31 }],
  ["after its mails", { recipientDays: 40, mailDays: 31 }],
])("a campaign's figures are the same when its recipients have gone %s, and its list says so", async (_, days) => {
  await using posthorn = await keeping(days);
  const id = await eventfulCampaign(posthorn);
  await posthorn.settle();
  await posthorn.store.write(
    (tx) =>
      tx.run`insert into recipients (campaign, contact, reason) select seq, 0, 'topic' from campaigns where id = ${id}`,
  );
  const state = async () => ({ record: await look(posthorn, id), statistics: await statistics(posthorn, id) });
  const before = await state();
  expect(before.statistics).toMatchObject({
    totalRecipients: 11,
    unsubscribedCount: 1,
    failedCount: 1,
    skippedCount: 1,
  });
  const people: Json[] = (await ask(posthorn, `GET /campaigns/${id}/recipients`)).body.data;
  const contactId = people.find((one) => one.contactId !== null).contactId;
  const lists = ["recipients", "recipients?limit=5", "recipients?state=SKIPPED", "recipients/export"];
  await later(posthorn, 30);
  expect(await statusOf(posthorn, `GET /campaigns/${id}/recipients`)).toEqual([200, undefined]);
  await later(posthorn, 12);
  expect(await state()).toEqual(before);
  expect(await countOf(posthorn, "recipients")).toBe(0);
  for (const list of lists)
    expect(await statusOf(posthorn, `GET /campaigns/${id}/${list}`)).toEqual([410, "RECIPIENTS_GONE"]);
  const again = await ask(posthorn, `POST /campaigns/${id}/again`, { body: { states: ["BOUNCED"] } });
  expect([again.status, again.body.error?.code]).toEqual([410, "RECIPIENTS_GONE"]);
  expect((await ask(posthorn, `GET /contacts/${contactId}/timeline?kind=CAMPAIGN`)).body.entries).toEqual([]);
  await later(posthorn, 60);
  expect(await state()).toEqual(before);
});

describe("nothing that is still to be sent is pruned:", () => {
  test("mail of a disabled workspace leaves years later, as it was", async () => {
    await using posthorn = await keeping({ mailDays: 31, bodyDays: 1, attemptDays: 1 });
    await sendOne(posthorn, { subject: "Settled" });
    await posthorn.settle();
    await sendOne(posthorn, { subject: "Held", body: "<p>{{ word }}</p>", data: { word: "Patience" } });
    await cliBeside(posthorn, ["workspace", "disable", "default"]);
    await later(posthorn, 800);
    await cliBeside(posthorn, ["workspace", "enable", "default"]);
    const [held, ...others] = (await mailsSent(posthorn)).filter(({ subject }) => subject === "Held");
    expect([others.length, String(held?.html)]).toEqual([0, expect.stringContaining("Patience")]);
    expect(await mailIds(posthorn)).toHaveLength(1);
  });

  test("a paused campaign keeps what its mails say, and goes on with it", async () => {
    await using posthorn = await keeping({ mailDays: 31, bodyDays: 1 });
    await addReaders(posthorn, 3);
    const id = await send(posthorn);
    await ask(posthorn, `POST /campaigns/${id}/pause`);
    await later(posthorn, 100);
    expect(posthorn.transport.sent).toEqual([]);
    await ask(posthorn, `POST /campaigns/${id}/resume`);
    expect((await mailsSent(posthorn)).map(({ html }) => String(html))).toEqual(
      [1, 2, 3].map((reader) => expect.stringContaining(`reader${reader}@example.com`)),
    );
    expect(await statistics(posthorn, id)).toMatchObject({ totalRecipients: 3, sentCount: 3, queuedCount: 0 });
  });

  test("a mail that is tried again keeps what was said to it before", async () => {
    const week = { config: { delivery: { retryScheduleSeconds: [7 * 86_400] } } };
    await using posthorn = await keeping({ mailDays: 31, bodyDays: 1, attemptDays: 1 }, week);
    posthorn.transport.answer = () => ({ kind: "later", reply: "450 4.2.0 Later" });
    const id = await sendOne(posthorn);
    await later(posthorn, 3);
    const { status, timeline } = (await ask(posthorn, `GET /emails/${id}`)).body;
    expect([status, timeline.map(({ what }: Json) => what)]).toEqual(["QUEUED", ["queued", "attempt.later"]]);
  });
});

test("a workspace with fewer days than the server loses its own old mails alone", async () => {
  await using posthorn = await keeping({ mailDays: 100 });
  const other = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  const key = { bearer: other.secret } as const;
  await sendOne(posthorn);
  await ask(posthorn, "POST /v1/send", { key, body: { ...letter, from: "hello@other.test" } });
  const changed = await ask(posthorn, "PATCH /workspace", { key, body: { retention: { mailDays: 40 } } });
  expect(changed.body.retention).toEqual({
    ...{ mailDays: 40, bodyDays: 40, eventDays: null, inboundDays: null, attemptDays: null, recipientDays: null },
  });
  await later(posthorn, 41);
  expect((await ask(posthorn, "GET /emails", { key })).body.total).toBe(0);
  expect((await ask(posthorn, "GET /emails")).body.total).toBe(1);
  await later(posthorn, 60);
  expect((await ask(posthorn, "GET /emails")).body.total).toBe(0);
});

test("the last event with a tag stays if a segment names the tag", async () => {
  await using posthorn = await keeping({ eventDays: 31, mailDays: 31 });
  const filter = { field: "email.sent", operator: "triggered", tag: "welcome" };
  const asked = { name: "Welcomed", trackMembership: true, condition: { groups: [{ filters: [filter] }] } };
  const { id } = (await ask(posthorn, "POST /segments", { body: asked })).body;
  for (const tags of [["welcome", "first"], ["welcome"], ["order:1"], ["welcome"], ["order:2"], []]) {
    await ask(posthorn, "POST /v1/send", { body: { ...letter, tags } });
    await posthorn.settle();
  }
  await later(posthorn, 40);
  expect((await posthorn.events()).filter(({ name }) => name === "email.sent").map(({ data }) => data["tags"])).toEqual(
    [["welcome"], undefined],
  );
  await ask(posthorn, `POST /segments/${id}/compute`);
  expect((await ask(posthorn, `GET /segments/${id}/contacts`)).body.data).toMatchObject([{ email: letter.to }]);
  await ask(posthorn, `DELETE /segments/${id}`);
  await later(posthorn, 31);
  expect((await posthorn.events()).filter(({ name }) => name === "email.sent").map(({ data }) => data["tags"])).toEqual(
    [undefined],
  );
});

test("segments keep their members: the last event of each name stays with each contact", async () => {
  await using posthorn = await keeping({ eventDays: 31, mailDays: 31 });
  const { id, pixel } = await sendTracked(posthorn, "<p>Hello</p>");
  for (let times = 0; times < 3; times++) {
    await visit(posthorn, pixel, { userAgent: "Mozilla/5.0 (X11; Linux) Firefox/130" });
    await track(posthorn, "bought", { times }, letter.to);
    posthorn.clock.advance(DAY_MS);
  }
  await track(posthorn, "looked", {}, "grace@example.com");
  const filters = [
    ["email.opened", "triggered"],
    ["email.opened", "triggeredWithin", 60],
    ["email.opened", "triggeredOlderThan", 20],
    ["event.bought", "triggered"],
    ["event.bought", "notTriggered"],
    ["event.bought", "notTriggeredWithin", 30],
    ["event.looked", "notTriggered"],
  ] as const;
  const segments: string[] = [];
  for (const [index, [field, operator, value]] of filters.entries()) {
    const filter = { field, operator, ...(value === undefined ? {} : { value, unit: "days" }) };
    const body = { name: `Segment ${index}`, condition: { groups: [{ filters: [filter] }] } };
    segments.push((await ask(posthorn, "POST /segments", { body })).body.id);
  }
  const members = async () => {
    const lists: string[][] = [];
    for (const one of segments) {
      await ask(posthorn, `POST /segments/${one}/compute`);
      const { data } = (await ask(posthorn, `GET /segments/${one}/contacts?pageSize=50`)).body;
      lists.push(data.map(({ email }: Json) => email).sort());
    }
    return lists;
  };
  const events = async () => (await posthorn.events()).map(({ name, data }) => [name, data["times"] ?? data["opens"]]);
  posthorn.clock.advance(40 * DAY_MS);
  const before = await members();
  expect(before[0]).toEqual([letter.to]);
  await posthorn.settle();
  expect(await members()).toEqual(before);
  expect((await events()).filter(([name]) => name === "email.open" || name === "bought")).toEqual([
    ["email.open", 3],
    ["bought", 2],
  ]);
  expect(await statusOf(posthorn, `GET /emails/${id}`)).toEqual([404, "EMAIL_NOT_FOUND"]);
});

describe("what a mail says", () => {
  test("goes before its record, and every way to it says so", async () => {
    await using posthorn = await keeping({ bodyDays: 10 });
    const attachments = ["a", "b", "c", "d", "e"].map((name) => ({
      filename: `${name}.txt`,
      content: Buffer.from("Secret").toString("base64"),
    }));
    const id = await sendOne(posthorn, { body: "<p>Hello {{ name }}</p>", data: { name: "Ada" }, attachments });
    await posthorn.settle();
    const before = (await ask(posthorn, `GET /emails/${id}`)).body;
    await later(posthorn, 11);
    expect((await ask(posthorn, `GET /emails/${id}`)).body).toEqual(before);
    for (const route of [
      "GET /emails/$/content",
      "GET /emails/$/raw",
      "GET /emails/$/attachments",
      "POST /emails/$/resend",
    ])
      expect([route, ...(await statusOf(posthorn, route.replace("$", id)))]).toEqual([route, 410, "CONTENT_GONE"]);
    expect([await countOf(posthorn, "attachments"), await countOf(posthorn, "emails")]).toEqual([0, 1]);
  });

  test("is kept as long as it is sent again, and as long as its workflow sends it", async () => {
    await using posthorn = await keeping({ bodyDays: 10 });
    const id = await sendOne(posthorn);
    const template = await addTemplate(posthorn);
    await addWorkflow(posthorn, [{ type: "SEND_EMAIL", name: "Mail", config: { templateId: template } }], {
      allowReentry: true,
    });
    await track(posthorn, "signup");
    await later(posthorn, 9);
    await ask(posthorn, `POST /emails/${id}/resend`);
    await track(posthorn, "signup");
    await later(posthorn, 9);
    for (const mail of await mailIds(posthorn))
      expect(await statusOf(posthorn, `GET /emails/${mail}/content`)).toEqual([200, undefined]);
    await later(posthorn, 30);
    for (const mail of await mailIds(posthorn))
      expect(await statusOf(posthorn, `GET /emails/${mail}/content`)).toEqual([410, "CONTENT_GONE"]);
    await track(posthorn, "signup");
    await posthorn.settle();
    const [newest = ""] = await mailIds(posthorn);
    expect(await statusOf(posthorn, `GET /emails/${newest}/content`)).toEqual([200, undefined]);
  });

  test("is gone from a campaign's mails, which the campaign still shows itself", async () => {
    await using posthorn = await keeping({ bodyDays: 10 });
    await addReaders(posthorn, 2);
    const id = await send(posthorn);
    await later(posthorn, 11);
    const [mail = ""] = await mailIds(posthorn);
    expect(await statusOf(posthorn, `GET /emails/${mail}/raw`)).toEqual([410, "CONTENT_GONE"]);
    expect((await look(posthorn, id)).body).toContain("It is spring");
  });
});

test("email from outside goes with its message; that it came is still known", async () => {
  const house = await startHouse({
    config: {
      retention: { mailDays: 0, bodyDays: 0, eventDays: 0, inboundDays: 10, attemptDays: 0, recipientDays: 0 },
    },
  });
  await using posthorn = house.posthorn;
  const long = `${LETTER}${"All is well here, and it goes on and on.\n".repeat(40_000)}`;
  await bring(house, long);
  await sendOne(posthorn);
  await posthorn.settle();
  // More than go in one piece.
  expect(await countOf(posthorn, "message_slices")).toBeGreaterThan(4);
  await later(posthorn, 11);
  expect([await countOf(posthorn, "messages"), await countOf(posthorn, "message_slices")]).toEqual([0, 0]);
  expect([await countOf(posthorn, "emails"), await countOf(posthorn, "contents")]).toEqual([1, 1]);
  const [came] = (await posthorn.events()).filter(({ name }) => name === "email.received");
  expect(came?.data).toMatchObject({ subject: "Hello", body: "", text: "", attachments: [], hasContent: true });
});

test("failed hand-overs and visits by machines are forgotten; the mail stays", async () => {
  await using posthorn = await keeping({ attemptDays: 10 });
  const { id, pixel } = await sendTracked(posthorn, "<p>Hello</p>");
  await visit(posthorn, pixel, { userAgent: "Googlebot" });
  posthorn.transport.answer = () => ({ kind: "failed", reply: "554 5.7.1 No" });
  await sendOne(posthorn);
  await posthorn.settle();
  expect([await countOf(posthorn, "machine_visits"), await countOf(posthorn, "email_attempts")]).toEqual([1, 1]);
  await later(posthorn, 11);
  expect([await countOf(posthorn, "machine_visits"), await countOf(posthorn, "email_attempts")]).toEqual([0, 0]);
  expect((await ask(posthorn, `GET /emails/${id}`)).body.status).toBe("SENT");
});

test("links of a pruned mail still lead on, its reader can still unsubscribe, and what is told of it later changes nothing", async () => {
  await using posthorn = await keeping({ mailDays: 31 });
  await addReaders(posthorn, 1);
  const id = await send(posthorn, { body: '<p><a href="https://example.com/spring">Look</a></p>' });
  const html = String((await mailsSent(posthorn))[0]?.html);
  const path = (kind: string) =>
    new URL(new RegExp(`http://127.0.0.1:8484/${kind}/[\\w-]+`).exec(html)?.[0] as string).pathname;
  const [mail = ""] = await mailIds(posthorn);
  await later(posthorn, 32);
  expect(await mailIds(posthorn)).toEqual([]);
  const clicked = await visit(posthorn, path("c"));
  expect([clicked.status, clicked.headers.get("location")]).toEqual([302, "https://example.com/spring"]);
  expect((await visit(posthorn, path("o"))).status).toBe(200);
  expect((await ask(posthorn, `POST ${path("unsubscribe")}`, { key: "none" })).status).toBe(200);
  expect((await ask(posthorn, "GET /contacts?search=reader1")).body.data).toMatchObject([{ subscribed: false }]);
  expect(await posthorn.store.read((reader) => findLeftMail(reader, mail))).toBeNull();
  expect(await statistics(posthorn, id)).toMatchObject({ sentCount: 1, openedCount: 0 });
});

test("a person whose mails were pruned is erased as any other; the campaign's figures stay", async () => {
  await using posthorn = await keeping({ mailDays: 31, eventDays: 31 });
  await addReaders(posthorn, 2);
  const id = await send(posthorn);
  await later(posthorn, 40);
  const before = await statistics(posthorn, id);
  const [{ id: contact }] = (await ask(posthorn, "GET /contacts?search=reader1")).body.data;
  expect((await ask(posthorn, `DELETE /contacts/${contact}`)).status).toBe(204);
  await posthorn.settle();
  expect(await statistics(posthorn, id)).toEqual(before);
  expect(await recipients(posthorn, id)).toEqual(["SENT", "reader2@example.com SENT"]);
  expect(JSON.stringify(await posthorn.store.read((reader) => reader.all`select * from recipients`))).not.toContain(
    "reader1",
  );
});

test("a workflow's executions tell what they sent after the mails are gone", async () => {
  await using posthorn = await keeping({ mailDays: 31, bodyDays: 5, eventDays: 31 });
  const template = await addTemplate(posthorn);
  const workflow = await addWorkflow(posthorn, [
    { type: "SEND_EMAIL", name: "Mail", config: { templateId: template } },
  ]);
  await track(posthorn, "signup");
  await posthorn.settle();
  const before = await executions(posthorn, workflow);
  await later(posthorn, 40);
  expect(await mailIds(posthorn)).toEqual([]);
  expect(await executions(posthorn, workflow)).toEqual(before);
});

test("two processes that prune at once, and one that ended on the way, leave the same figures", async () => {
  await using posthorn = await keeping({ mailDays: 31, bodyDays: 31, eventDays: 31 });
  await addReaders(posthorn, 40);
  const refused = ["reader1@example.com", "reader2@example.com"];
  posthorn.transport.answer = ({ envelope: { recipient } }) =>
    refused.includes(recipient)
      ? { kind: "bounced", reply: "550 5.1.1 no such user" }
      : { kind: "accepted", reply: "250 Ok" };
  const id = await send(posthorn);
  await posthorn.settle();
  const before = await statistics(posthorn, id);
  expect(before).toMatchObject({ sentCount: 38, refusedCount: 2, bouncedCount: 2 });
  posthorn.clock.advance(40 * DAY_MS);
  const work = { store: posthorn.store, clock: posthorn.clock, days: { ...DEFAULTS.retention, mailDays: 31 } };
  const [workspace] = await posthorn.store.read(allRetention);
  const mails = KINDS.find(({ name }) => name === "mails");
  const seven = { sqlite: 7, postgres: 7 };
  expect(await prunePiece(work, workspace as never, mails as never, seven)).toMatchObject({ rows: 7 });
  expect([await countOf(posthorn, "emails"), await statistics(posthorn, id)]).toEqual([33, before]);
  await Promise.all([posthorn.settle(), cliBeside(posthorn, ["prune"]), cliBeside(posthorn, ["prune"])]);
  expect([await countOf(posthorn, "emails"), await statistics(posthorn, id)]).toEqual([0, before]);
  expect((await recipients(posthorn, id)).filter((line) => line.endsWith(" SENT")).length).toBe(38);
  const { body } = await posthorn.call(`GET /campaigns/${id}/recipients?refused=true`);
  expect(body.data.map(({ state }: Json) => state)).toEqual(["BOUNCED", "BOUNCED"]);
});

describe("the pace", () => {
  const QUIET = createLog({ level: "error", format: "text", clock: new TestClock(), write: () => {} });
  const ROWS = ROWS_AT_ONCE[ENGINE];
  const EVENTS_ALONE = { mailDays: 0, bodyDays: 0, eventDays: 31, inboundDays: 0, attemptDays: 0, recipientDays: 0 };

  function pruningOf({ store, clock }: Posthorn) {
    return pruning({ store, clock, days: EVENTS_ALONE, log: QUIET });
  }

  test("goes by rows, and keeps up with a million mails a day", async () => {
    await using posthorn = await keeping({ eventDays: 31 });
    await posthorn.store.write((tx) => emitMany(tx, 2 * ROWS + 10));
    posthorn.clock.advance(40 * DAY_MS);
    const { step, pauseMs } = pruningOf(posthorn);
    const [left, rests]: [number[], number[]] = [[], []];
    for (let pieces = 0; pieces < 4; pieces++) {
      rests.push(await step(new Metrics()));
      left.push(await countOf(posthorn, "events"));
    }
    expect(left).toEqual([ROWS + 10, 10, 0, 0]);
    expect(rests).toEqual([0, 0, 0, HOUR_MS]);
    // A million mails a day, each with a text, a record, an attempt and three events.
    expect((ROWS / (pauseMs ?? Infinity)) * 1000).toBeGreaterThan((6 * 1_000_000) / (DAY_MS / 1000));
  });

  test("a transaction deletes some megabytes of files, however many mails have them", async () => {
    await using posthorn = await keeping({ bodyDays: 10 });
    const content = Buffer.alloc(1_500_000, 7).toString("base64");
    const attachments = [{ filename: "a.bin", content }];
    for (let mail = 0; mail < 5; mail++) await sendOne(posthorn, { attachments });
    await posthorn.settle();
    posthorn.clock.advance(11 * DAY_MS);
    const work = { store: posthorn.store, clock: posthorn.clock, days: { ...DEFAULTS.retention, bodyDays: 10 } };
    const [workspace] = await posthorn.store.read(allRetention);
    const bodies = KINDS.find(({ name }) => name === "bodies");
    const left: number[] = [];
    while ((await prunePiece(work, workspace as never, bodies as never)) !== null)
      left.push(await countOf(posthorn, "attachments"));
    expect(left).toEqual([2, 0]);
  });

  test("workspaces take turns: nobody waits until another one's past is gone", async () => {
    await using posthorn = await keeping({ eventDays: 31 });
    await addWorkspace(posthorn, { name: "other", domain: "other.test" });
    await posthorn.store.write(async (tx) => {
      await emitMany(tx, 3 * ROWS);
      await emitMany(tx, 1, 2);
    });
    posthorn.clock.advance(40 * DAY_MS);
    const { step } = pruningOf(posthorn);
    await step(new Metrics());
    await step(new Metrics());
    expect(await countOf(posthorn, "events")).toBe(2 * ROWS);
  });
});

/** Events of nobody: none of them stays. */
function emitMany(tx: Tx, count: number, workspace = 1): Promise<string[]> {
  const event = { workspace, name: "looked", contact: null, data: {} };
  return emitAll(tx, Array<typeof event>(count).fill(event));
}
