// The pace of each mailbox provider: one that asks for less mail gets less, and no other mail waits for that.
import { expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { providerOfHosts } from "../../src/sending/delivery/pace/mailbox-hosts.ts";
import { signOf, signOfReport } from "../../src/sending/delivery/pace/signs.ts";
import type { FinishedMessage, HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import { TableResolver } from "../support/resolver.ts";
import { startPosthorn, type Posthorn, type StartOptions } from "../support/posthorn.ts";

const SECOND_MS = 1_000;
const ACCEPTED: HandoverOutcome = { kind: "accepted", reply: "250 2.0.0 Ok" };
const SLOWER: HandoverOutcome = { kind: "later", reply: "421 4.7.28 Our system has detected an unusual rate of mail" };
const BLOCKED: HandoverOutcome = { kind: "failed", reply: "550 5.7.1 Blocked: the reputation of your server is low" };

const isAt = (domain: string) => (message: FinishedMessage) => message.envelope.recipient.endsWith(`@${domain}`);

function says(posthorn: Posthorn, outcome: HandoverOutcome, about = isAt("gmail.com")): void {
  posthorn.transport.answer = (message) => (about(message) ? outcome : ACCEPTED);
}

async function send(posthorn: Posthorn, to: string | readonly string[]): Promise<string[]> {
  const body = { to, from: "shop@example.test", subject: "Hi", body: "<p>Hi" };
  const { body: answer } = await posthorn.call("POST /v1/send", body);
  return answer.data.emails.map(({ email }: { email: string }) => email);
}

const people = (count: number, domain: string, name = "person") =>
  Array.from({ length: count }, (_, at) => `${name}${at}@${domain}`);

const started = (options: StartOptions = {}) =>
  startPosthorn({ ...options, config: { delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" } } });

async function stateOf(posthorn: Posthorn, id: string): Promise<{ status: string; held: string | null }> {
  return (await posthorn.call(`GET /emails/${id}`)).body;
}

async function pass(posthorn: Posthorn, ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    posthorn.clock.advance(stepMs);
    await posthorn.settle();
  }
}

/** One slow answer has put on the brake. */
async function slowed(posthorn: Posthorn): Promise<void> {
  says(posthorn, SLOWER);
  await send(posthorn, "first@gmail.com");
  await posthorn.settle();
  says(posthorn, ACCEPTED);
  posthorn.transport.sent.length = 0;
}

test("a provider that asks for less gets its mail one by one", async () => {
  await using posthorn = await started();
  await slowed(posthorn);
  const ids = await send(posthorn, people(25, "gmail.com"));
  await posthorn.settle();
  expect(posthorn.transport.sent.length).toBeLessThanOrEqual(2);
  expect(await stateOf(posthorn, ids[24] as string)).toMatchObject({ status: "QUEUED", held: "PROVIDER_PACE" });
  // 300 an hour: one in twelve seconds.
  await pass(posthorn, MINUTE_MS, 3 * SECOND_MS);
  expect(posthorn.transport.sent.length).toBeGreaterThanOrEqual(5);
  expect(posthorn.transport.sent.length).toBeLessThanOrEqual(8);
  await pass(posthorn, 6 * MINUTE_MS, 12 * SECOND_MS);
  expect(posthorn.transport.recipients.filter((one) => one.startsWith("person"))).toHaveLength(25);
});

test("all other mail leaves at once, whatever is queued before it", async () => {
  await using posthorn = await started();
  await slowed(posthorn);
  for (let batch = 0; batch < 4; batch++) await send(posthorn, people(50, "gmail.com", `batch${batch}`));
  await send(posthorn, people(20, "example.com"));
  await posthorn.settle();
  expect(posthorn.transport.sent.filter(isAt("example.com"))).toHaveLength(20);
  expect(posthorn.transport.sent.filter(isAt("gmail.com")).length).toBeLessThanOrEqual(2);
});

test("a brake is of one workspace", async () => {
  await using posthorn = await started();
  await slowed(posthorn);
  const other = await posthorn.call("POST /v1/send", {
    to: people(5, "example.com"),
    from: "shop@example.test",
    subject: "Hi",
    body: "<p>Hi",
  });
  expect(other.status).toBe(200);
  await posthorn.settle();
  expect(posthorn.transport.sent.filter(isAt("example.com"))).toHaveLength(5);
});

test("transactional mail leaves before marketing mail", async () => {
  await using posthorn = await started();
  await slowed(posthorn);
  await posthorn.call("POST /contacts", { email: "news@gmail.com", subscribed: true });
  const { body: template } = await posthorn.call("POST /templates", {
    name: "News",
    subject: "News",
    body: "<p>News",
    type: "MARKETING",
  });
  for (let at = 0; at < 8; at++) {
    const { status } = await posthorn.call("POST /v1/send", {
      to: "news@gmail.com",
      from: "shop@example.test",
      template: template.id,
    });
    expect(status).toBe(200);
  }
  await posthorn.settle();
  await send(posthorn, people(3, "gmail.com"));
  await posthorn.settle();
  posthorn.transport.sent.length = 0;
  await pass(posthorn, 3 * MINUTE_MS, SECOND_MS);
  const order = posthorn.transport.recipients;
  expect(order.length).toBeGreaterThanOrEqual(5);
  expect(order.lastIndexOf("person2@gmail.com")).toBeLessThan(order.lastIndexOf("news@gmail.com"));
});

test("a brake is eased, and then released", async () => {
  await using posthorn = await started();
  await slowed(posthorn);
  for (let hour = 0; hour < 3; hour++) {
    await send(posthorn, people(20, "gmail.com", `hour${hour}`));
    await pass(posthorn, HOUR_MS, 2 * MINUTE_MS);
  }
  posthorn.transport.sent.length = 0;
  await send(posthorn, people(40, "gmail.com"));
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(40);
});

test("a provider that takes nothing for its opinion of us rests for an hour; then one mail finds out", async () => {
  await using posthorn = await started();
  says(posthorn, BLOCKED);
  const [first] = await send(posthorn, "first@gmail.com");
  await posthorn.settle();
  // It is refused for our address, and waits with the others.
  expect(await stateOf(posthorn, first as string)).toMatchObject({ status: "QUEUED" });
  const ids = await send(posthorn, people(30, "gmail.com"));
  await send(posthorn, "someone@example.com");
  posthorn.transport.sent.length = 0;
  await pass(posthorn, 50 * MINUTE_MS, 10 * MINUTE_MS);
  expect(posthorn.transport.recipients).toEqual(["someone@example.com"]);
  await pass(posthorn, 11 * MINUTE_MS, MINUTE_MS);
  expect(posthorn.transport.sent.filter(isAt("gmail.com"))).toHaveLength(1);
  // It still refuses: two hours, and all others are kept.
  says(posthorn, ACCEPTED);
  await pass(posthorn, 110 * MINUTE_MS, 10 * MINUTE_MS);
  expect(posthorn.transport.sent.filter(isAt("gmail.com"))).toHaveLength(1);
  await pass(posthorn, 40 * MINUTE_MS, MINUTE_MS);
  const states = await Promise.all([first as string, ...ids].map((id) => stateOf(posthorn, id)));
  expect(states.filter(({ status }) => status === "SENT")).toHaveLength(31);
});

const CONTENT_REFUSED = [
  "552-5.7.0 This message was blocked because its content presents a potential security issue.",
  "550-5.7.1 [192.0.2.1] Our system has detected that this message is likely unsolicited mail. To reduce the amount of spam, this message has been blocked.",
  "550 5.7.520 Message blocked because it contains content identified as spam",
  "554 5.7.1 Message rejected under suspicion of SPAM",
  "550 5.7.1 [CS01] Message rejected due to local policy.",
  "554 5.7.1 The URL in this message is on a blocklist (surbl)",
  "554 Transaction failed: the email was blocked, it contains a link to a phishing site",
];

test.each(CONTENT_REFUSED)("one email that is refused for what it says rests nobody: %s", async (reply) => {
  await using posthorn = await started();
  says(posthorn, { kind: "failed", reply }, (message) => message.envelope.recipient === "first@gmail.com");
  const [first] = await send(posthorn, "first@gmail.com");
  await posthorn.settle();
  expect(await stateOf(posthorn, first as string)).toMatchObject({ status: "FAILED" });
  const [second] = await send(posthorn, "second@gmail.com");
  await posthorn.settle();
  expect(await stateOf(posthorn, second as string)).toMatchObject({ status: "SENT" });
});

test("emails in hand at once that meet a block of our address wait, all of them", async () => {
  await using posthorn = await started();
  const reply =
    "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent: part of their network is on our list (S3140)";
  says(posthorn, { kind: "failed", reply });
  const ids = await send(posthorn, people(10, "gmail.com"));
  await posthorn.settle();
  const states = await Promise.all(ids.map((id) => stateOf(posthorn, id)));
  expect(new Set(states.map(({ status }) => status))).toEqual(new Set(["QUEUED"]));
});

test("a brake takes half of what was taken in the last sixty seconds, whatever the calendar's minute is", async () => {
  await using posthorn = await started();
  // 44 of them in one minute of the calendar, 16 in the next.
  posthorn.clock.advance(15 * SECOND_MS);
  for (let at = 0; at < 60; at++) {
    await send(posthorn, `steady${at}@gmail.com`);
    await posthorn.settle();
    posthorn.clock.advance(SECOND_MS);
  }
  says(posthorn, SLOWER);
  await send(posthorn, "last@gmail.com");
  await posthorn.settle();
  const { body } = await posthorn.call("GET /queue");
  expect(body.brakes[0].perHour).toBeGreaterThanOrEqual((55 * 60) / 2);
  expect(body.brakes[0].perHour).toBeLessThanOrEqual((60 * 60) / 2);
});

test("a domain is of the provider that its MX records name, and is looked up once a day", async () => {
  const resolver = new TableResolver({ "company.example": { MX: ["aspmx.l.google.com"] } });
  await using posthorn = await started({ resolver });
  await slowed(posthorn);
  await send(posthorn, people(10, "company.example"));
  await posthorn.settle();
  expect(posthorn.transport.sent.length).toBeLessThanOrEqual(2);
  await send(posthorn, people(3, "company.example", "later"));
  await posthorn.settle();
  expect(resolver.asked.filter((question) => question === "MX company.example")).toHaveLength(1);
  const rows = () => posthorn.store.read((reader) => reader.all`select domain, provider from mailbox_domains`);
  expect(await rows()).toEqual([{ domain: "company.example", provider: "gmail" }]);
  posthorn.clock.advance(25 * HOUR_MS);
  await posthorn.settle();
  expect(await rows()).toEqual([]);
});

test("one server of its own that puts mail off has no brake", async () => {
  await using posthorn = await started();
  says(posthorn, SLOWER, (message) => message.envelope.recipient === "first@example.com");
  await send(posthorn, "first@example.com");
  await posthorn.settle();
  posthorn.transport.sent.length = 0;
  await send(posthorn, people(10, "example.com"));
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(10);
});

test("deferrals that rise are a sign as well", async () => {
  await using posthorn = await started();
  says(posthorn, { kind: "later", reply: "451 4.3.0 Try again" });
  await send(posthorn, people(12, "gmail.com"));
  await posthorn.settle();
  says(posthorn, ACCEPTED);
  posthorn.transport.sent.length = 0;
  await send(posthorn, people(20, "gmail.com", "later"));
  await posthorn.settle();
  expect(posthorn.transport.sent.length).toBeLessThanOrEqual(2);
});

test("a brake and what waits for it are there after a restart", async () => {
  const posthorn = await started();
  await slowed(posthorn);
  await send(posthorn, people(30, "gmail.com"));
  await posthorn.settle();
  const { dataDir } = posthorn;
  await posthorn.server[Symbol.asyncDispose]();
  await using again = await started({ dataDir, clock: posthorn.clock });
  await again.settle();
  expect(again.transport.sent.length).toBeLessThanOrEqual(2);
  await pass(again, 10 * MINUTE_MS, 6 * SECOND_MS);
  expect(again.transport.sent.length).toBeGreaterThanOrEqual(28);
});

test("mail that waits for a provider can be cancelled", async () => {
  await using posthorn = await started();
  await slowed(posthorn);
  const ids = await send(posthorn, people(10, "gmail.com"));
  await posthorn.settle();
  const { status } = await posthorn.call(`DELETE /emails/${ids[9]}`);
  expect(status).toBe(204);
  expect(await stateOf(posthorn, ids[9] as string)).toMatchObject({ status: "CANCELLED" });
});

test("signs are told from refusals of one mail, of the way and of servers that do not know us yet", () => {
  const sign = (kind: "later" | "failed" | "bounced", reply: string) => signOf({ kind, reply });
  expect(sign("later", "421 4.7.0 [TSS04] Messages temporarily deferred due to user complaints")).toBe("slow");
  expect(sign("later", "450 4.2.1 The user you are trying to contact is receiving mail at a rate that")).toBe("slow");
  expect(sign("later", "452 4.5.3 Too many recipients")).toBe("slow");
  expect(sign("later", "451 4.7.1 Greylisting in action, please come back later")).toBe("deferred");
  expect(sign("later", "454 4.7.0 Temporary authentication failure")).toBe(null);
  expect(sign("later", "421 Service not available")).toBe(null);
  expect(sign("failed", "550 5.7.1 part of their network is on our block list (S3150)")).toBe("blocked");
  expect(sign("failed", "550-5.7.1 this message is likely unsolicited mail")).toBe("spam");
  expect(
    sign(
      "failed",
      "550-5.7.1 [192.0.2.1] Our system has detected an unusual rate of unsolicited mail originating from your IP address. To protect our users from spam, mail sent from your IP address has been blocked.",
    ),
  ).toBe("blocked");
  expect(
    signOfReport(
      "550-5.7.1 this message is suspicious due to the very low reputation of the sending IP address. The message has been blocked.",
    ),
  ).toBe("blocked");
  expect(sign("failed", "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org")).toBe(
    "blocked",
  );
  expect(sign("failed", "550 5.7.606 Access denied, banned sending IP [192.0.2.1]")).toBe("blocked");
  expect(
    sign("failed", "553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.1, because the ip is in a list"),
  ).toBe("blocked");
  expect(sign("failed", "554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help.) (BL)")).toBe("blocked");
  expect(sign("failed", "554 5.7.1 Message contains a URL listed by dbl.spamhaus.org")).toBe("spam");
  expect(sign("failed", "550 5.7.26 This mail is unauthenticated")).toBe(null);
  expect(sign("failed", "550-5.7.26 This mail has been blocked because the sender is unauthenticated.")).toBe(null);
  expect(sign("bounced", "550 5.1.1 No such user")).toBe(null);
  expect(signOfReport("smtp; 421 4.7.28 unusual rate of mail")).toBe("slow");
  expect(signOfReport("smtp; 550 5.1.1 No such user")).toBe(null);
});

test("providers are known by the servers of their MX records", () => {
  expect(providerOfHosts(["alt1.aspmx.l.google.com"])).toBe("gmail");
  expect(providerOfHosts(["shop-example.mail.protection.outlook.com."])).toBe("outlook");
  expect(providerOfHosts(["mx-eu.mail.am0.yahoodns.net"])).toBe("yahoo");
  expect(providerOfHosts(["mx01.mail.icloud.com"])).toBe("icloud");
  expect(providerOfHosts(["mx00.emig.gmx.net"])).toBe("gmx");
  expect(providerOfHosts(["notgoogle.com.example.org"])).toBe(null);
});
