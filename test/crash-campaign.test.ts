// A campaign survives the end of the process at any moment: each recipient gets one mail, and the campaign counts them.
import { expect, test } from "bun:test";
import { killDuringCampaign } from "./crash/campaign-scenario.ts";

const PEOPLE = 3_000;
const KILLS = 3;

test(`a campaign to ${PEOPLE} people, killed ${KILLS} times, reaches each once`, async () => {
  const report = await killDuringCampaign({ people: PEOPLE, kills: KILLS, seed: 3 });
  expect(report.faults).toEqual([]);
  expect(report.arrivals - report.duplicates).toBe(PEOPLE);
  expect(report.whileFeeding).toBeGreaterThan(0);
  expect(report.counted).toMatchObject({ totalRecipients: PEOPLE, sentCount: PEOPLE, pendingCount: 0, queuedCount: 0 });
}, 600_000);
