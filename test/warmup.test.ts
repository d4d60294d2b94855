// Warm-up: a new sender domain sends mailbox providers a little more marketing mail each day.
import { expect, test } from "bun:test";
import { DEFAULTS } from "../src/base/config.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../src/base/clock.ts";
import type { HandoverOutcome } from "../src/sending/carrier/transport/transport.ts";
import { allowedOn, DEFAULT_PLAN, doneAtMs, dueBy, spread } from "../src/sending/warmup/plan.ts";
import { standingAt } from "../src/sending/warmup/later.ts";
import { addSent, lockMailbox } from "../src/sending/warmup/queries.ts";
import { faultIn } from "../src/sending/warmup/warmup.ts";
import { putOn } from "./support/brakes.ts";
import { send, write } from "./support/campaigns.ts";
import { firstOwner } from "./support/people.ts";
import { TableResolver } from "./support/resolver.ts";
import { RecordingTransport } from "./support/transport.ts";
import { startPosthorn, type Json, type Posthorn, type StartOptions } from "./support/posthorn.ts";
import { workspace } from "./support/workspace.ts";

const REFUSED: HandoverOutcome = { kind: "bounced", reply: "550 5.1.1 No such user" };

const started = (options: StartOptions = {}) =>
  startPosthorn({ config: { delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" } }, ...options });

async function addPeople(posthorn: Posthorn, count: number, domain: string): Promise<void> {
  const contacts = Array.from({ length: count }, (_, at) => ({ email: `p${at}@${domain}`, subscribed: true }));
  for (const contact of contacts) await posthorn.call("POST /contacts", contact);
}

async function sendCampaign(posthorn: Posthorn): Promise<void> {
  await send(posthorn, { from: "shop@example.test" });
}

async function domainOf(posthorn: Posthorn): Promise<string> {
  return (await posthorn.call("GET /domains")).body.data[0].id;
}

async function warmupOf(posthorn: Posthorn): Promise<Json> {
  return (await posthorn.call(`GET /domains/${await domainOf(posthorn)}/warmup`)).body;
}

async function doing(posthorn: Posthorn, what: string): Promise<number> {
  return (await posthorn.call(`POST /domains/${await domainOf(posthorn)}/warmup/${what}`)).status;
}

async function hours(posthorn: Posthorn, count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 0.5) {
    posthorn.clock.advance(HOUR_MS / 2);
    await posthorn.settle();
  }
}

const sentTo = (posthorn: Posthorn, domain: string) =>
  posthorn.transport.recipients.filter((one) => one.endsWith(`@${domain}`)).length;

test("a campaign of a new domain is spread over the days; recipients' own servers get it at once", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 80, "gmail.com");
  await addPeople(posthorn, 30, "example.com");
  expect(await warmupOf(posthorn)).toMatchObject({ state: "PLANNED", day: null });
  await sendCampaign(posthorn);
  await posthorn.settle();
  expect(sentTo(posthorn, "example.com")).toBe(30);
  expect(sentTo(posthorn, "gmail.com")).toBeGreaterThanOrEqual(10);
  expect(sentTo(posthorn, "gmail.com")).toBeLessThanOrEqual(13);
  const warmup = await warmupOf(posthorn);
  expect(warmup).toMatchObject({ state: "RUNNING", day: 1, today: [{ provider: "gmail", allowed: 50 }] });
  expect(Date.parse(warmup.doneAt) - posthorn.clock.nowMs()).toBeGreaterThan(DAY_MS);
  expect(Date.parse(warmup.doneAt) - posthorn.clock.nowMs()).toBeLessThan(2 * DAY_MS);
  await hours(posthorn, 23);
  expect(sentTo(posthorn, "gmail.com")).toBeLessThanOrEqual(50);
  expect(sentTo(posthorn, "gmail.com")).toBeGreaterThanOrEqual(47);
  await hours(posthorn, 24);
  expect(sentTo(posthorn, "gmail.com")).toBe(80);
}, 300_000);

test("transactional mail waits for no warm-up, and marketing mail gets what it has left", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 20, "gmail.com");
  await sendCampaign(posthorn);
  await posthorn.settle();
  const before = sentTo(posthorn, "gmail.com");
  for (let at = 0; at < 60; at++)
    await posthorn.call("POST /v1/send", {
      to: `t${at}@gmail.com`,
      from: "shop@example.test",
      subject: "Hi",
      body: "<p>Hi",
    });
  await posthorn.settle();
  expect(sentTo(posthorn, "gmail.com")).toBe(before + 60);
  await hours(posthorn, 22);
  expect(sentTo(posthorn, "gmail.com")).toBe(before + 60);
});

