// An endpoint that fails for days is switched off, and what it missed is replayed.
import { afterEach, expect, test } from "bun:test";
import { newId } from "../../src/base/ids.ts";
import { createLog } from "../../src/base/log.ts";
import { holdAll, releaseAll } from "../../src/store/hold.ts";
import { endpointSender } from "../../src/programs/webhooks/endpoints/sender.ts";
import { WebhookLoop } from "../../src/programs/webhooks/sending/loop.ts";
import { somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { Receiver } from "../support/receiver.ts";
import { ask } from "../support/scenario.ts";
import { DAY, HOUR, MINUTE, track } from "../support/workflows.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const receivers: Receiver[] = [];
afterEach(() => receivers.splice(0).forEach((one) => one.stop()));

function receiver(status = 200): Receiver {
  const one = new Receiver();
  one.answer = () => new Response("", { status });
  receivers.push(one);
  return one;
}

function open(delivery: object = {}, more: object = {}): Promise<Posthorn> {
  const webhooks = { allow: ["127.0.0.1"], timeoutSeconds: 1, ...more };
  return workspace({ config: { webhooks, delivery, relay: { host: "relay.example" } } });
}

async function add(posthorn: Posthorn, there: Receiver, changes: object = {}): Promise<Json> {
  return (await ask(posthorn, "POST /webhooks", { body: { url: there.url, events: ["event.tracked"], ...changes } }))
    .body;
}

const look = async (posthorn: Posthorn, { id }: Json): Promise<Json> =>
  (await ask(posthorn, `GET /webhooks/${id}`)).body;
const names = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body).data.name).sort();
const replay = (posthorn: Posthorn, { id }: Json, body: object) =>
  ask(posthorn, `POST /webhooks/${id}/replay`, { body });
const SINCE = "2026-03-01T00:00:00Z";

async function at(posthorn: Posthorn, ms: number, event: string): Promise<void> {
  posthorn.clock.advance(ms);
  await track(posthorn, event);
  await posthorn.settle();
}

test("after three days without a call that gets through it is switched off, and what it missed is replayed", async () => {
  const there = receiver(503);
  await using posthorn = await open();
  const hook = await add(posthorn, there, { description: "The shop" });
  await at(posthorn, 0, "one");
  expect(await look(posthorn, hook)).toMatchObject({ enabled: true, failingSince: "2026-03-01T09:00:00.000Z" });
  await at(posthorn, 2 * DAY, "two");
  expect((await look(posthorn, hook)).enabled).toBe(true);
  await at(posthorn, DAY, "three");
  expect(await look(posthorn, hook)).toMatchObject({ enabled: false, switchedOffAt: "2026-03-04T09:00:00.000Z" });
  const { attention } = (await ask(posthorn, "GET /overview")).body;
  expect(attention).toMatchObject([{ kind: "WEBHOOK_OFF", webhookId: hook.id, description: "The shop" }]);
  const before = there.received.length;
  await at(posthorn, HOUR, "four");
  expect(there.received).toHaveLength(before);
  there.answer = () => new Response("thanks");
  there.received.length = 0;
  const refused = await replay(posthorn, hook, { since: SINCE });
  expect(refused.body.error.code).toBe("WEBHOOK_STATE");
  await ask(posthorn, `PATCH /webhooks/${hook.id}`, { body: { enabled: true } });
  expect((await replay(posthorn, hook, { since: SINCE })).body).toEqual({ replayed: 4, cursor: null });
  await posthorn.settle();
  expect(names(there)).toEqual(["four", "one", "three", "two"]);
  expect(await look(posthorn, hook)).toMatchObject({ enabled: true, failingSince: null, switchedOffAt: null });
});

test("one call that gets through in three days is enough", async () => {
  const there = receiver(503);
  await using posthorn = await open();
  const hook = await add(posthorn, there);
  await at(posthorn, 0, "one");
  there.answer = () => new Response("thanks");
  await at(posthorn, DAY, "two");
  expect((await look(posthorn, hook)).failingSince).toBeNull();
  there.answer = () => new Response("", { status: 500 });
  await at(posthorn, 2.5 * DAY, "three");
  expect((await look(posthorn, hook)).enabled).toBe(true);
});

