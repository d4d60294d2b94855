// A server that streams dies and its disk with it: what comes back is whole, and lacks at most the last moments.
import { expect, test } from "bun:test";
import { killAndLoseAll } from "./crash/stream-scenario.ts";

const KILLS = 3;
/** With other tests beside, the thread may wait longer than a second for its turn; `bun test/crash.ts --stream` allows one. */
const MAY_LOSE_MS = 3_000;

test(`what was told a while before is there after each of ${KILLS} losses of everything`, async () => {
  const report = await killAndLoseAll({ kills: KILLS, seed: 1, mayLoseMs: MAY_LOSE_MS });
  expect(report.faults).toEqual([]);
  expect(report.restored).toBeGreaterThan(KILLS * 100);
}, 600_000);
