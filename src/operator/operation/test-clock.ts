// The clock of a server for tests (docs/test-clock.md): it belongs to a store of its own, and no email leaves.
import { StillClock, type Clock } from "../../base/clock.ts";
import type { Ground } from "../../ground/ground.ts";
import { keepTestClock, testClockIn } from "../../store/clock-queries.ts";
import { allWorkspaces } from "../../tenant/workspaces/queries.ts";

type Time = { readonly clock?: Clock; readonly loops?: "settled by hand" };

/**
 * Goes on at the time that the store has reached; answers the clock, null if the server goes by another. A still clock
 * whose loops are settled by hand is no test clock, but a past that is being made.
 * @throws Error if the store goes by another kind of clock, or email could leave
 */
export async function setTestClock({ store, config }: Ground, { clock, loops }: Time): Promise<StillClock | null> {
  const reached = await store.read(testClockIn);
  if (!(clock instanceof StillClock) || loops !== undefined) {
    if (reached === null) return null;
    throw new Error(
      `This store goes by a test clock, which says ${reached}: start with --test-clock, or with another data directory.`,
    );
  }
  if (config.delivery.transport !== "capture")
    throw new Error('--test-clock needs delivery.transport = "capture": email of a test must not leave.');
  if (reached !== null) {
    clock.moveTo(Date.parse(reached));
    return clock;
  }
  if ((await store.read(allWorkspaces)).length > 0)
    throw new Error("--test-clock needs a store of its own, and this one is in use: choose an empty data directory.");
  await store.write(keepTestClock);
  return clock;
}
