// What was answered 200 survives the end of the process, again and again: be it kill -9 or SIGTERM.
import { expect, test } from "bun:test";
import { killAgainAndAgain, killWithTwoWays, LEAST_BY_BACKUP, stopUnderLoad } from "./crash/scenarios.ts";

const KILLS = 3;

test(`what was answered 200 survives ${KILLS} kills, and only what was in hand at a kill arrives twice`, async () => {
  const report = await killAgainAndAgain({ kills: KILLS, seed: 1 });
  expect(report.faults).toEqual([]);
  expect(report.accepted).toBeGreaterThan(KILLS);
  expect(report.repeated).toBeGreaterThan(KILLS);
  expect(report.inHand).toBeGreaterThan(KILLS);
}, 600_000);

test("with two ways out that go away again and again, nothing is lost, and only what was in hand at a kill leaves twice", async () => {
  const { faults, ...report } = await killWithTwoWays({ kills: 2 * KILLS, seed: 5 });
  expect(faults).toEqual([]);
  expect(report.byBackup).toBeGreaterThan(LEAST_BY_BACKUP);
}, 600_000);

test("SIGTERM under load finishes what is in hand within ten seconds: nothing is missing, nothing arrives twice", async () => {
  const { stopped, report } = await stopUnderLoad(2);
  expect(report).toMatchObject({ faults: [], inHand: 0, duplicates: 0 });
  // A server that is not done in time warns of it, which is a fault, and one that goes on is killed.
  expect(stopped.exitCode).toBe(0);
});
