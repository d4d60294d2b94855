// A way out that does not know who sends destroys no mail: it goes by another way, or waits and says why.
import { expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import type { WaySettings } from "../../src/base/config/ways.ts";
import type { FinishedMessage, HandoverOutcome, Transport } from "../../src/sending/carrier/transport/transport.ts";
import { smtpRelay } from "../../src/sending/carrier/smtp/relay.ts";
import { somebody } from "../support/people.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { startRelay } from "../support/relay.ts";
import { RecordingTransport } from "../support/transport.ts";

const BACKUP: WaySettings = {
  ...{ name: "backup", kind: "smtp", ratePerSecond: 0, burst: 1, concurrency: 10, price: null },
  relay: { ...DEFAULTS.relay, host: "smtp.backup.example" },
  ses: DEFAULTS.ses,
};
const ACCEPTED: HandoverOutcome = { kind: "accepted", reply: "250 2.0.0 Ok" };
const AWAY: HandoverOutcome = { kind: "unreachable", reply: "connect ECONNREFUSED 192.0.2.9:587" };
const UNKNOWN = "550 The from address does not match a verified Sender Identity";
const NOT_KNOWN: HandoverOutcome = { kind: "failed", reply: UNKNOWN, phase: "data" };

function relayAt(port: number): Transport {
  const { tls, user, password, verifyCertificate } = { ...DEFAULTS.relay, tls: "none" as const };
  const address = { host: "127.0.0.1", port, tls, user, password, verifyCertificate, ca: null, heloName: "localhost" };
  return smtpRelay({ ...address, timeoutMs: 30_000, concurrency: 2, gapMs: 0 });
}

async function started(ways: readonly WaySettings[] = [BACKUP]) {
  const [first, second] = [new RecordingTransport(), new RecordingTransport()];
  const posthorn = await startPosthorn({
    transport: first,
    wayTransports: { backup: second },
    config: {
      delivery: { transport: "smtp" },
      relay: { host: "smtp.example.com" },
      ways,
    },
  });
  return { posthorn, first, second };
}

async function send(posthorn: Posthorn, to: string, from = "shop@example.test"): Promise<string> {
  const body = { to, from, subject: "Hi", body: "<p>Hi" };
  return (await posthorn.call("POST /v1/send", body)).body.data.emails[0].email;
}

async function sendMany(posthorn: Posthorn, count: number, from?: string): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < count; n++) ids.push(await send(posthorn, `a${n}@example.com`, from));
  return ids;
}

const mail = async (posthorn: Posthorn, id: string) => (await posthorn.call(`GET /emails/${id}`)).body;

async function minutes(posthorn: Posthorn, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    posthorn.clock.advance(MINUTE_MS);
    await posthorn.settle();
  }
}

async function addDomain(posthorn: Posthorn, name: string): Promise<void> {
  await posthorn.call("POST /domains", { domain: name });
  await posthorn.store.write((tx) => tx.run`update domains set verified_at = ${tx.now} where domain = ${name}`);
}

const from = ({ raw }: FinishedMessage) => /^From: .*@([\w.-]+)/im.exec(raw.toString())?.[1] ?? "";

test("mail waits, and says why, while the way that knows its sender is away; then all of it leaves", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  first.answer = () => AWAY;
  first.fault = AWAY.reply;
  second.answer = () => NOT_KNOWN;
  const ids = await sendMany(posthorn, 10);
  await posthorn.settle();
  await minutes(posthorn, 20);
  for (const id of ids)
    expect(await mail(posthorn, id)).toMatchObject({
      ...{ status: "QUEUED", attempts: 0 },
      error: expect.stringContaining(UNKNOWN),
    });
  expect(second.sent.length).toBeLessThan(40);
  first.answer = () => ACCEPTED;
  first.fault = null;
  const before = first.sent.length;
  await minutes(posthorn, 3);
  for (const id of ids) expect(await mail(posthorn, id)).toMatchObject({ status: "SENT", attempts: 1 });
  expect(first.sent.length - before).toBe(10);
});

test("after three refusals a way is not used for the domain, and stays in use for the domains that it knows", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  await addDomain(posthorn, "other.test");
  first.answer = (message) => (from(message) === "example.test" ? NOT_KNOWN : ACCEPTED);
  for (let n = 0; n < 5; n++) {
    await send(posthorn, `a${n}@example.com`);
    await posthorn.settle();
  }
  expect([first.sent.length, second.sent.length]).toEqual([3, 5]);
  const ids = await sendMany(posthorn, 5, "shop@other.test");
  await posthorn.settle();
  expect(first.sent).toHaveLength(8);
  expect(second.sent).toHaveLength(5);
  expect((await mail(posthorn, ids[0] ?? "")).status).toBe("SENT");
  first.answer = () => ACCEPTED;
  await minutes(posthorn, 1);
  await send(posthorn, "ada@example.com");
  await posthorn.settle();
  await sendMany(posthorn, 5);
  await posthorn.settle();
  expect(first.sent).toHaveLength(14);
});

test("a way that knows none of several domains is not used for a while", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  await addDomain(posthorn, "other.test");
  first.answer = () => NOT_KNOWN;
  for (const sender of ["shop@example.test", "shop@other.test", "shop@example.test", "shop@other.test"]) {
    await send(posthorn, "ada@example.com", sender);
    await posthorn.settle();
  }
  expect([first.sent.length, second.sent.length]).toEqual([3, 4]);
  expect(posthorn.logLines.filter((line) => line.includes("a sending route cannot be used"))).toHaveLength(1);
});

