// A clock that is suddenly far ahead: what goes by the date waits until the clock has agreed with itself for an hour,
// or somebody says so.
import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from "../../src/base/clock.ts";
import { addReaders, write } from "../support/campaigns.ts";
import { cliBeside } from "../support/cli.ts";
import { TestClock } from "../support/clock.ts";
import { freshDirectory } from "../support/database.ts";
import { startPosthorn, type Json, type Posthorn, type StartOptions } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";
import { addTemplate, addWorkflow, track } from "../support/workflows.ts";

const YEARS_MS = 3 * 365 * DAY_MS;

async function send(posthorn: Posthorn, to: string, more: object = {}): Promise<void> {
  const body = { to, from: "hello@example.test", subject: "Hi", body: "<p>Hi</p>", ...more };
  expect((await ask(posthorn, "POST /v1/send", { body })).status).toBe(200);
}

const kept = (posthorn: Posthorn) =>
  posthorn.store.read(async (reader) => {
    const count = async (rows: Promise<{ n: number } | null>) => (await rows)?.n ?? 0;
    return {
      mails: await count(reader.get`select count(*) as n from emails`),
      events: await count(reader.get`select count(*) as n from events`),
      keys: await count(reader.get`select count(*) as n from idempotency_keys`),
    };
  });

/** A mail that has left, with its key, and one that is scheduled for tomorrow. */
async function withPast(options: StartOptions = {}): Promise<Posthorn> {
  const posthorn = await startPosthorn({ ...options, config: { retention: RETENTION, ...options.config } });
  const headers = { "idempotency-key": "once" };
  const body = { to: "ada@example.com", from: "hello@example.test", subject: "Hi", body: "<p>Hi</p>" };
  expect((await ask(posthorn, "POST /v1/send", { body, headers })).status).toBe(200);
  await send(posthorn, "eve@example.com", { sendAt: iso(posthorn.clock.nowMs() + DAY_MS) });
  await posthorn.settle();
  return posthorn;
}
const RETENTION = { attemptDays: 30, eventDays: 30, bodyDays: 30, inboundDays: 30, mailDays: 30, recipientDays: 31 };

const said = (posthorn: Posthorn, words: string) => posthorn.logLines.filter((line) => line.includes(words)).length;

/** So much time, at whose end the loops look. */
async function later(posthorn: Posthorn, ms: number): Promise<void> {
  posthorn.clock.advance(ms);
  await posthorn.settle();
}

/** Time goes by as it does: the loops look every few minutes. */
async function pass(posthorn: Posthorn, ms: number): Promise<void> {
  for (let gone = 0; gone < ms; gone += 10 * MINUTE_MS) {
    posthorn.clock.advance(10 * MINUTE_MS);
    await posthorn.settle();
  }
}

test("A clock that jumps years ahead deletes nothing and sends nothing that was scheduled", async () => {
  await using posthorn = await withPast();
  const before = await kept(posthorn);
  posthorn.clock.jump(YEARS_MS);
  await pass(posthorn, 50 * MINUTE_MS);
  expect(await kept(posthorn)).toEqual(before);
  expect(posthorn.transport.recipients).toEqual(["ada@example.com"]);
  expect([said(posthorn, "THE CLOCK IS IN DOUBT"), said(posthorn, "the clock was set forward")]).toEqual([1, 1]);
});

test("Mail of the moment leaves as ever while the clock is in doubt", async () => {
  await using posthorn = await withPast();
  posthorn.clock.jump(YEARS_MS);
  await send(posthorn, "bob@example.com");
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual(["ada@example.com", "bob@example.com"]);
});

test("A request that is repeated while the clock is years ahead sends no second mail", async () => {
  await using posthorn = await withPast();
  posthorn.clock.jump(YEARS_MS);
  const headers = { "idempotency-key": "once" };
  const body = { to: "ada@example.com", from: "hello@example.test", subject: "Hi", body: "<p>Hi</p>" };
  // At once, before anybody has looked at the clock, and later.
  const atOnce = await ask(posthorn, "POST /v1/send", { body, headers });
  await pass(posthorn, 30 * MINUTE_MS);
  const later = await ask(posthorn, "POST /v1/send", { body, headers });
  expect([atOnce, later].map((one) => one.headers.get("idempotent-replayed"))).toEqual(["true", "true"]);
  expect(posthorn.transport.recipients).toEqual(["ada@example.com"]);
});