test("the most engaged people come first", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 30, "gmail.com");
  await posthorn.call("POST /v1/send", {
    to: "p29@gmail.com",
    from: "shop@example.test",
    subject: "Hi",
    body: "<p>Hi",
  });
  await posthorn.settle();
  await posthorn.store.write(
    (tx) => tx.run`update emails set opened_at = ${tx.now}, opens = 1 where to_address = 'p29@gmail.com'`,
  );
  posthorn.mailsAreMadeUp = true;
  posthorn.transport.sent.length = 0;
  await sendCampaign(posthorn);
  await posthorn.settle();
  await hours(posthorn, 3);
  expect(posthorn.transport.recipients).toContain("p29@gmail.com");
  expect(posthorn.transport.sent.length).toBeLessThan(25);
});

test("it halts by itself if too much bounces, says why, and goes on when a person says so", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 40, "gmail.com");
  await addPeople(posthorn, 60, "example.com");
  posthorn.transport.answer = ({ envelope }) =>
    /^p[0-4]@example/.test(envelope.recipient) ? REFUSED : { kind: "accepted", reply: "250 Ok" };
  await sendCampaign(posthorn);
  await posthorn.settle();
  await hours(posthorn, 1);
  const halted = await warmupOf(posthorn);
  expect(halted).toMatchObject({ state: "HALTED", reason: expect.stringContaining("bounced") });
  const { attention } = (await posthorn.call("GET /overview")).body;
  expect(attention).toContainEqual(expect.objectContaining({ kind: "WARMUP_HALTED", domain: "example.test" }));
  const before = sentTo(posthorn, "gmail.com");
  await hours(posthorn, 6);
  expect(sentTo(posthorn, "gmail.com")).toBe(before);
  expect(await doing(posthorn, "resume")).toBe(200);
  await hours(posthorn, 6);
  expect(await warmupOf(posthorn)).toMatchObject({ state: "RUNNING", reason: null });
  expect(sentTo(posthorn, "gmail.com")).toBeGreaterThan(before);
});

test("it can be paused, resumed, ended, and started again, and each is in the audit log", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 40, "gmail.com");
  await sendCampaign(posthorn);
  await posthorn.settle();
  expect(await doing(posthorn, "pause")).toBe(200);
  const before = sentTo(posthorn, "gmail.com");
  await hours(posthorn, 8);
  expect(sentTo(posthorn, "gmail.com")).toBe(before);
  expect(await doing(posthorn, "pause")).toBe(409);
  expect(await doing(posthorn, "skip")).toBe(200);
  await posthorn.settle();
  expect(sentTo(posthorn, "gmail.com")).toBe(40);
  expect(await doing(posthorn, "restart")).toBe(200);
  expect(await warmupOf(posthorn)).toMatchObject({ state: "RUNNING", day: 1 });
});

test("a plan can be changed, for each provider apart", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 40, "gmail.com");
  const id = await domainOf(posthorn);
  const { status } = await posthorn.call(`PUT /domains/${id}/warmup`, {
    days: [4, 8],
    providers: { gmail: [100, 200] },
  });
  expect(status).toBe(200);
  await sendCampaign(posthorn);
  await posthorn.settle();
  expect(sentTo(posthorn, "gmail.com")).toBe(25);
  await hours(posthorn, 12);
  expect(sentTo(posthorn, "gmail.com")).toBe(40);
});

test("each day has as many emails as its plan says, and the forecast holds", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 28, "gmail.com");
  await posthorn.call(`PUT /domains/${await domainOf(posthorn)}/warmup`, { days: [4, 8, 16, 32] });
  await sendCampaign(posthorn);
  await posthorn.settle();
  const doneMs = Date.parse((await warmupOf(posthorn)).doneAt);
  await hours(posthorn, 48.5);
  expect(sentTo(posthorn, "gmail.com")).toBeGreaterThanOrEqual(12);
  await hours(posthorn, 23.5);
  expect(sentTo(posthorn, "gmail.com")).toBe(28);
  expect(Math.abs(doneMs - posthorn.clock.nowMs())).toBeLessThan(2 * HOUR_MS);
}, 300_000);

