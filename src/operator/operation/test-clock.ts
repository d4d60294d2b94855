// The clock of a server for tests (docs/test-clock.md): it belongs to a store of its own, and no email leaves.
import { StillClock, type Clock } from "../../base/clock.ts";
import type { Ground } from "../../ground/ground.ts";
import { keepTestClock, testClockIn } from "../../store/clock-queries.ts";
import { allWorkspaces } from "../../tenant/workspaces/queries.ts";

/**
 * Goes on at the time that the store has reached. @throws Error if the store goes by another kind of clock, or email
 * could leave
 */
export async function setTestClock({ store, config }: Ground, clock: Clock | undefined): Promise<void> {
  const reached = await store.read(testClockIn);
  if (!(clock instanceof StillClock)) {
    if (reached === null) return;
    throw new Error(
      `This store goes by a test clock, which says ${reached}: start with --test-clock, or with another data directory.`,
    );
  }
  if (config.delivery.transport !== "capture")
    throw new Error('--test-clock needs delivery.transport = "capture": email of a test must not leave.');
  if (reached !== null) return clock.moveTo(Date.parse(reached));
  if ((await store.read(allWorkspaces)).length > 0)
    throw new Error("--test-clock needs a store of its own, and this one is in use: choose an empty data directory.");
  await store.write(keepTestClock);
}