async function segment(posthorn: Posthorn, name: string, filter: object): Promise<void> {
  const condition = { logic: "AND", groups: [{ filters: [filter] }] };
  const body = { name, type: "DYNAMIC", trackMembership: true, condition };
  expect((await ask(posthorn, "POST /segments", { body })).status).toBe(201);
}

async function moves(posthorn: Posthorn): Promise<string[]> {
  return (await posthorn.eventNames()).filter((name) => name.startsWith("segment."));
}

test("Nobody leaves a segment with relative dates while the clock is in doubt; other segments go on", async () => {
  await using posthorn = await startPosthorn();
  await segment(posthorn, "New", { field: "createdAt", operator: "within", value: 30, unit: "days" });
  await addReaders(posthorn, 1);
  await pass(posthorn, 10 * MINUTE_MS);
  posthorn.clock.jump(YEARS_MS);
  await pass(posthorn, 50 * MINUTE_MS);
  await segment(posthorn, "All", { field: "subscribed", operator: "equals", value: true });
  await ask(posthorn, "POST /contacts", { body: { email: "late@example.com" } });
  await posthorn.settle();
  expect(await moves(posthorn)).toEqual(["segment.new.entry", "segment.new.entry", "segment.all.entry"]);
  await pass(posthorn, HOUR_MS);
  expect(await moves(posthorn)).toContain("segment.new.exit");
});

test("A domain whose record is gone keeps its days of grace, whatever the clock says meanwhile", async () => {
  const zones: Record<string, Zone> = {};
  await using posthorn = await startPosthorn({ resolver: new TableResolver(zones) });
  const { id, records } = (await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } })).body;
  zones[records[0].name] = { TXT: [records[0].value] };
  await ask(posthorn, `POST /domains/${id}/verify`);
  const isVerified = async () => (await ask(posthorn, `POST /domains/${id}/verify`)).body.verified;
  delete zones[records[0].name];
  expect(await isVerified()).toBe(true);
  posthorn.clock.jump(YEARS_MS);
  await pass(posthorn, 30 * MINUTE_MS);
  expect(await isVerified()).toBe(true);
  posthorn.clock.jump(-YEARS_MS);
  await posthorn.settle();
  await later(posthorn, 2 * DAY_MS);
  expect(await isVerified()).toBe(true);
  await later(posthorn, 1.1 * DAY_MS);
  expect(await isVerified()).toBe(false);
});

test("Days of grace that began by a clock far ahead begin anew once it is right", async () => {
  const zones: Record<string, Zone> = {};
  await using posthorn = await startPosthorn({ resolver: new TableResolver(zones) });
  const { id, records } = (await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } })).body;
  zones[records[0].name] = { TXT: [records[0].value] };
  const isVerified = async () => (await ask(posthorn, `POST /domains/${id}/verify`)).body.verified;
  expect(await isVerified()).toBe(true);
  posthorn.clock.jump(YEARS_MS);
  await posthorn.settle();
  delete zones[records[0].name];
  expect(await isVerified()).toBe(true);
  posthorn.clock.jump(-YEARS_MS);
  await posthorn.settle();
  expect(await isVerified()).toBe(true);
  await later(posthorn, 3.1 * DAY_MS);
  expect(await isVerified()).toBe(false);
});

test("A wait that began by a clock far ahead takes as long as it was meant to, once the clock is right", async () => {
  await using posthorn = await startPosthorn();
  const templateId = await addTemplate(posthorn);
  await addWorkflow(posthorn, [
    { type: "DELAY", name: "Wait", config: { amount: 3, unit: "days" } },
    { type: "SEND_EMAIL", name: "Welcome", config: { templateId } },
  ]);
  posthorn.clock.jump(YEARS_MS);
  await posthorn.settle();
  await track(posthorn, "signup");
  await posthorn.settle();
  posthorn.clock.jump(-YEARS_MS);
  await posthorn.settle();
  await later(posthorn, 2.9 * DAY_MS);
  expect(posthorn.transport.recipients).toEqual([]);
  await later(posthorn, 0.2 * DAY_MS);
  expect(posthorn.transport.recipients).toHaveLength(1);
});