test("two that begin with a provider at once share what it may get", async () => {
  await using posthorn = await started();
  const id = await domainOf(posthorn);
  await posthorn.call(`PUT /domains/${id}/warmup`, { days: [40] });
  const { seq = 0 } =
    (await posthorn.store.read((reader) => reader.get<{ seq: number }>`select seq from warmups`)) ?? {};
  const take = (count: number) =>
    posthorn.store.write(async (tx) => {
      const left = 10 - ((await lockMailbox(tx, seq, "gmail"))?.sent ?? 0);
      const taken = Math.min(left, count);
      await addSent(tx, { warmup: seq, mailbox: "gmail" }, taken, null);
      return taken;
    });
  expect((await Promise.all([take(8), take(8), take(8)])).reduce((sum, one) => sum + one)).toBe(10);
  expect(await posthorn.store.write((tx) => lockMailbox(tx, seq + 1, "gmail"))).toBe(null);
});

test("a plan for a provider that is not known is refused", async () => {
  await using posthorn = await started();
  const plan = { days: [4], providers: { gmial: [4] } };
  const { status, body } = await posthorn.call(`PUT /domains/${await domainOf(posthorn)}/warmup`, plan);
  expect(status).toBe(422);
  expect(body.error.message).toContain("providers.gmial");
});

test("the queue does not say that it will be empty in a moment while a warm-up keeps mail back", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 20, "gmail.com");
  await sendCampaign(posthorn);
  await posthorn.settle();
  const { body } = await posthorn.call("GET /queue");
  expect(body).toMatchObject({ doneInSeconds: null, reasons: [{ reason: "PROVIDER_PACE" }] });
});

test("the plan ends, and then nothing waits", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 12, "gmail.com");
  await posthorn.call(`PUT /domains/${await domainOf(posthorn)}/warmup`, { days: [4] });
  await sendCampaign(posthorn);
  await posthorn.settle();
  await hours(posthorn, 25);
  expect(await warmupOf(posthorn)).toMatchObject({ state: "DONE" });
  await posthorn.settle();
  expect(sentTo(posthorn, "gmail.com")).toBe(12);
});

test("a provider whose own plan is over gets what waits, while the others go on", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 10, "gmail.com");
  const days = { days: [4, 8, 16], providers: { gmail: [4] } };
  await posthorn.call(`PUT /domains/${await domainOf(posthorn)}/warmup`, days);
  await sendCampaign(posthorn);
  await posthorn.settle();
  await hours(posthorn, 25);
  expect(await warmupOf(posthorn)).toMatchObject({ state: "RUNNING", day: 2 });
  expect(sentTo(posthorn, "gmail.com")).toBe(10);
});

test("a day that was used up before a pause goes on and ends after it", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 10, "gmail.com");
  await posthorn.call(`PUT /domains/${await domainOf(posthorn)}/warmup`, { days: [1, 8, 8] });
  await sendCampaign(posthorn);
  await posthorn.settle();
  await doing(posthorn, "pause");
  expect(await doing(posthorn, "resume")).toBe(200);
  await hours(posthorn, 23);
  expect(sentTo(posthorn, "gmail.com")).toBe(1);
  await hours(posthorn, 24);
  expect(await warmupOf(posthorn)).toMatchObject({ day: 2 });
  expect(sentTo(posthorn, "gmail.com")).toBeGreaterThan(4);
});

test("a day that went by during a pause begins again", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 10, "gmail.com");
  await posthorn.call(`PUT /domains/${await domainOf(posthorn)}/warmup`, { days: [2, 8, 8] });
  await sendCampaign(posthorn);
  await posthorn.settle();
  await doing(posthorn, "pause");
  await hours(posthorn, 50);
  expect(await doing(posthorn, "resume")).toBe(200);
  await hours(posthorn, 2);
  expect(await warmupOf(posthorn)).toMatchObject({ day: 1, today: [{ sent: 1, allowed: 2 }] });
});

test("what did not get as far as to a server does not count", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 20, "gmail.com");
  posthorn.transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
  posthorn.transport.fault = "connect ECONNREFUSED";
  await sendCampaign(posthorn);
  await posthorn.settle();
  await hours(posthorn, 30);
  expect(await warmupOf(posthorn)).toMatchObject({ state: "RUNNING", day: 1, dayEndsAt: null, today: [{ sent: 0 }] });
});

