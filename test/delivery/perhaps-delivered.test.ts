// A mail that the next hop has got and has not answered for: it is shown as PERHAPS_DELIVERED, repeated twice at most,
// and settled by whoever knows.
import { describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { carriersInThread } from "../../src/sending/carrier/carriers.ts";
import { transportOptions } from "../../src/sending/open-ways/sending-options.ts";
import type { HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import { readNotice } from "../../src/mail/inbound/bounces/notice.ts";
import { takeNotice } from "../../src/mail/inbound/bounces/take-notice.ts";
import { dsn, feedback } from "../support/bounces.ts";
import { addReaders, look, recipients, send as sendCampaign, statistics } from "../support/campaigns.ts";
import { cliBeside, jsonBeside } from "../support/cli.ts";
import { TestClock } from "../support/clock.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { sendTracked, visit } from "../support/tracking.ts";
import { startTranscriptServer } from "../support/transcript-server.ts";

const UNANSWERED: HandoverOutcome = { kind: "unanswered", reply: "It may or may not have accepted it (Timeout)" };
const ACCEPTED: HandoverOutcome = { kind: "accepted", reply: "250 2.0.0 Ok" };
const RETURN_PATH_DOMAIN = "bounces.example.com";

async function email(posthorn: Posthorn, id: string): Promise<Json> {
  return (await posthorn.call(`GET /emails/${id}`)).body;
}

async function afterAnHour(posthorn: Posthorn): Promise<void> {
  posthorn.clock.advance(HOUR_MS);
  await posthorn.settle();
}

/** One mail, handed over and not answered for. */
async function perhapsDelivered(posthorn: Posthorn, more: object = {}): Promise<string> {
  posthorn.transport.answer = () => UNANSWERED;
  const { body } = await posthorn.call("POST /v1/send", { ...letter, ...more });
  await posthorn.settle();
  return body.data.emails[0].email;
}

function start(): Promise<Posthorn> {
  return startPosthorn({ config: { delivery: { returnPathDomain: RETURN_PATH_DOMAIN } } });
}

describe("a mail that nobody answered for", () => {
  test("says so, and when it is repeated", async () => {
    await using posthorn = await start();
    const id = await perhapsDelivered(posthorn);
    expect(await email(posthorn, id)).toMatchObject({
      ...{ status: "PERHAPS_DELIVERED", attempts: 1, error: UNANSWERED.reply, reason: null, sentAt: null },
      scheduledFor: "2026-03-01T10:00:00.000Z",
      timeline: [{ what: "queued" }, { what: "attempt.unanswered", detail: { reply: UNANSWERED.reply } }],
    });
    expect(await posthorn.eventNames()).toEqual([]);
  });

  test("is repeated after an hour and after another, with its Message-ID, and then no more", async () => {
    await using posthorn = await start();
    const id = await perhapsDelivered(posthorn);
    posthorn.clock.advance(HOUR_MS - MINUTE_MS);
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(1);
    for (const copies of [2, 3, 3, 3]) {
      await afterAnHour(posthorn);
      expect(posthorn.transport.sent).toHaveLength(copies);
    }
    const ids = posthorn.transport.sent.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw.toString())?.[1]?.trim());
    expect(new Set(ids)).toEqual(new Set([`<${id}@example.test>`]));
    expect(await email(posthorn, id)).toMatchObject({ status: "PERHAPS_DELIVERED", attempts: 3, scheduledFor: null });
  });

  test("is SENT once a repeat is accepted", async () => {
    await using posthorn = await start();
    const id = await perhapsDelivered(posthorn);
    posthorn.transport.answer = () => ACCEPTED;
    await afterAnHour(posthorn);
    expect(await email(posthorn, id)).toMatchObject({ status: "SENT", attempts: 2, error: null, scheduledFor: null });
    expect(await posthorn.eventNames()).toEqual(["email.sent"]);
  });

  test.each<[HandoverOutcome, boolean]>([
    [{ kind: "bounced", reply: "550 5.1.1 No such user" }, false],
    [{ kind: "failed", reply: "554 5.7.1 Duplicate" }, false],
    [{ kind: "later", reply: "451 4.3.0 Later" }, true],
  ])("stays so when a repeat is refused: %o", async (outcome, isRepeated) => {
    await using posthorn = await start();
    await posthorn.call("POST /contacts", { email: letter.to });
    const id = await perhapsDelivered(posthorn);
    posthorn.transport.answer = () => outcome;
    await afterAnHour(posthorn);
    const mail = await email(posthorn, id);
    expect(mail).toMatchObject({ status: "PERHAPS_DELIVERED", error: outcome.reply });
    expect(mail.scheduledFor === null).toBe(!isRepeated);
    expect((await posthorn.call(`GET /contacts/${mail.contactId}`)).body.subscribed).toBe(true);
    expect(await posthorn.eventNames()).not.toContain("email.bounce");
  });

  test("keeps its repeats while the relay is away", async () => {
    await using posthorn = await start();
    const id = await perhapsDelivered(posthorn);
    posthorn.transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
    await afterAnHour(posthorn);
    expect(await email(posthorn, id)).toMatchObject({ status: "PERHAPS_DELIVERED", attempts: 1 });
    posthorn.transport.answer = () => ACCEPTED;
    await afterAnHour(posthorn);
    expect(await email(posthorn, id)).toMatchObject({ status: "SENT", attempts: 2 });
  });

  test("is not repeated to somebody who has unsubscribed since", async () => {
    await using posthorn = await start();
    const template = { name: "News", subject: "News", body: "<p>News</p>", from: letter.from, type: "MARKETING" };
    await posthorn.call("POST /contacts", { email: letter.to, subscribed: true });
    const { id: templateId } = (await posthorn.call("POST /templates", template)).body;
    const id = await perhapsDelivered(posthorn, { template: templateId, subject: undefined, body: undefined });
    const { contactId } = await email(posthorn, id);
    expect((await posthorn.call(`PATCH /contacts/${contactId}`, { subscribed: false })).status).toBe(200);
    await afterAnHour(posthorn);
    expect(posthorn.transport.sent).toHaveLength(1);
    expect(await email(posthorn, id)).toMatchObject({ status: "PERHAPS_DELIVERED", attempts: 1, scheduledFor: null });
  });

  test("is sent again by nothing else", async () => {
    await using posthorn = await startPosthorn({ clock: new TestClock(new Date().toISOString()) });
    const id = await perhapsDelivered(posthorn);
    for (const status of ["FAILED", ["FAILED", "BOUNCED"]])
      expect((await posthorn.call("POST /emails/retry", { filter: { status } })).status).toBe(422);
    expect(await posthorn.call("POST /emails/retry", { filter: { status: "PERHAPS_DELIVERED" } })).toMatchObject({
      status: 422,
    });
    expect((await posthorn.call(`POST /emails/${id}/resend`)).body.error.code).toBe("EMAIL_STATE");
    expect((await posthorn.call(`DELETE /emails/${id}`)).body.error.code).toBe("EMAIL_STATE");
    for (const act of ["retry", "hold", "drop"]) await cliBeside(posthorn, ["queue", act, "--all", "--yes"]);
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(1);
    expect((await email(posthorn, id)).status).toBe("PERHAPS_DELIVERED");
    expect((await jsonBeside(posthorn, ["queue", "list"])).total).toBe(0);
  });
});