test("Segments with relative dates are swept as before once a clock that was ahead is right", async () => {
  await using posthorn = await startPosthorn();
  await segment(posthorn, "New", { field: "createdAt", operator: "within", value: 1, unit: "hours" });
  await addReaders(posthorn, 1);
  await pass(posthorn, 10 * MINUTE_MS);
  posthorn.clock.jump(23 * HOUR_MS);
  await posthorn.settle();
  posthorn.clock.jump(-23 * HOUR_MS);
  await pass(posthorn, 10 * MINUTE_MS);
  expect(await moves(posthorn)).toEqual(["segment.new.entry", "segment.new.exit", "segment.new.entry"]);
});

test("Scheduled mail that the clock holds shows as held in the queue, and is no backlog", async () => {
  await using posthorn = await withPast({ config: { metrics: { path: "/metrics", token: null } } });
  posthorn.clock.jump(YEARS_MS);
  await posthorn.settle();
  const reasons = async () => (await ask(posthorn, "GET /queue")).body.reasons;
  const count = { count: 1, isLowerBound: false };
  expect(await reasons()).toEqual([{ reason: "CLOCK_IN_DOUBT", lane: "TRANSACTIONAL", count, nextAt: null }]);
  const held = async () => (await ask(posthorn, "GET /emails?status=QUEUED")).body.data.map((one: Json) => one.held);
  expect(await held()).toEqual(["CLOCK_IN_DOUBT"]);
  const metrics = await (await fetch(`${posthorn.server.url}/metrics`)).text();
  expect(metrics).toContain("\nposthorn_clock_in_doubt 1\n");
  expect(metrics).toContain('\nposthorn_due_oldest_seconds{queue="transactional"} 0\n');
  posthorn.clock.jump(-YEARS_MS);
  await posthorn.settle();
  expect((await reasons())[0]).toMatchObject({ reason: "SCHEDULED" });
  expect(await held()).toEqual([null]);
});

test("A clock that has agreed with itself for an hour is believed", async () => {
  await using posthorn = await withPast();
  posthorn.clock.jump(YEARS_MS);
  await pass(posthorn, 2 * HOUR_MS);
  expect(posthorn.transport.recipients).toEqual(["ada@example.com", "eve@example.com"]);
  expect(await kept(posthorn)).toMatchObject({ mails: 0, keys: 0 });
  expect(said(posthorn, "the clock is believed")).toBe(1);
});

test("Campaigns, waiting workflows and schedules do not begin early", async () => {
  await using posthorn = await startPosthorn();
  await addReaders(posthorn, 1);
  const later = iso(posthorn.clock.nowMs() + 2 * DAY_MS);
  const campaign = await write(posthorn);
  await ask(posthorn, `POST /campaigns/${campaign}/send`, { body: { scheduledFor: later } });
  const templateId = await addTemplate(posthorn);
  await addWorkflow(posthorn, [
    { type: "DELAY", name: "Wait", config: { amount: 3, unit: "days" } },
    { type: "SEND_EMAIL", name: "Welcome", config: { templateId } },
  ]);
  await track(posthorn, "signup");
  await posthorn.settle();
  posthorn.clock.jump(YEARS_MS);
  await pass(posthorn, 50 * MINUTE_MS);
  expect(posthorn.transport.recipients).toEqual([]);
  await pass(posthorn, HOUR_MS);
  expect(posthorn.transport.recipients).toHaveLength(3);
});

test("A jump of less than a day is said, and holds nothing", async () => {
  await using posthorn = await withPast();
  posthorn.clock.jump(23 * HOUR_MS);
  await pass(posthorn, HOUR_MS);
  expect(posthorn.transport.recipients).toEqual(["ada@example.com", "eve@example.com"]);
  expect([said(posthorn, "the clock was set forward"), said(posthorn, "IN DOUBT")]).toEqual([1, 0]);
});

test("A second jump begins the hour anew", async () => {
  await using posthorn = await withPast();
  posthorn.clock.jump(YEARS_MS);
  await pass(posthorn, 50 * MINUTE_MS);
  posthorn.clock.jump(HOUR_MS);
  await pass(posthorn, 50 * MINUTE_MS);
  expect(posthorn.transport.recipients).toEqual(["ada@example.com"]);
});

