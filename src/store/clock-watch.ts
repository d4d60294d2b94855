// When a clock is set back, turns would lie in the future and hold up work that is due: they are called again.
import type { Clock } from "../clock.ts";
import type { LoopSpec } from "../jobs/loops.ts";
import type { Store } from "./store.ts";
import { callEverybody } from "./turns.ts";

const LOOK_EVERY_MS = 5_000;
/** Less is how a clock is kept right, and delays a turn by no more. */
const MIN_SET_BACK_MS = 1_000;

/** Calls every workspace to every queue when the clock was set back. */
export function watchingTheClock(store: Store, clock: Clock): LoopSpec {
  /** How far the clock is ahead of the time that does not jump. Before the start it may have been anywhere. */
  let aheadMs = Infinity;
  const step = async () => {
    const nowAheadMs = clock.nowMs() - clock.monotonicMs();
    if (nowAheadMs < aheadMs - MIN_SET_BACK_MS) await store.write(callEverybody);
    aheadMs = nowAheadMs;
    return LOOK_EVERY_MS;
  };
  return { name: "watching the clock", step };
}