describe("it is settled", () => {
  async function bring(posthorn: Posthorn, notice: string): Promise<void> {
    const address = posthorn.transport.sent[0]?.envelope.returnPath as string;
    const read = await readNotice(Buffer.from(notice.replaceAll("$ADDRESS", address).replaceAll("\n", "\r\n")));
    const options = { secrets: posthorn.secrets, returnPathDomain: RETURN_PATH_DOMAIN };
    await posthorn.store.write((tx) => takeNotice(tx, read, address, options));
  }

  test.each<[string, string, string, readonly string[]]>([
    [
      "a bounce",
      dsn({ fields: "Action: failed\nStatus: 5.1.1" }),
      "BOUNCED",
      ["email.sent", "email.bounce", "contact.unsubscribed"],
    ],
    ["a refusal of us", dsn({ fields: "Action: failed\nStatus: 5.7.26" }), "FAILED", ["email.sent"]],
    ["a success", dsn({ fields: "Action: delivered\nStatus: 2.0.0" }), "DELIVERED", ["email.sent", "email.delivery"]],
    ["a delay further on", dsn({ fields: "Action: delayed\nStatus: 4.4.1" }), "SENT", ["email.sent"]],
    ["a complaint", feedback("abuse"), "COMPLAINED", ["email.sent", "email.complaint", "contact.unsubscribed"]],
  ])("by %s, and is not repeated then", async (_what, notice, status, events) => {
    await using posthorn = await start();
    await posthorn.call("POST /contacts", { email: letter.to });
    const id = await perhapsDelivered(posthorn);
    await bring(posthorn, notice);
    await afterAnHour(posthorn);
    expect(await email(posthorn, id)).toMatchObject({ status, scheduledFor: null, attempts: 1 });
    expect(posthorn.transport.sent).toHaveLength(1);
    expect((await posthorn.eventNames()).filter((name) => !name.startsWith("contact.created"))).toEqual([...events]);
  });

  test("by a person who opens it", async () => {
    await using posthorn = await startPosthorn({ tracking: true });
    posthorn.transport.answer = () => UNANSWERED;
    const { id, pixel } = await sendTracked(posthorn, "<p>Hi</p>");
    await visit(posthorn, pixel, { userAgent: "Thunderbird" });
    await posthorn.settle();
    expect(await email(posthorn, id)).toMatchObject({ status: "SENT", opens: 1, scheduledFor: null });
    expect(await posthorn.eventNames()).toEqual(["email.sent", "email.open"]);
    await afterAnHour(posthorn);
    expect(posthorn.transport.sent).toHaveLength(1);
  });

  test.each([
    ["arrived", { status: "DELIVERED", error: null, failedAt: null }],
    ["not-arrived", { status: "FAILED", reason: "REFUSED", failedAt: "2026-03-01T09:00:00.000Z" }],
  ])("by hand: %s", async (verb, record) => {
    await using posthorn = await start();
    const id = await perhapsDelivered(posthorn);
    const settled = await posthorn.call(`POST /emails/${id}/${verb}`);
    expect(settled).toMatchObject({ status: 200, body: { ...record, scheduledFor: null } });
    await afterAnHour(posthorn);
    expect(posthorn.transport.sent).toHaveLength(1);
    const again = await posthorn.call(`POST /emails/${id}/${verb}`);
    expect(again).toMatchObject({ status: 400, body: { error: { code: "EMAIL_STATE" } } });
    expect((await posthorn.call(`POST /emails/${id}/resend`)).status).toBe(201);
  });
});

