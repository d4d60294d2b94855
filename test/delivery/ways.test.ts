// Several ways out: mail goes by the first one that works, and no mail goes by two.
import { expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import type { WaySettings } from "../../src/base/config/ways.ts";
import { carriersHere } from "../../src/sending/carrier/carriers.ts";
import { memoryOf } from "../../src/sending/open-ways/health/connections.ts";
import { OpenWay } from "../../src/sending/open-ways/open-way.ts";
import { WayChoice } from "../../src/sending/open-ways/way-choice.ts";
import { recordSettings } from "../../src/tenant/domains/dns-records.ts";
import { createLog } from "../../src/base/log.ts";
import type { HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import { TestClock } from "../support/clock.ts";
import { freshDirectory } from "../support/database.ts";
import { startPosthorn, type Posthorn, type StartOptions } from "../support/posthorn.ts";
import { RecordingTransport } from "../support/transport.ts";

const BACKUP: WaySettings = {
  name: "backup",
  kind: "smtp",
  ratePerSecond: 0,
  burst: 1,
  concurrency: 10,
  price: null,
  relay: { ...DEFAULTS.relay, host: "smtp.backup.example" },
  ses: DEFAULTS.ses,
};
const ACCEPTED: HandoverOutcome = { kind: "accepted", reply: "250 2.0.0 Ok" };
const AWAY: HandoverOutcome = { kind: "unreachable", reply: "connect ECONNREFUSED 192.0.2.9:587" };

type Pair = { readonly posthorn: Posthorn; readonly first: RecordingTransport; readonly second: RecordingTransport };

async function started(options: StartOptions & { readonly ways?: readonly WaySettings[] } = {}): Promise<Pair> {
  const [first, second] = [new RecordingTransport(), new RecordingTransport()];
  const { ways = [BACKUP], ...rest } = options;
  const posthorn = await startPosthorn({
    ...rest,
    transport: first,
    wayTransports: { backup: second },
    config: {
      http: { baseUrl: "https://mail.example.com" },
      delivery: { transport: "smtp" },
      relay: { host: "smtp.example.com" },
      ways,
    },
  });
  return { posthorn, first, second };
}

async function send(posthorn: Posthorn, to = "ada@example.com"): Promise<string> {
  const { body } = await posthorn.call("POST /v1/send", {
    to,
    from: "shop@example.test",
    subject: "Hi",
    body: "<p>Hi",
  });
  return body.data.emails[0].email;
}

const mail = async (posthorn: Posthorn, id: string) => (await posthorn.call(`GET /emails/${id}`)).body;

async function minutes(posthorn: Posthorn, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    posthorn.clock.advance(MINUTE_MS);
    await posthorn.settle();
  }
}

function goesAway(transport: RecordingTransport, outcome = AWAY): void {
  transport.answer = () => outcome;
  transport.fault = outcome.reply;
}

function comesBack(transport: RecordingTransport): void {
  transport.answer = () => ACCEPTED;
  transport.fault = null;
}

test("mail leaves by the default way as long as it works", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  for (let n = 0; n < 5; n++) await send(posthorn);
  await posthorn.settle();
  expect([first.sent.length, second.sent.length]).toEqual([5, 0]);
});

test("what the default way cannot take leaves by the next one at once, and no attempt is used up", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  goesAway(first);
  const ids = [];
  for (let n = 0; n < 30; n++) ids.push(await send(posthorn));
  await posthorn.settle();
  expect(second.sent.map(({ id }) => id).sort()).toEqual(ids.sort());
  const sent = await mail(posthorn, ids[0] ?? "");
  expect([sent.status, sent.attempts]).toEqual(["SENT", 1]);
  expect(JSON.stringify(sent)).toContain("backup: smtp.backup.example");
  expect(posthorn.logLines.filter((line) => line.includes("a sending route cannot be used"))).toHaveLength(1);
});

test("a way that is back is used again, and a mail has shown that before all others follow", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  goesAway(first);
  await send(posthorn);
  await posthorn.settle();
  await minutes(posthorn, 3);
  comesBack(first);
  await minutes(posthorn, 2);
  const tried = first.sent.length;
  for (let n = 0; n < 10; n++) await send(posthorn);
  await posthorn.settle();
  await minutes(posthorn, 1);
  for (let n = 0; n < 10; n++) await send(posthorn);
  await posthorn.settle();
  expect(first.sent.length - tried).toBeGreaterThanOrEqual(11);
  expect(first.sent.length - tried + second.sent.length).toBe(21);
});

