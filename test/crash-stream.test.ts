// A server that streams dies and its disk with it: what comes back is whole, and lacks at most the last moments.
import { expect, test } from "bun:test";
import { killAndLoseAll, LEAST_TOLD } from "./crash/stream-scenario.ts";

const KILLS = 3;
/** With other tests beside, the thread may wait long for its turn; `bun test/crash.ts --stream` allows a second. */
const MAY_LOSE_MS = 30_000;

test(`what was told a while before is there after each of ${KILLS} losses of everything`, async () => {
  const report = await killAndLoseAll({ kills: KILLS, seed: 1, mayLoseMs: MAY_LOSE_MS });
  expect(report.faults).toEqual([]);
  expect(report.restored).toBeGreaterThanOrEqual(KILLS * LEAST_TOLD);
}, 600_000);
