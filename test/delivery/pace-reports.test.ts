// What comes back later says how much mail a provider takes, too: a relay hears it, and tells us.
import { expect, test } from "bun:test";
import { readNotice } from "../../src/mail/inbound/bounces/notice.ts";
import { takeNotice } from "../../src/mail/inbound/bounces/take-notice.ts";
import { dsn } from "../support/bounces.ts";
import { startPosthorn, type Json, type Posthorn, type StartOptions } from "../support/posthorn.ts";
import { KEYS, pathOf, posted } from "../support/providers.ts";
import { Amazon, post, sesMessage, signed, TOPIC } from "../support/sns.ts";

const SECOND_MS = 1_000;
const RETURN_PATH = "bounces.example.test";
const SLOW = "421 4.7.28 Our system has detected an unusual rate of mail";
const BLOCKED = "550 5.7.1 Blocked: the reputation of your server is low";

const started = (config: StartOptions["config"] = {}, more: StartOptions = {}) =>
  startPosthorn({
    ...more,
    config: {
      ...config,
      delivery: { transport: "smtp", returnPathDomain: RETURN_PATH },
      relay: { host: "smtp.example.com", ...config.relay },
    },
  });

async function sent(posthorn: Posthorn, to = "first@gmail.com"): Promise<string> {
  const letter = { to, from: "shop@example.test", subject: "Hi", body: "<p>Hi" };
  const { body } = await posthorn.call("POST /v1/send", letter);
  await posthorn.settle();
  posthorn.clock.advance(SECOND_MS);
  return body.data.emails[0].email;
}

const PEOPLE = ["first@gmail.com", "second@gmail.com", "third@gmail.com"] as const;

/** A report about the mail that left last. */
async function bring(posthorn: Posthorn, fields: string, { byCarrier = true } = {}): Promise<void> {
  const address = posthorn.transport.sent.at(-1)?.envelope.returnPath as string;
  const notice = await readNotice(
    Buffer.from(dsn({ fields }).replaceAll("$ADDRESS", address).replaceAll("\n", "\r\n")),
  );
  const options = { secrets: posthorn.secrets, returnPathDomain: RETURN_PATH };
  const told = byCarrier ? { ...notice, byCarrier: true as const } : notice;
  await posthorn.store.write((tx) => takeNotice(tx, told, address, options));
}

/** The same about a mail to each of three. */
async function bringOfEach(posthorn: Posthorn, fields: string, how?: { readonly byCarrier: boolean }): Promise<void> {
  for (const to of PEOPLE) {
    await sent(posthorn, to);
    await bring(posthorn, fields, how);
  }
}

async function brakes(posthorn: Posthorn): Promise<Json[]> {
  posthorn.clock.advance(20 * SECOND_MS);
  await posthorn.settle();
  const { body } = await posthorn.call("GET /queue");
  return body.brakes.map(({ mailbox, state, way, reply }: Json) => ({ mailbox, state, way, reply }));
}

const gmail = (state: string, reply: string) => [{ mailbox: "gmail", state, way: "default", reply }];

const DELAYED = `Action: delayed\nStatus: 4.7.28\nDiagnostic-Code: smtp; ${SLOW}`;
const REFUSED = `Action: failed\nStatus: 5.7.1\nDiagnostic-Code: smtp; ${BLOCKED}`;

test("a relay's notes that emails are delayed slow their provider down, and are in the timeline once", async () => {
  await using posthorn = await started();
  const id = await sent(posthorn);
  await bring(posthorn, DELAYED);
  posthorn.clock.advance(SECOND_MS);
  await bring(posthorn, DELAYED);
  expect(await brakes(posthorn)).toEqual([]);
  await bringOfEach(posthorn, DELAYED);
  expect(await brakes(posthorn)).toEqual(gmail("SLOWED", SLOW));
  const { status, timeline } = (await posthorn.call(`GET /emails/${id}`)).body;
  const delays = timeline.filter(({ what }: Json) => what === "attempt.delayed");
  expect([status, delays.map(({ detail }: Json) => detail.reply)]).toEqual(["SENT", [SLOW]]);
});

test("bounces of three people that blame our reputation pause their provider", async () => {
  await using posthorn = await started();
  await bringOfEach(posthorn, REFUSED);
  expect(await brakes(posthorn)).toEqual(gmail("PAUSED", BLOCKED));
});

test("one person's bounces rest no provider, however many", async () => {
  await using posthorn = await started();
  for (let at = 0; at < 5; at++) {
    await sent(posthorn);
    await bring(posthorn, REFUSED);
  }
  expect(await brakes(posthorn)).toEqual([]);
});