test("a mail whose fate is unknown stays with its way, however long that is away", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  goesAway(first, { kind: "unanswered", reply: "No answer came" });
  const id = await send(posthorn);
  await posthorn.settle();
  expect((await mail(posthorn, id)).status).toBe("PERHAPS_DELIVERED");
  goesAway(first);
  await send(posthorn, "bob@example.com");
  await posthorn.settle();
  for (let hour = 0; hour < 5; hour++) {
    posthorn.clock.advance(HOUR_MS);
    await posthorn.settle();
  }
  expect(second.recipients).toEqual(["bob@example.com"]);
  comesBack(first);
  await minutes(posthorn, 5);
  expect(second.recipients).toEqual(["bob@example.com"]);
  expect((await mail(posthorn, id)).status).toBe("SENT");
});

test.each([
  "535 5.7.8 Authentication credentials invalid",
  "550 5.7.1 Your account has been suspended",
  "452 4.3.1 Daily sending quota exceeded",
  "550 5.7.1 Relaying denied",
])("a refusal of the account, not of the mail, sends it by the next way: %s", async (reply) => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  first.answer = () => ({ kind: reply.startsWith("4") ? "later" : "failed", reply });
  for (let n = 0; n < 20; n++) await send(posthorn, `a${n}@example.com`);
  await posthorn.settle();
  expect(second.sent).toHaveLength(20);
  await send(posthorn, "last@example.com");
  const asked = first.sent.length;
  await posthorn.settle();
  expect([second.sent.length, first.sent.length]).toEqual([21, asked]);
});

test.each<HandoverOutcome>([
  { kind: "bounced", reply: "550 5.1.1 No such user" },
  { kind: "failed", reply: "554 5.7.1 This message is spam" },
  { kind: "later", reply: "452 4.2.2 Mailbox over quota" },
])("a refusal of the mail goes by no other way: %p", async (outcome) => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  first.answer = () => outcome;
  for (let n = 0; n < 5; n++) await send(posthorn, `a${n}@example.com`);
  await posthorn.settle();
  expect([first.sent.length, second.sent.length]).toEqual([5, 0]);
});

test("what a way hung up on goes by the next one at once, and a way that hangs up on every mail is not used", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  first.answer = () => ({ kind: "later", reply: "The connection was lost", isLost: true });
  const ids = [];
  for (let n = 0; n < 20; n++) ids.push(await send(posthorn, `a${n}@example.com`));
  await posthorn.settle();
  expect(second.sent).toHaveLength(20);
  expect(await mail(posthorn, ids[0] ?? "")).toMatchObject({ status: "SENT", attempts: 1 });
  const asked = first.sent.length;
  await send(posthorn, "last@example.com");
  await posthorn.settle();
  expect([second.sent.length, first.sent.length]).toEqual([21, asked]);
});

test("what a way will not have, while the next one has no slot, is not offered to it again and again", async () => {
  const { posthorn, first, second } = await started({ ways: [{ ...BACKUP, ratePerSecond: 1 }] });
  await using _ = posthorn;
  const isRefused = (recipient: string) => recipient.startsWith("refused");
  first.answer = ({ envelope }) =>
    isRefused(envelope.recipient) ? { kind: "failed", reply: "550 5.7.1 Relaying denied" } : ACCEPTED;
  for (let n = 0; n < 2; n++) await send(posthorn, `refused${n}@example.com`);
  await posthorn.settle();
  expect(first.sent).toHaveLength(2);
  await send(posthorn, "ada@example.com");
  await posthorn.settle();
  expect(first.sent).toHaveLength(3);
  await minutes(posthorn, 2);
  expect(second.recipients.toSorted()).toEqual(["refused0@example.com", "refused1@example.com"]);
});

test("if every way refuses the account, the mail waits, and says why", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  for (const way of [first, second]) way.answer = () => ({ kind: "failed", reply: "550 5.7.1 Relaying denied" });
  const id = await send(posthorn);
  await posthorn.settle();
  expect([first.sent.length, second.sent.length]).toEqual([1, 1]);
  expect(await mail(posthorn, id)).toMatchObject({
    ...{ status: "QUEUED", attempts: 0 },
    error: expect.stringContaining("550 5.7.1 Relaying denied"),
  });
});