test("after a change of the URL three days have to pass again", async () => {
  const there = receiver(503);
  await using posthorn = await open();
  const hook = await add(posthorn, there);
  await at(posthorn, 0, "one");
  posthorn.clock.advance(3 * DAY);
  const change = async (body: object) => (await ask(posthorn, `PATCH /webhooks/${hook.id}`, { body })).body;
  expect((await change({ description: "The shop" })).failingSince).not.toBeNull();
  expect((await change({ url: `${there.url}/new` })).failingSince).toBeNull();
  await at(posthorn, HOUR, "two");
  expect(await look(posthorn, hook)).toMatchObject({ enabled: true, failingSince: "2026-03-04T10:00:00.000Z" });
});

test("what is sent by hand switches nothing off", async () => {
  const there = receiver(500);
  await using posthorn = await open();
  const hook = await add(posthorn, there);
  await ask(posthorn, `POST /webhooks/${hook.id}/test`, { body: { type: "email.sent" } });
  await posthorn.settle();
  expect(await look(posthorn, hook)).toMatchObject({ enabled: true, failingSince: null });
});

test.each([
  ["the developers of the workspace get", "DEVELOPER", "dev@example.com"],
  ["without developers the owners get", "OWNER", "owner@example.com"],
] as const)("%s an email", async (_, role, email) => {
  const there = receiver(500);
  await using posthorn = await open({ transport: "smtp" });
  await somebody(posthorn, role, email);
  await somebody(posthorn, "MARKETER", "market@example.com");
  await add(posthorn, there);
  await at(posthorn, 0, "one");
  await at(posthorn, 3 * DAY, "two");
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual([email]);
  const raw = Buffer.from(posthorn.transport.sent[0]?.raw ?? "").toString();
  expect(raw).toContain(`The webhook to 127.0.0.1:${there.port} is off`);
});

test("a period is replayed with the ids that events had, those of some types alone if asked", async () => {
  const there = receiver();
  await using posthorn = await open();
  const hook = await add(posthorn, there, { events: ["event.tracked", "contact.created"] });
  await at(posthorn, 0, "one");
  await at(posthorn, HOUR, "two");
  await at(posthorn, HOUR, "three");
  await ask(posthorn, `POST /webhooks/${hook.id}/test`, { body: { type: "event.tracked" } });
  await posthorn.settle();
  const ids = new Set(there.received.map(({ headers }) => headers.get("webhook-id")));
  there.received.length = 0;
  const period = { since: "2026-03-01T09:30:00Z", until: "2026-03-01T10:30:00Z" };
  expect((await replay(posthorn, hook, period)).body).toEqual({ replayed: 0, cursor: null });
  expect((await replay(posthorn, hook, { ...period, all: true })).body).toEqual({ replayed: 1, cursor: null });
  await posthorn.settle();
  expect(names(there)).toEqual(["two"]);
  expect((await replay(posthorn, hook, { since: SINCE, types: ["contact.*"], all: true })).body.replayed).toBe(1);
  await posthorn.settle();
  expect(there.received.every(({ headers }) => ids.has(headers.get("webhook-id")))).toBe(true);
  const once = { body: { since: SINCE, all: true }, headers: { "Idempotency-Key": "again" } };
  expect((await ask(posthorn, `POST /webhooks/${hook.id}/replay`, once)).body.replayed).toBe(4);
  await posthorn.settle();
  there.received.length = 0;
  expect((await ask(posthorn, `POST /webhooks/${hook.id}/replay`, once)).body.replayed).toBe(4);
  await posthorn.settle();
  expect(there.received).toEqual([]);
  const fault = await replay(posthorn, hook, { since: "yesterday" });
  expect([fault.status, fault.body.error.errors[0].field]).toEqual([422, "since"]);
  const turned = await replay(posthorn, hook, { since: period.until, until: period.since });
  expect([turned.status, turned.body.error.errors[0].field]).toEqual([422, "until"]);
});

test("a long period is replayed in several calls, each event once", async () => {
  const there = receiver();
  await using posthorn = await open();
  const hook = await add(posthorn, there, { events: ["import.finished"] });
  const nowMs = posthorn.clock.nowMs();
  await posthorn.store.write(async (tx) => {
    for (let index = 0; index < 1_200; index++)
      await tx.run`insert into webhook_events (id, workspace, type, data, is_test, created_at)
        select ${newId(nowMs - index)}, workspace, 'import.finished', '{}', 0, ${tx.now} from webhook_endpoints where id = ${hook.id}`;
  });
  const first = (await replay(posthorn, hook, { since: "2026-02-20" })).body;
  expect(first).toEqual({ replayed: 1_000, cursor: expect.any(String) });
  const rest = (await replay(posthorn, hook, { since: "2026-02-20", cursor: first.cursor })).body;
  expect(rest).toEqual({ replayed: 200, cursor: null });
  expect((await ask(posthorn, `GET /webhooks/${hook.id}/deliveries?limit=1`)).body.hasMore).toBe(true);
});