test("who unsubscribes while waiting gets nothing, and does not count", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 30, "gmail.com");
  await sendCampaign(posthorn);
  await posthorn.settle();
  const { data } = (await posthorn.call("GET /contacts?limit=100")).body;
  for (const { id } of data)
    expect((await posthorn.call(`PATCH /contacts/${id}`, { subscribed: false })).body).toMatchObject({
      subscribed: false,
    });
  await hours(posthorn, 10);
  expect(sentTo(posthorn, "gmail.com")).toBe(12);
  expect(await warmupOf(posthorn)).toMatchObject({ today: [{ provider: "gmail", sent: 12 }] });
});

test("what bounces in the first minutes of a warm-up counts", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 60, "example.com");
  posthorn.clock.advance(5 * MINUTE_MS);
  posthorn.transport.answer = ({ envelope }) =>
    /^p[0-4]@/.test(envelope.recipient) ? REFUSED : { kind: "accepted", reply: "250 Ok" };
  await sendCampaign(posthorn);
  await posthorn.settle();
  await hours(posthorn, 1);
  expect(await warmupOf(posthorn)).toMatchObject({ state: "HALTED" });
});

test("it halts where everything is refused, and says of how many", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 60, "example.com");
  posthorn.transport.answer = ({ envelope }) =>
    /^p5\d@/.test(envelope.recipient) ? { kind: "accepted", reply: "250 Ok" } : REFUSED;
  await sendCampaign(posthorn);
  await posthorn.settle();
  await hours(posthorn, 0.5);
  expect(await warmupOf(posthorn)).toMatchObject({
    state: "HALTED",
    reason: "50 of 60 emails bounced: 83.3 %, and a warm-up may have up to 2 %.",
  });
});

test("the plan of a warm-up that is over may be shorter, and is begun with", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 2, "gmail.com");
  const plan = `PUT /domains/${await domainOf(posthorn)}/warmup`;
  await posthorn.call(plan, { days: [4, 4] });
  for (let day = 1; day <= 2; day++) {
    await sendCampaign(posthorn);
    await posthorn.settle();
    expect((await posthorn.call(plan, { days: [4] })).status).toBe(day === 1 ? 200 : 422);
    await posthorn.call(plan, { days: [4, 4] });
    await hours(posthorn, 25);
  }
  expect((await posthorn.call(plan, { days: [4] })).body).toMatchObject({ state: "DONE" });
  expect(await doing(posthorn, "restart")).toBe(200);
  expect(await warmupOf(posthorn)).toMatchObject({ state: "RUNNING", day: 1, plan: { days: [4] } });
});

test("an owner warms up a way out, for all that leaves by it", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 20, "gmail.com");
  const owner = await firstOwner(posthorn);
  const warmup = "/installation/ways/default/warmup";
  expect((await owner.ask(`GET ${warmup}`)).body).toMatchObject({ state: "NONE" });
  expect(await doing(posthorn, "skip")).toBe(200);
  const { status } = await owner.ask(`PUT ${warmup}`, { body: { days: [8, 16] } });
  expect(status).toBe(200);
  await sendCampaign(posthorn);
  await posthorn.settle();
  expect(sentTo(posthorn, "gmail.com")).toBe(2);
  expect((await owner.ask(`GET ${warmup}`)).body).toMatchObject({
    state: "RUNNING",
    today: [{ provider: "gmail", allowed: 8, waiting: 18 }],
  });
  expect((await owner.ask("GET /installation/ways/nowhere/warmup")).status).toBe(404);
  expect((await owner.ask(`POST ${warmup}/skip`)).status).toBe(200);
  await posthorn.settle();
  expect(sentTo(posthorn, "gmail.com")).toBe(20);
});

test("the warm-up of a way out halts by what became of its emails", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 60, "example.com");
  const owner = await firstOwner(posthorn);
  await owner.ask("POST /installation/ways/default/warmup/restart");
  posthorn.transport.answer = ({ envelope }) =>
    /^p[0-4]@/.test(envelope.recipient) ? REFUSED : { kind: "accepted", reply: "250 Ok" };
  await sendCampaign(posthorn);
  await posthorn.settle();
  await hours(posthorn, 1);
  expect((await owner.ask("GET /installation/ways/default/warmup")).body).toMatchObject({ state: "HALTED" });
});

