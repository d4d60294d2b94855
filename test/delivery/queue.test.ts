// GET /queue: everything that waits, each mail with one reason.
import { describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { setMarketingStopped } from "../../src/tenant/workspaces/queries.ts";
import { addReaders, news, send } from "../support/campaigns.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

/** The answer; what waits is what the store has. */
async function queue(posthorn: Posthorn): Promise<Json> {
  const { body } = await posthorn.call("GET /queue");
  const row = await posthorn.store.read(
    (reader) => reader.get<{ waiting: number }>`select count(*) as waiting from emails where due_at is not null`,
  );
  expect(body.waiting).toEqual({ count: row?.waiting, isLowerBound: false });
  return body;
}

const exactly = (count: number) => ({ count, isLowerBound: false });

async function sendTo(posthorn: Posthorn, count: number, more: object = {}): Promise<void> {
  for (let n = 0; n < count; n++)
    await ask(posthorn, "POST /v1/send", { body: { ...letter, ...more, to: `${n}@example.com` } });
}

test("an empty queue says so", async () => {
  await using posthorn = await startPosthorn();
  const { relay, lanes, ...rest } = await queue(posthorn);
  expect(relay).toEqual({ state: "UNKNOWN", since: null, attemptedAt: null, reply: null, ways: [] });
  expect(lanes.map(({ lane, due, oldestAt }: Json) => [lane, due.count, oldestAt])).toEqual([
    ["TRANSACTIONAL", 0, null],
    ["MARKETING", 0, null],
  ]);
  expect(rest).toMatchObject({
    ratePerSecond: 0,
    configuredRatePerSecond: null,
    doneInSeconds: 0,
    reasons: [],
    held: [],
  });
});

test("mails wait for their turn, to be tried again, or for their time (slow)", async () => {
  await using posthorn = await workspace({ config: { delivery: { ratePerSecond: 2 } } });
  const { clock, transport } = posthorn;
  const at = (ms: number) => new Date(clock.nowMs() + ms).toISOString();
  transport.answer = () => ({ kind: "later", reply: "451 4.7.1 Greylisted" });
  await sendTo(posthorn, 1);
  await posthorn.settle();
  await sendTo(posthorn, 1, { sendAt: at(HOUR_MS) });
  const waitingSince = at(0);
  await sendTo(posthorn, 4);
  clock.advance(3_000);
  const { reasons, lanes, doneInSeconds, configuredRatePerSecond, relay } = await queue(posthorn);
  expect(reasons.map(({ reason, lane, count }: Json) => [reason, lane, count]).sort()).toEqual([
    ["DUE", "TRANSACTIONAL", exactly(4)],
    ["RETRY", "TRANSACTIONAL", exactly(1)],
    ["SCHEDULED", "TRANSACTIONAL", exactly(1)],
  ]);
  expect(reasons.find(({ reason }: Json) => reason === "SCHEDULED").nextAt).toBe(at(HOUR_MS - 3_000));
  expect(lanes[0]).toEqual({ lane: "TRANSACTIONAL", due: exactly(4), handingOver: 0, oldestAt: waitingSince });
  expect([doneInSeconds, configuredRatePerSecond, relay.state]).toEqual([2, 2, "ANSWERING"]);
});

test("the rate is that of the last minute, and tells when the queue will be empty (slow)", async () => {
  await using posthorn = await workspace();
  await sendTo(posthorn, 20);
  await posthorn.settle();
  posthorn.clock.advance(10_000);
  await sendTo(posthorn, 5);
  expect(await queue(posthorn)).toMatchObject({ ratePerSecond: 2, doneInSeconds: 3 });
  posthorn.clock.advance(2 * MINUTE_MS);
  expect(await queue(posthorn)).toMatchObject({ ratePerSecond: 0, doneInSeconds: null });
});

test("while the relay is away, mail waits for it, and the queue has its last words", async () => {
  await using posthorn = await workspace();
  const { clock, transport } = posthorn;
  transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
  const since = new Date(clock.nowMs()).toISOString();
  await sendTo(posthorn, 2);
  await posthorn.settle();
  const away = await queue(posthorn);
  expect(away.relay).toEqual({ state: "AWAY", since, attemptedAt: since, reply: "connect ECONNREFUSED", ways: [] });
  expect(away.reasons).toEqual([{ reason: "RELAY_AWAY", lane: "TRANSACTIONAL", count: exactly(2), nextAt: null }]);
  expect(away.doneInSeconds).toBeNull();
  transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
  clock.advance(HOUR_MS);
  await posthorn.settle();
  const backSince = new Date(clock.nowMs()).toISOString();
  expect((await queue(posthorn)).relay).toEqual({
    state: "ANSWERING",
    since: backSince,
    attemptedAt: backSince,
    reply: null,
    ways: [],
  });
});

describe("mail of campaigns", () => {
  test.each([
    ["CAMPAIGN_PAUSED", "PAUSED", (posthorn: Posthorn, id: string) => ask(posthorn, `POST /campaigns/${id}/pause`)],
    [
      "MARKETING_STOPPED",
      "BLOCKED",
      (posthorn: Posthorn) => posthorn.store.write((tx) => setMarketingStopped(tx, 1, "Too many bounces.")),
    ],
    [
      "DOMAIN_NOT_VERIFIED",
      "BLOCKED",
      (posthorn: Posthorn) =>
        posthorn.store.write((tx) => tx.run`update domains set verified_at = null where domain = 'example.test'`),
    ],
  ] as const)("is held: %s", async (reason, state, stop) => {
    await using posthorn = await workspace();
    posthorn.transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
    await addReaders(posthorn, 5);
    const id = await send(posthorn);
    await posthorn.settle();
    await stop(posthorn, id);
    // The rates are fine, so whoever watches them would let the mail go.
    if (reason !== "MARKETING_STOPPED") posthorn.clock.advance(MINUTE_MS);
    if (reason !== "MARKETING_STOPPED") await posthorn.settle();
    const { held, campaigns, reasons } = await queue(posthorn);
    const count = exactly(reason === "MARKETING_STOPPED" ? 0 : 5);
    expect(held).toMatchObject([{ campaignId: id, name: news.name, reason, count }]);
    expect(campaigns).toMatchObject([{ id, state, notQueued: exactly(0) }]);
    expect(reasons).toEqual([{ reason, lane: "MARKETING", count: exactly(5), nextAt: null }]);
  });

  test("counts towards the end even before it is queued (slow)", async () => {
    await using posthorn = await workspace({ config: { delivery: { ratePerSecond: 2 } } });
    await addReaders(posthorn, 6);
    const id = await send(posthorn);
    expect(await queue(posthorn)).toMatchObject({
      campaigns: [{ id, state: "SENDING", notQueued: exactly(6) }],
      doneInSeconds: 3,
    });
  });
});