test("of a period, what was not delivered is sent, unless all is asked for", async () => {
  const there = receiver();
  await using posthorn = await open();
  const hook = await add(posthorn, there);
  await at(posthorn, 0, "delivered");
  there.answer = () => new Response("", { status: 422 });
  await at(posthorn, MINUTE, "failed");
  there.answer = () => new Response("", { status: 503 });
  await at(posthorn, MINUTE, "to be retried");
  await ask(posthorn, `PATCH /webhooks/${hook.id}`, { body: { enabled: false } });
  await at(posthorn, MINUTE, "never sent");
  await ask(posthorn, `PATCH /webhooks/${hook.id}`, { body: { enabled: true } });
  there.answer = () => new Response("thanks");
  there.received.length = 0;
  expect((await replay(posthorn, hook, { since: SINCE })).body).toEqual({ replayed: 3, cursor: null });
  await posthorn.settle();
  expect(names(there)).toEqual(["failed", "never sent", "to be retried"]);
  expect((await replay(posthorn, hook, { since: SINCE })).body.replayed).toBe(0);
  expect((await replay(posthorn, hook, { since: SINCE, all: true })).body.replayed).toBe(4);
});

test("events are kept for 30 days, and deliveries of a removed endpoint go", async () => {
  const there = receiver();
  await using posthorn = await open({}, { deliveredDays: 0 });
  const hook = await add(posthorn, there);
  const kept = async () =>
    (await posthorn.store.read(
      (reader) =>
        reader.get`select (select count(*) from webhook_events) as events, (select count(*) from webhook_endpoints) as hooks`,
    )) as Json;
  await at(posthorn, 0, "one");
  await at(posthorn, 20 * DAY, "two");
  posthorn.clock.advance(11 * DAY);
  await posthorn.settle();
  expect(await kept()).toEqual({ events: 1, hooks: 1 });
  await ask(posthorn, `DELETE /webhooks/${hook.id}`);
  posthorn.clock.advance(2 * MINUTE);
  await posthorn.settle();
  expect((await kept()).hooks).toBe(0);
});

test("what was told of an erased person goes, and is not sent", async () => {
  const there = receiver(503);
  await using posthorn = await open();
  const hook = await add(posthorn, there);
  const contact = await track(posthorn, "one");
  await posthorn.settle();
  await ask(posthorn, `DELETE /contacts/${contact}`);
  posthorn.clock.advance(DAY);
  await posthorn.settle();
  expect(there.received).toHaveLength(1);
  expect((await ask(posthorn, `GET /webhooks/${hook.id}/deliveries`)).body.data).toEqual([]);
  expect(await posthorn.store.read((reader) => reader.all`select seq from webhook_events`)).toEqual([]);
});

test("what could not be told of a person goes with the person", async () => {
  await using posthorn = await open();
  const contact = await track(posthorn, "one");
  await posthorn.settle();
  const { store } = posthorn;
  const outbox = () => store.read((reader) => reader.all`select notice from outbox`);
  await store.write(
    (tx) => tx.run`insert into outbox (workspace, subjects, contact, notice, for_endpoints, attempts)
    select workspace, '[]', seq, '{"to":"ada@example.com"}', 1, 6 from contacts`,
  );
  expect(await outbox()).toHaveLength(1);
  await ask(posthorn, `DELETE /contacts/${contact}`);
  await posthorn.settle();
  expect(await outbox()).toEqual([]);
});

test("a call that gets through ends a failure that another one has noted since it began", async () => {
  const there = receiver();
  await using posthorn = await open();
  const hook = await add(posthorn, there);
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  there.answer = async () => {
    begin();
    await ended;
    return new Response("thanks");
  };
  await track(posthorn, "good");
  const settled = posthorn.settle();
  await begun;
  await posthorn.store.write(
    (tx) => tx.run`update webhook_endpoints set failing_since = ${tx.now} where id = ${hook.id}`,
  );
  end();
  await settled;
  expect((await look(posthorn, hook)).failingSince).toBeNull();
});