test("the command line settles it as well", async () => {
  await using posthorn = await startPosthorn({ clock: new TestClock(new Date().toISOString()) });
  const id = await perhapsDelivered(posthorn);
  expect((await cliBeside(posthorn, ["queue", "settle", id, "--arrived", "maybe"])).code).toBe(2);
  expect(await jsonBeside(posthorn, ["queue", "settle", id, "--arrived", "yes"])).toEqual({ id, status: "DELIVERED" });
  expect((await cliBeside(posthorn, ["queue", "settle", id, "--arrived", "no"])).code).toBe(1);
});

describe("it is counted", () => {
  test("in lists, in the states of all mails, with its person, and in the queue", async () => {
    await using posthorn = await start();
    const id = await perhapsDelivered(posthorn);
    posthorn.transport.answer = () => ACCEPTED;
    await posthorn.call("POST /v1/send", { ...letter, to: "bob@example.com" });
    await posthorn.settle();
    const listed = async (status: string) =>
      (await posthorn.call(`GET /emails?status=${status}&limit=10`)).body.data.length;
    const { contactId } = await email(posthorn, id);
    const [since, person] = ["2026-03-01T00:00:00Z", `GET /contacts/${contactId}/summary`];
    const states = async () => (await posthorn.call(`GET /statistics/states?since=${since}`)).body;
    for (const waits of [true, true, false]) {
      expect([await listed("PERHAPS_DELIVERED"), await listed("SENT"), await listed("QUEUED,SENDING")]).toEqual([
        1, 1, 0,
      ]);
      expect(await listed("SENT,PERHAPS_DELIVERED")).toBe(2);
      expect((await posthorn.call("GET /emails?status=PERHAPS_DELIVERED&page=1")).body.data).toHaveLength(1);
      expect(await states()).toMatchObject({ accepted: 2, sent: 1, perhapsDelivered: 1, waiting: 0 });
      expect((await posthorn.call(person)).body.mails).toMatchObject({ total: 1, perhapsDelivered: 1, sent: 0 });
      const { reasons } = (await posthorn.call("GET /queue")).body;
      expect(reasons.map(({ reason }: Json) => reason)).toEqual(waits ? ["PERHAPS_DELIVERED"] : []);
      posthorn.transport.answer = () => UNANSWERED;
      await afterAnHour(posthorn);
    }
  });

  test("in a campaign, which ends with its last repeat", async () => {
    await using posthorn = await start();
    await addReaders(posthorn, 3);
    posthorn.transport.answer = ({ envelope }) => (envelope.recipient.startsWith("reader2") ? UNANSWERED : ACCEPTED);
    const id = await sendCampaign(posthorn);
    await posthorn.settle();
    const figures = {
      totalRecipients: 3,
      sentCount: 2,
      perhapsDeliveredCount: 1,
      queuedCount: 0,
      failedCount: 0,
      skippedCount: 0,
    };
    for (const status of ["SENDING", "SENDING", "SENT"]) {
      expect(await look(posthorn, id)).toMatchObject({ status, sentCount: 2 });
      expect(await statistics(posthorn, id)).toMatchObject(figures);
      expect((await recipients(posthorn, id)).map((line) => line.split(" ")[1])).toEqual([
        "SENT",
        "PERHAPS_DELIVERED",
        "SENT",
      ]);
      const found = await posthorn.call(`GET /emails?campaignId=${id}&status=PERHAPS_DELIVERED&limit=10`);
      expect(found.body.data).toHaveLength(1);
      await afterAnHour(posthorn);
    }
    expect(posthorn.transport.sent).toHaveLength(5);
  });

  test("in a campaign that is cancelled, whose repeats end", async () => {
    await using posthorn = await start();
    await addReaders(posthorn, 2);
    posthorn.transport.answer = () => UNANSWERED;
    const id = await sendCampaign(posthorn);
    await posthorn.settle();
    await posthorn.call(`POST /campaigns/${id}/cancel`);
    await afterAnHour(posthorn);
    expect(posthorn.transport.sent).toHaveLength(2);
    expect(await statistics(posthorn, id)).toMatchObject({
      perhapsDeliveredCount: 2,
      cancelledCount: 0,
      queuedCount: 0,
    });
  });
});