test("the warm-up of one way holds up nothing that leaves by another", async () => {
  const second = new RecordingTransport();
  const relay = { ...DEFAULTS.relay, host: "smtp.new.example" };
  const way = {
    name: "new",
    kind: "smtp",
    ratePerSecond: 0,
    burst: 1,
    concurrency: 10,
    price: null,
    ses: DEFAULTS.ses,
  } as const;
  await using posthorn = await startPosthorn({
    wayTransports: { new: second },
    config: { delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" }, ways: [{ ...way, relay }] },
  });
  await addPeople(posthorn, 30, "gmail.com");
  const owner = await firstOwner(posthorn);
  expect(await doing(posthorn, "skip")).toBe(200);
  await owner.ask("PUT /installation/ways/new/warmup", { body: { days: [4, 8] } });
  await posthorn.settle();
  await sendCampaign(posthorn);
  await posthorn.settle();
  expect([posthorn.transport.sent.length, second.sent.length]).toEqual([30, 0]);
  posthorn.transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
  posthorn.transport.fault = "connect ECONNREFUSED";
  await sendCampaign(posthorn);
  await posthorn.settle();
  expect(second.sent.length).toBeGreaterThanOrEqual(1);
  expect(second.sent.length).toBeLessThanOrEqual(4);
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
  posthorn.transport.fault = null;
  await hours(posthorn, 1);
  expect(posthorn.transport.sent.length + second.sent.length).toBeGreaterThanOrEqual(60);
});

test("what leaves by another way after all takes nothing of the day of the first", async () => {
  const second = new RecordingTransport();
  const own = { name: "new", kind: "smtp", ratePerSecond: 0, burst: 1, concurrency: 10, price: null } as const;
  const way = { ...own, ses: DEFAULTS.ses, relay: { ...DEFAULTS.relay, host: "smtp.new.example" } };
  await using posthorn = await startPosthorn({
    wayTransports: { new: second },
    config: { delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" }, ways: [way] },
  });
  await addPeople(posthorn, 6, "gmail.com");
  const owner = await firstOwner(posthorn);
  expect(await doing(posthorn, "skip")).toBe(200);
  await owner.ask("PUT /installation/ways/default/warmup", { body: { days: [40, 80] } });
  await posthorn.settle();
  posthorn.transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
  posthorn.transport.fault = "connect ECONNREFUSED";
  await sendCampaign(posthorn);
  await posthorn.settle();
  await hours(posthorn, 1);
  expect(second.sent).toHaveLength(6);
  expect((await owner.ask("GET /installation/ways/default/warmup")).body.today).toEqual([]);
}, 300_000);

test("a campaign says when it will have left, before and while it is sent", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 90, "gmail.com");
  await addPeople(posthorn, 10, "example.com");
  const id = await write(posthorn, { from: "shop@example.test" });
  const forecast = async () => (await posthorn.call(`GET /campaigns/${id}/forecast`)).body.data;
  const days = (at: string) => (Date.parse(at) - posthorn.clock.nowMs()) / DAY_MS;
  const draft = await forecast();
  expect(draft).toMatchObject({ state: "PLANNED", providers: [{ provider: "gmail", people: 90 }], isEstimate: false });
  expect(days(draft.doneAt)).toBeCloseTo(1.8, 5);
  await posthorn.call(`POST /campaigns/${id}/send`);
  await posthorn.settle();
  const under = await forecast();
  expect(under).toMatchObject({ state: "RUNNING", providers: [{ provider: "gmail" }] });
  expect(days(under.doneAt)).toBeGreaterThan(1);
  await doing(posthorn, "pause");
  expect(await forecast()).toMatchObject({ state: "PAUSED", doneAt: null });
  await doing(posthorn, "skip");
  expect(await forecast()).toMatchObject({ state: "NONE", providers: [], doneAt: null });
});