test("while every way is away mail waits, and leaves by the first that is back", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  goesAway(first);
  goesAway(second);
  const id = await send(posthorn);
  await posthorn.settle();
  await minutes(posthorn, 10);
  expect(await mail(posthorn, id)).toMatchObject({ status: "QUEUED", attempts: 0 });
  const tried = second.sent.length;
  comesBack(second);
  await minutes(posthorn, 2);
  expect(second.sent).toHaveLength(tried + 1);
  expect(await mail(posthorn, id)).toMatchObject({ status: "SENT", attempts: 1 });
});

test("an unsubscribe between two ways wins", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  await posthorn.call("PATCH /workspace", { postalAddress: "1 Main Street" });
  await posthorn.call("POST /contacts", { email: "ada@example.com", subscribed: true });
  const template = await posthorn.call("POST /templates", {
    ...{ name: "News", subject: "News", body: "<p>News</p>", type: "MARKETING", from: "shop@example.test" },
  });
  first.answer = async () => {
    await posthorn.call("POST /contacts", { email: "ada@example.com", subscribed: false });
    return AWAY;
  };
  const { body } = await posthorn.call("POST /v1/send", { to: "ada@example.com", template: template.body.id });
  await posthorn.settle();
  expect(second.sent).toEqual([]);
  expect((await mail(posthorn, body.data.emails[0].email)).status).toBe("SKIPPED");
});

function twoWays() {
  const clock = new TestClock();
  const log = createLog({ level: "error", format: "text", clock, write: () => undefined });
  const wayNamed = (name: string) =>
    new OpenWay({
      ...{ name, log, clock, transport: "smtp", relay: null, concurrency: 2, pace: null, hop: 1, sentAlong: null },
      ...{ rewrittenFields: [], isOneOfSeveral: true, isStrict: false, memory: memoryOf(1_000_000) },
      carriers: carriersHere(new RecordingTransport()),
    });
  const [first, second] = [wayNamed("default"), wayNamed("backup")];
  return { clock, first, second };
}

test("a way that is back has one mail at a time, from the claim on", async () => {
  const { clock, first, second } = twoWays();
  const ways = new WayChoice([first, second]);
  await first.use("example.com", async () => ({ outcome: AWAY, subject: "" }));
  clock.advance(2_000);
  const known = Promise.withResolvers<void>();
  first.look(clock.monotonicMs(), known.resolve);
  await known.promise;
  expect(ways.current(clock.monotonicMs())).toBe(first);
  const waitsForConnection = Promise.withResolvers<void>();
  const had = first.has(() => waitsForConnection.promise);
  expect([first.most, ways.current(clock.monotonicMs())]).toEqual([0, second]);
  waitsForConnection.resolve();
  await had;
  expect(first.most).toBe(1);
});

test("mail goes by the next way while one says nothing for 15 seconds, and by that one once it answers", async () => {
  const { clock, first, second } = twoWays();
  const ways = new WayChoice([first, second]);
  const answer = Promise.withResolvers<{ outcome: HandoverOutcome; subject: string }>();
  const used = first.use("example.com", () => answer.promise);
  clock.advance(14_000);
  expect(ways.current(clock.monotonicMs())).toBe(first);
  clock.advance(2_000);
  expect([ways.current(clock.monotonicMs()), first.state.isStalled]).toEqual([second, true]);
  answer.resolve({ outcome: ACCEPTED, subject: "" });
  await used;
  expect(ways.current(clock.monotonicMs())).toBe(first);
});

test.each<[string, HandoverOutcome]>([
  ["is away", AWAY],
  ["refuses the account", { kind: "failed", reply: "550 5.7.1 Relaying denied" }],
])("what the way before had in hand keeps to the pace of the next one, where that one %s", async (_, outcome) => {
  const { posthorn, first, second } = await started({ ways: [{ ...BACKUP, ratePerSecond: 10 }] });
  await using __ = posthorn;
  goesAway(first, outcome);
  const ids = [];
  for (let n = 0; n < 9; n++) ids.push(await send(posthorn));
  const counts = [];
  for (let tenth = 0; tenth < 14; tenth++) {
    await posthorn.settle();
    counts.push(second.sent.length);
    posthorn.clock.advance(100);
  }
  // The first few refusals may have been about the email.
  posthorn.clock.advance(5_000);
  await posthorn.settle();
  expect(second.sent.map(({ id }) => id).sort()).toEqual(ids.sort());
  for (const [tenth, count] of counts.entries()) expect(count).toBeLessThanOrEqual(tenth + 1);
  expect((await mail(posthorn, ids[8] ?? "")).attempts).toBe(1);
});

