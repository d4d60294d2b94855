// A server that streams dies and its disk with it: what comes back is whole, and lacks at most the last second.
import { expect, test } from "bun:test";
import { killAndLoseAll } from "./crash/stream-scenario.ts";

const KILLS = 3;

test(`what was told more than a second before is there after each of ${KILLS} losses of everything`, async () => {
  const report = await killAndLoseAll({ kills: KILLS, seed: 1 });
  expect(report.faults).toEqual([]);
  expect(report.restored).toBeGreaterThan(KILLS * 100);
}, 600_000);