test("a campaign has one time, of the slowest of all limits, with its name", async () => {
  const delivery = { transport: "smtp", ratePerSecond: 14 } as const;
  await using posthorn = await started({ config: { delivery, relay: { host: "smtp.example.com" } } });
  await addPeople(posthorn, 90, "gmail.com");
  await addPeople(posthorn, 50, "example.com");
  const id = await write(posthorn, { from: "shop@example.test" });
  const slowest = async () => (await posthorn.call(`GET /campaigns/${id}/forecast`)).body.data.slowest;
  const inMs = (at: string) => Date.parse(at) - posthorn.clock.nowMs();
  const warmUp = await slowest();
  expect(warmUp).toMatchObject({ limit: "WARM_UP", name: "example.test" });
  expect(inMs(warmUp.doneAt)).toBeGreaterThan(DAY_MS);
  expect(await doing(posthorn, "pause")).toBe(200);
  expect(await slowest()).toEqual({ limit: "WARM_UP", name: "example.test", doneAt: null });
  expect(await doing(posthorn, "skip")).toBe(200);
  const rate = await slowest();
  expect(rate).toMatchObject({ limit: "RATE", name: null });
  expect(inMs(rate.doneAt)).toBe(10_000);
  await putOn(posthorn, { mailbox: "gmail", perHour: 60 });
  const pace = await slowest();
  expect(pace).toMatchObject({ limit: "PROVIDER_PACE", name: "gmail" });
  expect(inMs(pace.doneAt)).toBe(1.5 * HOUR_MS);
  await putOn(posthorn, { mailbox: "example.com", perHour: 10 });
  expect(await slowest()).toMatchObject({ limit: "PROVIDER_PACE", name: "example.com" });
  await posthorn.call(`POST /campaigns/${id}/cancel`);
});

test("a scheduled campaign is forecast from its time, with the warm-up and the queue of that day", async () => {
  await using posthorn = await started();
  await addPeople(posthorn, 90, "gmail.com");
  const id = await write(posthorn, { from: "shop@example.test" });
  const inDays = (days: number) => new Date(posthorn.clock.nowMs() + days * DAY_MS).toISOString();
  const forecast = async (asked?: string) => {
    const query = asked === undefined ? "" : `?scheduledFor=${encodeURIComponent(asked)}`;
    return (await posthorn.call(`GET /campaigns/${id}/forecast${query}`)).body.data;
  };
  const days = ({ doneAt }: Json) => (Date.parse(doneAt) - posthorn.clock.nowMs()) / DAY_MS;
  expect(days(await forecast(inDays(3)))).toBeCloseTo(4.8, 5);
  await posthorn.call(`POST /campaigns/${id}/send`, { scheduledFor: inDays(3) });
  const scheduled = await forecast();
  expect(days(scheduled)).toBeCloseTo(4.8, 5);
  expect(days(scheduled.slowest)).toBeCloseTo(4.8, 5);
  // "Now" can be asked for as well, and what has gone by is now.
  expect(days(await forecast(inDays(0)))).toBeCloseTo(1.8, 5);
  expect(days(await forecast(inDays(-400)))).toBeCloseTo(1.8, 5);
  expect((await posthorn.call(`GET /campaigns/${id}/forecast?scheduledFor=soon`)).status).toBe(400);
  // Another campaign to the same people takes the first two days, so this one begins with the third.
  await sendCampaign(posthorn);
  await posthorn.settle();
  expect(days(await forecast())).toBeCloseTo(3.9, 5);
  await posthorn.call(`POST /campaigns/${id}/cancel`);
});

test("a scheduled campaign waits for a provider's pace from its time, behind what is still there then", async () => {
  const delivery = { transport: "smtp", ratePerSecond: 1 } as const;
  await using posthorn = await started({ config: { delivery, relay: { host: "smtp.example.com" } } });
  await addPeople(posthorn, 30, "gmail.com");
  await doing(posthorn, "skip");
  const id = await write(posthorn, { from: "shop@example.test" });
  const in6Hours = () => new Date(posthorn.clock.nowMs() + 6 * HOUR_MS).toISOString();
  await posthorn.call(`POST /campaigns/${id}/send`, { scheduledFor: in6Hours() });
  const slowest = async () => {
    const { limit, doneAt } = (await posthorn.call(`GET /campaigns/${id}/forecast`)).body.data.slowest;
    return [limit, (Date.parse(doneAt) - posthorn.clock.nowMs()) / HOUR_MS];
  };
  expect(await slowest()).toEqual(["RATE", 6 + 30 / 3_600]);
  await putOn(posthorn, { mailbox: "gmail", perHour: 10 });
  expect(await slowest()).toEqual(["PROVIDER_PACE", 9]);
  await posthorn.call(`POST /campaigns/${id}/cancel`);
});

