import { describe, expect, test } from "bun:test";
import { takeSlots, type Pace } from "../../src/base/brakes/token-bucket.ts";

const PACE: Pace = { intervalMs: 1000 / 14, burst: 1, horizonMs: 250 };

const START_MS = 1_700_000_000_000;

type Run = { readonly lateMs?: number; readonly restartAtMs?: number; readonly clockSetByMs?: number };

/**
 * Leaves as a loop would that asks again and again, a little late each time, and may be restarted with the clock set.
 */
function leaveFor(ms: number, { lateMs = 0, restartAtMs = Infinity, clockSetByMs = 0 }: Run = {}): number[] {
  const left: number[] = [];
  let nextAtMs = 0;
  for (let passedMs = 0; passedMs < ms; passedMs += 20 + lateMs) {
    const setByMs = passedMs >= restartAtMs ? clockSetByMs : 0;
    const nowMs = START_MS + passedMs + setByMs;
    const slots = takeSlots(nextAtMs, nowMs, 10, PACE);
    if (slots.atMs.length > 0) nextAtMs = slots.nextAtMs;
    left.push(...slots.atMs.map((at) => Math.max(at, nowMs) - setByMs));
    if (passedMs < restartAtMs && passedMs + 20 + lateMs >= restartAtMs) passedMs += RESTART_MS;
  }
  return left;
}

/** A process that was killed is not back sooner; what it held ahead of its moment is lost with it. */
const RESTART_MS = 300;

function mostInAnySecond(leftMs: readonly number[]): number {
  const sorted = [...leftMs].sort((one, other) => one - other);
  return Math.max(...sorted.map((from, index) => sorted.slice(index).filter((at) => at < from + 1000).length));
}

describe("the bucket", () => {
  test("lets 14.00 a second out over minutes of backlog (slow)", () => {
    const left = leaveFor(300_000);
    expect(left.length / 300).toBeCloseTo(14, 1);
    expect(mostInAnySecond(left)).toBeLessThanOrEqual(15);
  });

  test("does not slow down because the loop comes late", () => {
    const left = leaveFor(60_000, { lateMs: 130 });
    expect(left.length / 60).toBeGreaterThan(13.93);
    expect(left.length / 60).toBeLessThan(14.1);
  });

  test("does not save up while nothing is sent", () => {
    const { atMs } = takeSlots(1_000, 60_000, 10, PACE);
    expect(atMs[0]).toBe(60_000);
    expect(atMs).toHaveLength(4);
  });

  test("lets as many go together as the burst says after a quiet time, and no more", () => {
    const { atMs } = takeSlots(1_000, 60_000, 10, { ...PACE, burst: 5, horizonMs: 0 });
    expect(atMs).toHaveLength(5);
    expect(atMs.every((at) => at <= 60_000)).toBe(true);
  });

  test("hands out nothing beyond its horizon", () => {
    const { atMs, nextAtMs } = takeSlots(0, 60_000, 100, PACE);
    expect(atMs.at(-1)).toBeLessThanOrEqual(60_250);
    expect(nextAtMs).toBeGreaterThan(60_250);
  });

  test("goes on where it was after a restart", () => {
    const before = takeSlots(0, 60_000, 100, PACE);
    const after = takeSlots(before.nextAtMs, 60_001, 100, PACE);
    expect(after.atMs).toEqual([]);
  });

  test.each([
    ["an hour forward", 3_600_000],
    ["an hour back", -3_600_000],
    ["thirty days forward", 2_592_000_000],
  ])("neither bursts nor stops when it is restarted with the clock set %s", (_, byMs) => {
    const left = leaveFor(60_000, { restartAtMs: 30_000, clockSetByMs: byMs });
    expect(mostInAnySecond(left)).toBeLessThanOrEqual(15);
    expect(left.length / 60).toBeGreaterThan(13.7);
  });
});