test("a dead endpoint delays no other, also at the same server", async () => {
  const [dead, alive] = [receiver(), receiver()];
  await using posthorn = await open();
  // Nobody answers there.
  dead.stop();
  for (let n = 0; n < 10; n++) await add(posthorn, dead);
  await add(posthorn, alive);
  for (let n = 0; n < 40; n++) await track(posthorn, `event ${n}`);
  await posthorn.settle();
  expect(alive.received).toHaveLength(40);
});

/** Sends what is due by itself: `step` claims as often as it would beside calls that hang. */
function loopOf({ store, clock, secrets }: Posthorn, timeoutMs: number): WebhookLoop {
  const sender = endpointSender(async () => undefined);
  return new WebhookLoop({
    store,
    clock,
    secrets,
    log: createLog({ level: "error", format: "text", clock, write: () => {} }),
    senders: { steps: sender, endpoints: sender },
    allow: ["127.0.0.1"],
    timeoutMs,
    leaseMs: MINUTE,
    lookUp: async () => [],
    interfaces: () => ({}),
  });
}

test("a hundred endpoints that never answer delay no other, of their workspace or of another", async () => {
  const [dead, alive, foreign] = [receiver(), receiver(), receiver()];
  await using posthorn = await open();
  const { secret } = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  dead.answer = () => new Promise(() => undefined);
  for (let n = 0; n < 99; n++) await add(posthorn, dead);
  await add(posthorn, alive);
  const body = { url: foreign.url, events: ["event.tracked"] };
  await ask(posthorn, "POST /webhooks", { body, key: { bearer: secret } });
  await posthorn.store.write(holdAll);
  const EVENTS = 20;
  for (let n = 0; n < EVENTS; n++) {
    await track(posthorn, `event ${n}`);
    const other = { email: "eve@example.com", event: `event ${n}` };
    await ask(posthorn, "POST /v1/track", { key: { bearer: secret }, body: other });
  }
  await posthorn.settle();
  await posthorn.store.write(releaseAll);
  // None of those that hang comes to its end in the time that a test may take.
  const loop = loopOf(posthorn, 3_600_000);
  while (alive.received.length + foreign.received.length < 2 * EVENTS) {
    await loop.step();
    await new Promise(setImmediate);
  }
  expect([alive.received.length, foreign.received.length]).toEqual([EVENTS, EVENTS]);
  dead.stop();
  await loop.inHand.idle();
});

test("many dead endpoints that have more due each delay no other", async () => {
  const [dead, alive] = [receiver(), receiver()];
  await using posthorn = await open();
  const { store } = posthorn;
  dead.answer = () => new Promise(() => undefined);
  await add(posthorn, dead);
  for (let n = 0; n < 30; n++) await add(posthorn, dead, { events: ["contact.created"] });
  await add(posthorn, alive, { events: ["contact.unsubscribed"] });
  const loop = loopOf(posthorn, 500);
  /** What is due is called by this loop alone, which claims as often as it would beside calls that hang. */
  const call = async () => {
    await store.write(holdAll);
    await posthorn.settle();
    await store.write(releaseAll);
    for (let claims = 0; claims < 4; claims++) await loop.step();
    await loop.inHand.idle();
  };
  // Each fails often enough to count as silent.
  for (let n = 0; n < 3; n++) await track(posthorn, "event", {}, `s${n}@example.com`);
  await call();
  // More than one look at the queue finds, all for one endpoint.
  for (let n = 0; n < 210; n++) await track(posthorn, "event", {}, "s0@example.com");
  for (let n = 0; n < 2; n++) await track(posthorn, "event", {}, `t${n}@example.com`);
  await ask(posthorn, "POST /contacts", { body: { email: "s0@example.com", subscribed: false } });
  const before = dead.received.length;
  await call();
  expect([dead.received.length - before, alive.received.length]).toEqual([31, 1]);
});

test("what every webhook has taken is kept for a week, and what one has not, for the month", async () => {
  const [there, broken] = [receiver(), receiver(410)];
  await using posthorn = await open();
  const kept = async () =>
    (await posthorn.store.read((reader) => reader.get<{ n: number }>`select count(*) as n from webhook_events`))?.n;
  await add(posthorn, there);
  await at(posthorn, 0, "taken");
  await add(posthorn, broken);
  await at(posthorn, HOUR, "not by all");
  posthorn.clock.advance(6 * DAY);
  await posthorn.settle();
  expect(await kept()).toBe(2);
  posthorn.clock.advance(2 * DAY);
  await posthorn.settle();
  expect(await kept()).toBe(1);
});