test("A clock that is set right again is believed at once", async () => {
  await using posthorn = await withPast();
  const before = await kept(posthorn);
  posthorn.clock.jump(YEARS_MS);
  await pass(posthorn, 20 * MINUTE_MS);
  posthorn.clock.jump(-YEARS_MS);
  await posthorn.settle();
  expect(said(posthorn, "the clock is believed")).toBe(1);
  expect(said(posthorn, "the clock was set back")).toBe(1);
  expect(await kept(posthorn)).toEqual(before);
  await pass(posthorn, DAY_MS);
  expect(posthorn.transport.recipients).toEqual(["ada@example.com", "eve@example.com"]);
});

test("Days that the server has run through itself are in no doubt", async () => {
  await using posthorn = await withPast();
  posthorn.clock.advance(40 * DAY_MS);
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual(["ada@example.com", "eve@example.com"]);
  expect(said(posthorn, "CLOCK")).toBe(0);
});

test("A server that was off for a week goes on by itself after an hour, and says so", async () => {
  const directory = freshDirectory();
  try {
    const [dataDir, from] = [directory.path, "2026-03-01T09:00:00.000Z"];
    await (await withPast({ dataDir, clock: new TestClock(from) }))[Symbol.asyncDispose]();
    const clock = new TestClock(iso(Date.parse(from) + 7 * DAY_MS));
    await using posthorn = await startPosthorn({ dataDir, clock, config: { retention: RETENTION } });
    await pass(posthorn, 50 * MINUTE_MS);
    expect(posthorn.transport.recipients).toEqual([]);
    expect(said(posthorn, "THE CLOCK IS IN DOUBT")).toBe(1);
    await pass(posthorn, HOUR_MS);
    expect(posthorn.transport.recipients).toEqual(["eve@example.com"]);
    expect(said(posthorn, "the clock is believed")).toBe(1);
  } finally {
    directory.remove();
  }
});

/** A server on the data of `before`, by a clock that stands `aheadMs` from where the one before stood. */
async function restarted(before: Posthorn, dataDir: string, aheadMs: number): Promise<Posthorn> {
  const clock = new TestClock(iso(before.clock.nowMs() + aheadMs));
  await before[Symbol.asyncDispose]();
  return startPosthorn({ dataDir, clock, config: { retention: RETENTION } });
}

/** The clock is wrong by `wrongMs` at the second start, and right at the third. */
async function onceWrong(wrongMs: number, work: (wrong: Posthorn) => Promise<unknown>, then: typeof work) {
  const directory = freshDirectory();
  try {
    const wrong = await restarted(await withPast({ dataDir: directory.path }), directory.path, wrongMs);
    await work(wrong);
    await using right = await restarted(wrong, directory.path, 10 * MINUTE_MS - wrongMs);
    await then(right);
  } finally {
    directory.remove();
  }
}

test("A clock that was wrong at a start and is right at the next one is in no doubt any more", async () => {
  await onceWrong(
    YEARS_MS,
    (wrong) => pass(wrong, 20 * MINUTE_MS),
    async (right) => {
      await right.settle();
      expect([said(right, "the clock is believed"), said(right, "IN DOUBT")]).toEqual([1, 0]);
      expect((await ask(right, "GET /overview")).body.attention).toEqual([]);
      await addReaders(right, 1);
      const soon = iso(right.clock.nowMs() + 15_000);
      const campaign = await write(right);
      await ask(right, `POST /campaigns/${campaign}/send`, { body: { scheduledFor: soon } });
      await send(right, "soon@example.com", { sendAt: soon });
      await later(right, 2_000);
      await send(right, "now@example.com");
      await right.settle();
      expect(right.transport.recipients).toEqual(["now@example.com"]);
      await later(right, 20_000);
      expect(right.transport.recipients).toHaveLength(3);
    },
  );
});

test("What a wrong clock at a start made wait is due once it is right at the next", async () => {
  await onceWrong(
    YEARS_MS,
    async (wrong) => {
      wrong.transport.answer = () => ({ kind: "later", transient: true, reply: "451 4.3.0 Later" });
      await send(wrong, "bob@example.com");
      await wrong.settle();
    },
    async (right) => {
      await later(right, 2_000);
      expect(right.transport.recipients).toEqual(["bob@example.com"]);
    },
  );
});