test("a thread that ends behind a message leaves that one unanswered, and others as if they had not been tried for good", async () => {
  await using relay = await startTranscriptServer(
    "S: 220 hi\nC: EHLO\nS: 250 hi\nC: MAIL\nS: 250 ok\nC: RCPT\nS: 250 ok\nC: DATA\nS: 354 go on\nC: .",
    "S: 220 hi",
  );
  const workers: Worker[] = [];
  const original = globalThis.Worker;
  globalThis.Worker = class extends original {
    constructor(...made: ConstructorParameters<typeof original>) {
      super(...made);
      workers.push(this);
    }
  };
  const config = { ...DEFAULTS, delivery: { ...DEFAULTS.delivery, transport: "smtp" as const, concurrency: 2 } };
  const place = { host: "127.0.0.1", port: relay.port, tls: "none" as const };
  const carriers = carriersInThread(transportOptions({ ...config, relay: { ...DEFAULTS.relay, ...place } }));
  const handover = {
    workspace: 1,
    from: { address: "a@example.com" },
    to: { address: "ada@example.com" },
    recipient: "ada@example.com",
    returnPath: "b@example.com",
    subject: "Hi",
  };
  const raw = Buffer.from("Subject: Hi\r\n\r\nHi\r\n");
  const rest = { raw, attachments: [], dkim: null, tracking: null, links: {}, sentAlong: null };
  const send = (id: string) => carriers.send({ ...handover, ...rest, id } as never, null);
  try {
    const first = send("first");
    await relay.heard(".");
    // What the thread answers now, it says after what it has told of the first.
    await carriers.raw({ ...handover, ...rest, id: "first" } as never);
    const second = send("second").catch((error: Error) => error.message);
    workers[0]?.terminate();
    expect(await first).toMatchObject({ outcome: { kind: "unanswered" } });
    expect(await second).toContain("The carrying thread stopped");
  } finally {
    globalThis.Worker = original;
    await carriers.close();
  }
});