test("what a way may have that is gone from the configuration goes by the default one", async () => {
  const directory = freshDirectory();
  const clock = new TestClock();
  const options = { dataDir: directory.path, clock };
  let id = "";
  {
    const { posthorn, first, second } = await started(options);
    await using _ = posthorn;
    goesAway(first);
    second.answer = () => ({ kind: "unanswered", reply: "No answer came" });
    id = await send(posthorn);
    await posthorn.settle();
    expect((await mail(posthorn, id)).status).toBe("PERHAPS_DELIVERED");
  }
  const other = { ...BACKUP, name: "other" };
  const { posthorn, first } = await started({ ...options, ways: [other] });
  await using _ = posthorn;
  clock.advance(2 * HOUR_MS);
  await posthorn.settle();
  expect(first.sent.map((message) => message.id)).toEqual([id]);
  directory.remove();
});

test("who looks sees which way is away, and why", async () => {
  const { posthorn, first } = await started();
  await using _ = posthorn;
  goesAway(first);
  await send(posthorn);
  await posthorn.settle();
  const { relay } = (await posthorn.call("GET /queue")).body;
  expect(relay.state).toBe("ANSWERING");
  expect(relay.ways).toMatchObject([
    { name: "default", place: "smtp.example.com:587", state: "AWAY", circuit: "OPEN", reply: AWAY.reply },
    { name: "backup", place: "smtp.backup.example:587", state: "ANSWERING", circuit: "CLOSED", isStalled: false },
  ]);
  const { attention } = (await posthorn.call("GET /overview")).body;
  expect(attention).toContainEqual(expect.objectContaining({ kind: "WAY_AWAY", name: "default", reply: AWAY.reply }));
  expect((await posthorn.call("GET /ready")).body).toMatchObject({ relay: "ANSWERING", waysAway: ["default"] });
});

test("the SPF record allows every way", () => {
  const settings = recordSettings(DEFAULTS, [
    { kind: "smtp", relay: { host: "smtp.postmarkapp.com", port: 587 } },
    BACKUP,
    { ...BACKUP, name: "ireland", kind: "ses" },
  ]);
  expect(settings.spfTerm).toBe("include:spf.mtasv.net include:amazonses.com");
});

test("a way that defers every email is not used until it takes an email", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  first.answer = () => ({ kind: "later", reply: "451 4.3.0 Try again later" });
  for (let n = 0; n < 30; n++) await send(posthorn, `a${n}@domain${n % 4}.example`);
  await posthorn.settle();
  for (let n = 0; n < 10; n++) await send(posthorn, `b${n}@example.com`);
  await posthorn.settle();
  expect(second.recipients.filter((address) => address.startsWith("b"))).toHaveLength(10);
  // All of them leave, though the first way still takes nothing.
  for (let hour = 0; hour < 20; hour++) {
    posthorn.clock.advance(HOUR_MS);
    await posthorn.settle();
  }
  expect(new Set(second.recipients).size).toBe(40);
  expect((await posthorn.call("GET /queue")).body.relay.ways[0].circuit).not.toBe("CLOSED");
});

test("a recipient's server that defers everything is not the way's fault", async () => {
  const { posthorn, first, second } = await started();
  await using _ = posthorn;
  first.answer = ({ envelope }) =>
    envelope.recipient.endsWith("@slow.example") ? { kind: "later", reply: "451 4.7.1 Greylisted" } : ACCEPTED;
  for (let n = 0; n < 40; n++) await send(posthorn, `a${n}@slow.example`);
  await posthorn.settle();
  expect([first.sent.length, second.sent.length]).toEqual([40, 0]);
});

test("a way that is back counts as answering, though no email has gone by it yet", async () => {
  const { posthorn, first } = await started();
  await using _ = posthorn;
  goesAway(first);
  await send(posthorn);
  await posthorn.settle();
  comesBack(first);
  await minutes(posthorn, 2);
  expect((await posthorn.call("GET /queue")).body.relay.ways[0]).toMatchObject({
    state: "ANSWERING",
    circuit: "HALF_OPEN",
  });
  expect((await posthorn.call("GET /ready")).body.waysAway).toEqual([]);
});