test("A doubt that goes on over a restart is said again, holds nothing at once, and ends after an hour", async () => {
  const directory = freshDirectory();
  try {
    const wrong = await restarted(await withPast({ dataDir: directory.path }), directory.path, YEARS_MS);
    await pass(wrong, 20 * MINUTE_MS);
    await using still = await restarted(wrong, directory.path, 5 * MINUTE_MS);
    await send(still, "now@example.com");
    await still.settle();
    expect([still.transport.recipients, said(still, "THE CLOCK IS IN DOUBT")]).toEqual([["now@example.com"], 1]);
    await pass(still, 2 * HOUR_MS);
    expect(still.transport.recipients).toEqual(["now@example.com", "eve@example.com"]);
  } finally {
    directory.remove();
  }
});

test("A clock behind the latest time seen is said, and is believed after an hour", async () => {
  await onceWrong(
    YEARS_MS,
    (wrong) => pass(wrong, 2 * HOUR_MS),
    async (right) => {
      await right.settle();
      expect(said(right, "The clock is behind")).toBe(1);
      const kinds = async () => (await ask(right, "GET /overview")).body.attention.map(({ kind }: Json) => kind);
      expect(await kinds()).toEqual(["CLOCK_BEHIND"]);
      await send(right, "now@example.com");
      await right.settle();
      expect(right.transport.recipients).toEqual(["now@example.com"]);
      await pass(right, 2 * HOUR_MS);
      expect(await kinds()).toEqual([]);
    },
  );
});

test("Somebody who has looked at the clock accepts it, and it is shown until then", async () => {
  await using posthorn = await withPast();
  // The command line goes by the clock on the wall.
  posthorn.clock.jump(Date.now() - posthorn.clock.nowMs());
  await posthorn.settle();
  const inDoubt = await cliBeside(posthorn, ["status"]);
  expect(inDoubt.out).toContain("The clock is in doubt");
  expect((await cliBeside(posthorn, ["doctor"])).out).toContain("The clock is in doubt");
  expect((await ask(posthorn, "GET /overview")).body.attention).toContainEqual({
    kind: "CLOCK_IN_DOUBT",
    since: expect.any(String),
    seenAt: expect.stringMatching(/^2026-03-01T09:00/),
  });
  expect((await cliBeside(posthorn, ["prune"])).err).toContain("The clock is in doubt");
  const accepted = await cliBeside(posthorn, ["clock", "accept"]);
  expect(accepted).toMatchObject({ code: 0, out: expect.stringContaining("is accepted") });
  posthorn.clock.advance(2_000);
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual(["ada@example.com", "eve@example.com"]);
  expect((await cliBeside(posthorn, ["status"])).out).not.toContain("The clock is in doubt");
});

test("Pauses and suppressions that only the jump has ended go on, and end in their time once the clock is right", async () => {
  await using posthorn = await startPosthorn();
  const [email, until] = ["ada@example.com", iso(posthorn.clock.nowMs() + 30 * DAY_MS)];
  const { id } = (await ask(posthorn, "POST /contacts", { body: { email } })).body;
  expect((await ask(posthorn, `PATCH /contacts/${id}`, { body: { pausedUntil: until } })).status).toBe(200);
  const suppression = { address: "eve@example.com", scope: "all", until };
  expect((await ask(posthorn, "POST /suppressions", { body: suppression })).status).toBeLessThan(300);
  const ends = async () => {
    const { data } = (await ask(posthorn, "GET /suppressions")).body;
    return [(await ask(posthorn, `GET /contacts/${id}`)).body.pausedUntil, ...data.map((one: Json) => one.until)];
  };
  await posthorn.settle();
  posthorn.clock.jump(YEARS_MS);
  await pass(posthorn, 20 * MINUTE_MS);
  expect(await ends()).toEqual([until, until]);
  posthorn.clock.jump(-YEARS_MS);
  await later(posthorn, MINUTE_MS);
  expect(await ends()).toEqual([until, until]);
  await later(posthorn, 31 * DAY_MS);
  expect(await ends()).toEqual([null]);
});