test("with a single way, mail whose sender it does not know waits, and other mail leaves", async () => {
  const { posthorn, first } = await started([]);
  await using _ = posthorn;
  await addDomain(posthorn, "other.test");
  first.answer = (message) => (from(message) === "example.test" ? NOT_KNOWN : ACCEPTED);
  const ids = await sendMany(posthorn, 30);
  const others = await sendMany(posthorn, 30, "shop@other.test");
  await posthorn.settle();
  for (const id of ids)
    expect(await mail(posthorn, id)).toMatchObject({ status: "QUEUED", error: expect.stringContaining(UNKNOWN) });
  for (const id of others) expect((await mail(posthorn, id)).status).toBe("SENT");
  first.answer = () => ACCEPTED;
  await minutes(posthorn, 20);
  for (const id of ids) expect((await mail(posthorn, id)).status).toBe("SENT");
});

test("mail of a rule whose ways do not know its sender waits, though another way would take it", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  const owner = await somebody(posthorn, "OWNER");
  const rules = [{ name: "Own", ways: [{ name: "default" }], others: false }];
  expect((await owner.ask("PUT /installation/way-rules", { body: { rules } })).status).toBe(200);
  await posthorn.settle();
  first.answer = () => NOT_KNOWN;
  const ids = await sendMany(posthorn, 10);
  await posthorn.settle();
  await minutes(posthorn, 2);
  expect(second.sent).toEqual([]);
  expect(first.sent.length).toBeLessThan(30);
  for (const id of ids) expect((await mail(posthorn, id)).status).toBe("QUEUED");
  first.answer = () => ACCEPTED;
  await minutes(posthorn, 20);
  for (const id of ids) expect((await mail(posthorn, id)).status).toBe("SENT");
});

test("what a recipient's server may have said of the sender is tried again by the schedule", async () => {
  const { posthorn, first } = await started([]);
  await using _ = posthorn;
  first.answer = () => ({ kind: "failed", reply: "550 Sender verify failed", phase: "rcpt" });
  const id = await send(posthorn, "ada@example.com");
  await posthorn.settle();
  expect(await mail(posthorn, id)).toMatchObject({ status: "QUEUED", attempts: 1 });
});

test.each(["mail", "rcpt", "data"] as const)(
  "a real relay that refuses the sender at %s destroys no mail",
  async (step) => {
    await using relay = await startRelay({
      script: { [step]: "553 5.7.1 Sender address rejected: not owned by user" },
    });
    const transport = relayAt(relay.port);
    const { posthorn, first } = await started([]);
    await using _ = posthorn;
    first.answer = (message) => transport.send(message);
    const id = await send(posthorn, "ada@example.com");
    await posthorn.settle();
    expect(await mail(posthorn, id)).toMatchObject({
      status: "QUEUED",
      error: expect.stringContaining("not owned by user"),
    });
    await transport.close();
  },
);

test.each([[[BACKUP]], [[]]])(
  "mail of a provider that ends sessions waits, and all other mail leaves: %#",
  async (ways) => {
    const { posthorn, first, second } = await started(ways);
    await using _ = posthorn;
    const busy: HandoverOutcome = {
      kind: "later",
      reply: "421 RP-001 (x) Unfortunately, some messages weren't sent",
      phase: "rcpt",
    };
    const isTheirs = (address: string) => /@(outlook|hotmail|live|msn)\.com$/.test(address);
    first.answer = ({ envelope }) => (isTheirs(envelope.recipient) ? busy : ACCEPTED);
    const domains = ["outlook.com", "hotmail.com", "live.com", "msn.com"];
    for (let n = 0; n < 40; n++) await send(posthorn, `a${n}@${domains[n % 4]}`);
    const others = await sendMany(posthorn, 60);
    await posthorn.settle();
    for (const id of others) expect((await mail(posthorn, id)).status).toBe("SENT");
    expect(second.sent).toEqual([]);
    expect(posthorn.logLines.filter((line) => line.includes("a sending route cannot be used"))).toEqual([]);
  },
);

test("a refusal for policy reasons at the end of a message closes no way", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  const policy: HandoverOutcome = {
    kind: "failed",
    reply: "554 5.7.9 Message not accepted for policy reasons",
    phase: "data",
  };
  first.answer = ({ envelope }) => (envelope.recipient.endsWith("@yahoo.com") ? policy : ACCEPTED);
  for (let n = 0; n < 6; n++) await send(posthorn, `a${n}@yahoo.com`);
  await sendMany(posthorn, 5);
  await posthorn.settle();
  expect([first.sent.length, second.sent.length]).toEqual([11, 0]);
});

test("a way that was closed is tried with mail of other receivers first", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  const denied: HandoverOutcome = { kind: "failed", reply: "550 5.7.1 Relaying denied", phase: "rcpt" };
  const isTheirs = (address: string) => /@closed\d\.example$/.test(address);
  first.answer = ({ envelope }) => (isTheirs(envelope.recipient) ? denied : ACCEPTED);
  for (let n = 0; n < 12; n++) await send(posthorn, `a${n}@closed${n % 3}.example`);
  await posthorn.settle();
  expect(second.sent).toHaveLength(12);
  posthorn.clock.advance(2_000);
  await posthorn.settle();
  const asked = first.sent.length;
  await send(posthorn, "b@closed1.example");
  await send(posthorn, "ada@example.com");
  await posthorn.settle();
  expect(first.recipients.slice(asked)).toEqual(["ada@example.com"]);
  expect(second.recipients.slice(12)).toEqual(["b@closed1.example"]);
});
