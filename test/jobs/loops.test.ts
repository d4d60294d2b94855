// All loops together: what wakes which, settling by hand, and a stop that waits for what is in hand.
import { expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { ClaimedWork } from "../../src/base/jobs/in-hand.ts";
import { hourly, Loops, type LoopSpec } from "../../src/base/jobs/loops.ts";
import { createLog } from "../../src/base/log.ts";
import { Metrics } from "../../src/base/metrics/metrics.ts";
import { TestClock } from "../support/clock.ts";

const clock = new TestClock();
const log = createLog({ level: "error", format: "text", clock, write: () => {} });
const metrics = new Metrics();
const around = { log, clock, metrics };

/** No step here waits for anything: by the next turn of the event loop, each that was woken has run. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A loop that notes each of its steps and then rests for an hour. */
function noting(steps: string[], name: string, more: Partial<LoopSpec> = {}): LoopSpec {
  return { name, step: async () => (steps.push(name), HOUR_MS), ...more };
}

async function stepsOf(steps: string[], what: () => void): Promise<string[]> {
  steps.length = 0;
  what();
  await turn();
  return [...steps];
}

test("settled by hand, a loop that only looks does so once, after all others have nothing left to do", async () => {
  const steps: string[] = [];
  let left = 2;
  const busy: LoopSpec = { name: "busy", step: async () => (steps.push("busy"), left-- > 0 ? 0 : HOUR_MS) };
  const loops = new Loops([noting(steps, "looking", { onlyLooks: true }), busy], around);
  await loops.settle();
  expect(steps).toEqual(["busy", "busy", "busy", "looking"]);
});

test("a signal wakes the loop that waits for it, and a missed one all", async () => {
  const steps: string[] = [];
  const specs = [noting(steps, "one", { wokenBy: "mail" }), noting(steps, "other")];
  const loops = new Loops(specs, around);
  expect(await stepsOf(steps, () => loops.start())).toEqual(["one", "other"]);
  expect(await stepsOf(steps, () => loops.wake("mail"))).toEqual(["one"]);
  expect(await stepsOf(steps, () => loops.wake("unknown"))).toEqual([]);
  expect(await stepsOf(steps, () => loops.wake(null))).toEqual(["one", "other"]);
  await loops.stop();
});

test("settling goes on until no loop has anything to do, and nothing is in hand", async () => {
  const inHand = new ClaimedWork();
  const done: string[] = [];
  let left = 2;
  const step = async () => {
    if (left === 0) return HOUR_MS;
    inHand.take(left--, async () => void done.push("settled"));
    return 0;
  };
  await new Loops([{ name: "working", step, inHand }], around).settle();
  expect(done).toEqual(["settled", "settled"]);
});

test("room in hand wakes its loop, and a stop waits for the rest", async () => {
  const inHand = new ClaimedWork();
  const steps: string[] = [];
  const loops = new Loops([noting(steps, "working", { inHand })], around);
  await stepsOf(steps, () => loops.start());
  expect(await stepsOf(steps, () => inHand.take(1, async () => {}))).toEqual(["working"]);
  const slow = Promise.withResolvers<void>();
  inHand.take(2, () => slow.promise);
  let hasStopped = false;
  const stopped = loops.stop().then(() => (hasStopped = true));
  await turn();
  expect(hasStopped).toBe(false);
  slow.resolve();
  expect(await stopped).toBe(true);
});

test("what has expired is removed until less than a batch is left, then once an hour", async () => {
  const removed = [50, 50, 3];
  const { step } = hourly("forgetting", 50, async (most) => (expect(most).toBe(50), removed.shift() ?? 0));
  expect([await step(metrics), await step(metrics), await step(metrics)]).toEqual([0, 0, HOUR_MS]);
});

test("a loop whose batch takes minutes is stuck until that ends, unless it may take long", async () => {
  const slow = Promise.withResolvers<number>();
  const step = () => slow.promise;
  const specs = [{ name: "waiting", step }, { name: "copying", step, mayTakeLong: true as const }, noting([], "other")];
  const loops = new Loops(specs, around);
  await stepsOf([], () => loops.start());
  clock.advance(4 * MINUTE_MS);
  expect(loops.stuck).toEqual([]);
  clock.advance(MINUTE_MS);
  expect(loops.stuck).toEqual(["waiting"]);
  slow.resolve(HOUR_MS);
  await loops.stop();
  expect(loops.stuck).toEqual([]);
});