test("a warm-up stands at a later day only if something waits until then", () => {
  const nowMs = Date.parse("2026-03-01T09:00:00Z");
  const standing = { plan: DEFAULT_PLAN, day: 1, dayBeganAt: "2026-03-01T09:00:00.000Z" };
  const at = (days: number, waiting: number, sent = 0) => {
    const counts = { sent: new Map([["gmail", sent]]), waiting: new Map([["gmail", waiting]]) };
    const then = standingAt({ ...standing, ...counts }, nowMs + days * DAY_MS, nowMs);
    return [then.day, then.dayBeganAt, then.sent.get("gmail") ?? 0, then.waiting.get("gmail") ?? 0] as unknown[];
  };
  expect(at(0.5, 0, 20)).toEqual([1, standing.dayBeganAt, 20, 0]);
  expect(at(9, 0, 20)).toEqual([2, null, 0, 0]);
  expect(at(9, 50)).toEqual([2, null, 0, 0]);
  expect(at(1.5, 70)).toEqual([2, "2026-03-02T09:00:00.000Z", 20, 0]);
  expect(at(1.5, 100)).toEqual([2, "2026-03-02T09:00:00.000Z", 25, 25]);
  expect(at(9, 240)).toEqual([5, null, 0, 0]);
  expect(at(2, 1_000)).toEqual([3, null, 0, 900]);
  const short = { ...standing, plan: { days: [50], providers: {} } };
  const over = { ...short, sent: new Map(), waiting: new Map([["gmail", 80]]) };
  expect(standingAt(over, nowMs + 3 * DAY_MS, nowMs)).toMatchObject({ day: 2, waiting: new Map([["gmail", 0]]) });
});

test("who says that a domain is warm already gives a reason, which the audit log keeps", async () => {
  await using posthorn = await started();
  const id = await domainOf(posthorn);
  const reason = "It has sent 40,000 a week by Mailchimp since 2023.";
  const skipped = (body: Json) => posthorn.call(`POST /domains/${id}/warmup/skip`, body);
  expect((await skipped({ reason: "" })).status).toBe(422);
  expect(await warmupOf(posthorn)).toMatchObject({ state: "PLANNED", reason: null });
  expect((await skipped({ reason })).body).toMatchObject({ state: "SKIPPED", reason });
  const owner = await firstOwner(posthorn);
  const { data } = (await owner.ask("GET /audit")).body;
  expect(data.find(({ action }: Json) => action === "skipDomainWarmup")).toMatchObject({ reason, target: id });
  expect(await doing(posthorn, "restart")).toBe(200);
  expect(await warmupOf(posthorn)).toMatchObject({ state: "RUNNING", reason: null });
  expect(await doing(posthorn, "skip")).toBe(200);
});

test("an email counts once, when it is taken, however often it is tried", async () => {
  const delivery = { transport: "smtp", retryScheduleSeconds: [3, 20, 60] } as const;
  await using posthorn = await workspace({ config: { delivery, relay: { host: "smtp.example.com" } } });
  const domain = await domainOf(posthorn);
  expect((await posthorn.call(`PUT /domains/${domain}/warmup`, { days: [40, 40, 80] })).status).toBe(200);
  await posthorn.settle();
  const full: HandoverOutcome = { kind: "later", reply: "452 4.2.2 The mailbox is over quota", transient: true };
  posthorn.transport.answer = (message) =>
    message.envelope.recipient === "full@gmail.com"
      ? full
      : message.envelope.recipient === "gone@gmail.com"
        ? REFUSED
        : { kind: "accepted", reply: "250 Ok" };
  const news = { name: "News", subject: "News", body: "<p>News", type: "MARKETING" };
  const template = (await posthorn.call("POST /templates", news)).body.id;
  const to = ["full@gmail.com", "gone@gmail.com", "one@gmail.com", "two@gmail.com"];
  for (const email of to) await posthorn.call("POST /contacts", { email, subscribed: true });
  for (const one of to) await posthorn.call("POST /v1/send", { to: one, from: "shop@example.test", template });
  for (let minutes = 0; minutes < 6 * 60; minutes += 10) {
    await posthorn.settle();
    posthorn.clock.advance(10 * MINUTE_MS);
  }
  await posthorn.settle();
  expect(sentTo(posthorn, "gmail.com")).toBe(4 + 3);
  expect((await warmupOf(posthorn)).today).toMatchObject([{ provider: "gmail", sent: 2, allowed: 40 }]);
}, 300_000);

