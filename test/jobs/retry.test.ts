import { expect, test } from "bun:test";
import { backOffMs, retryDelayMs } from "../../src/base/jobs/retry.ts";

const SCHEDULE = [60, 300, 900];

test("each failed attempt waits for its place in the schedule, a tenth more or less", () => {
  expect(retryDelayMs(SCHEDULE, 1, 0)).toBe(54_000);
  expect(retryDelayMs(SCHEDULE, 1, 0.5)).toBe(60_000);
  expect(retryDelayMs(SCHEDULE, 3, 0.999)).toBeLessThanOrEqual(990_000);
});

test("after the last place there is no other try", () => {
  expect(retryDelayMs(SCHEDULE, 4, 0.5)).toBeNull();
  expect(retryDelayMs([], 1, 0.5)).toBeNull();
});

test("a next hop that stays away is asked less and less often, at least once a minute", () => {
  expect([1, 2, 3, 7, 50].map(backOffMs)).toEqual([1_000, 2_000, 4_000, 60_000, 60_000]);
});