test("what others than the relay say of an email changes this email alone", async () => {
  await using posthorn = await started();
  await bringOfEach(posthorn, REFUSED, { byCarrier: false });
  await bringOfEach(posthorn, DELAYED, { byCarrier: false });
  expect(await brakes(posthorn)).toEqual([]);
  expect(posthorn.transport.sent).toHaveLength(6);
});

test("a code or a reset waits for no report; marketing email does", async () => {
  await using posthorn = await started();
  await bringOfEach(posthorn, REFUSED);
  const [brake] = (await posthorn.call("GET /queue")).body.brakes ?? [];
  expect(brake).toBeUndefined();
  expect(await brakes(posthorn)).toEqual(gmail("PAUSED", BLOCKED));
  expect((await posthorn.call("GET /queue")).body.brakes[0].holds).toBe("MARKETING");
  posthorn.transport.sent.length = 0;
  await sent(posthorn, "code@gmail.com");
  expect(posthorn.transport.recipients).toEqual(["code@gmail.com"]);
  await posthorn.call("POST /contacts", { email: "news@gmail.com", subscribed: true });
  const news = { name: "News", subject: "News", body: "<p>News", type: "MARKETING" };
  const template = (await posthorn.call("POST /templates", news)).body.id;
  const letter = { to: "news@gmail.com", from: "shop@example.test", template };
  const { body } = await posthorn.call("POST /v1/send", letter);
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual(["code@gmail.com"]);
  const waiting = (await posthorn.call(`GET /emails/${body.data.emails[0].email}`)).body;
  expect(waiting).toMatchObject({ status: "QUEUED", held: "PROVIDER_PACE" });
});

test("what the provider itself says replaces what was heard of it, and holds all email", async () => {
  await using posthorn = await started();
  await bringOfEach(posthorn, REFUSED);
  await brakes(posthorn);
  posthorn.transport.answer = () => ({ kind: "later", reply: SLOW });
  await sent(posthorn, "code@gmail.com");
  expect(await brakes(posthorn)).toEqual(gmail("SLOWED", SLOW));
  expect((await posthorn.call("GET /queue")).body.brakes[0].holds).toBe("ALL");
});

test("a delay for any other reason, and a mailbox that is not there, change nothing", async () => {
  await using posthorn = await started();
  await sent(posthorn);
  await bring(posthorn, "Action: delayed\nStatus: 4.4.1\nDiagnostic-Code: smtp; 451 4.4.1 No answer from host");
  await sent(posthorn, "second@gmail.com");
  await bring(posthorn, "Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such user");
  expect(await brakes(posthorn)).toEqual([]);
});

test("a notice of Amazon SES that delivery is delayed slows the provider down", async () => {
  const amazon = new Amazon();
  await using posthorn = await started({ ses: { topics: [TOPIC] } }, { fetchText: amazon.fetchText });
  for (const emailAddress of PEOPLE) {
    const id = await sent(posthorn, emailAddress);
    const delayedRecipients = [{ emailAddress, status: "4.7.28", diagnosticCode: `smtp; ${SLOW}` }];
    const details = { delayType: "IPFailure", delayedRecipients };
    const Message = sesMessage("DeliveryDelay", { messageId: "X", tags: { emailId: [id] } }, details);
    await post(posthorn, signed({ Message }));
  }
  expect(await brakes(posthorn)).toEqual(gmail("SLOWED", SLOW));
});

test.each([
  ["generic", (id: string) => [{ type: "delayed", emailId: id, reason: SLOW }]],
  ["sendgrid", (id: string, email: string) => ({ event: "deferred", email, "posthorn-id": id, response: SLOW })],
  [
    "mailgun",
    (id: string, recipient: string) => ({
      ...{ event: "failed", severity: "temporary", recipient },
      ...{ "user-variables": { "posthorn-id": id }, "delivery-status": { code: 421, message: SLOW } },
    }),
  ],
] as const)("a report of %s that an email is deferred slows the provider down", async (name, event) => {
  await using posthorn = await started({ relay: { provider: name, providerKey: KEYS[name] } });
  for (const to of PEOPLE) {
    const id = await sent(posthorn, to);
    const { body, headers } = posted(posthorn, name, event(id, to));
    const reply = await posthorn.call(`POST ${pathOf(posthorn, name)}`, body, headers);
    expect(reply.status).toBe(200);
  }
  expect(await brakes(posthorn)).toEqual(gmail("SLOWED", SLOW));
});