test("the forecast counts people by the servers that keep their mailboxes, as the warm-up does", async () => {
  const resolver = new TableResolver({
    "company.example": { MX: ["aspmx.l.google.com"] },
    "firm.example": { MX: ["firm-example.mail.protection.outlook.com"] },
    "own.example": { MX: ["mx.own.example"] },
    "silent.example": "silence",
  });
  await using posthorn = await started({ resolver });
  await addPeople(posthorn, 3, "gmail.com");
  for (const domain of ["company.example", "firm.example", "own.example", "silent.example"])
    await addPeople(posthorn, 4, domain);
  const id = await write(posthorn, { from: "shop@example.test" });
  const { providers } = (await posthorn.call(`GET /campaigns/${id}/forecast`)).body.data;
  const counted = providers.map(({ provider, people }: Json) => [provider, people]);
  expect(new Map(counted)).toEqual(
    new Map([
      ["gmail", 7],
      ["outlook", 4],
    ]),
  );
});

test("a new domain has none where that is switched off", async () => {
  const delivery = { transport: "smtp", warmUp: false } as const;
  await using posthorn = await started({ config: { delivery, relay: { host: "smtp.example.com" } } });
  await addPeople(posthorn, 40, "gmail.com");
  expect(await warmupOf(posthorn)).toMatchObject({ state: "NONE" });
  await sendCampaign(posthorn);
  await posthorn.settle();
  expect(sentTo(posthorn, "gmail.com")).toBe(40);
});

test("the default plan begins with fifty and doubles each two days", () => {
  expect([1, 2, 3, 4, 5].map((day) => allowedOn(DEFAULT_PLAN, "gmail", day))).toEqual([50, 50, 100, 100, 200]);
  expect(allowedOn(DEFAULT_PLAN, "gmail", 23)).toBe(null);
  const { burst, intervalMs } = spread(50);
  expect(burst + (23 * HOUR_MS) / intervalMs).toBe(50);
});

test("a day's emails become due one after the other, and the last an hour before the day ends", () => {
  expect([0, 1, 11.5, 22.9, 23, 30].map((hours) => dueBy(50, hours * HOUR_MS).count)).toEqual([12, 13, 31, 49, 50, 50]);
  expect(dueBy(1, 0)).toEqual({ count: 1, nextInMs: Infinity });
  expect(dueBy(2, 0)).toEqual({ count: 1, nextInMs: 23 * HOUR_MS });
  expect(dueBy(2, 22 * HOUR_MS)).toEqual({ count: 1, nextInMs: HOUR_MS });
  expect(dueBy(50, -HOUR_MS).count).toBe(12);
});

test("a forecast adds up the days", () => {
  const nowMs = Date.parse("2026-03-01T09:00:00Z");
  const standing = { plan: DEFAULT_PLAN, day: 1, dayBeganAt: "2026-03-01T09:00:00.000Z", sent: 0 };
  const inDays = (waiting: number, sent = 0) =>
    (doneAtMs({ ...standing, sent }, "gmail", waiting, nowMs) - nowMs) / DAY_MS;
  expect(inDays(0)).toBe(0);
  expect(inDays(25)).toBe(0.5);
  expect(inDays(100)).toBe(2);
  expect(inDays(150)).toBe(2.5);
  expect(inDays(50, 50)).toBe(2);
  expect(doneAtMs({ ...standing, plan: { days: [50], providers: {} } }, "gmail", 1_000, nowMs)).toBe(nowMs + DAY_MS);
});

test("few emails say nothing about a domain", () => {
  expect(faultIn({ sent: 49, bounced: 20, complained: 5 })).toBe(null);
  expect(faultIn({ sent: 100, bounced: 2, complained: 1 })).toBe(null);
  expect(faultIn({ sent: 100, bounced: 3, complained: 0 })).toContain("3.0 %");
  expect(faultIn({ sent: 1_000, bounced: 0, complained: 2 })).toContain("0.2 %");
});
