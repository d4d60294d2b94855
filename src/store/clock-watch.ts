// When a clock is set back, turns and work that was due at once would lie in the future: they are called again.
import type { Clock } from "../clock.ts";
import type { LoopSpec } from "../jobs/loops.ts";
import type { Store, Tx } from "./store.ts";
import { callEverybody } from "./turns.ts";

/** What a clock did between two looks is not seen. */
const LOOK_EVERY_MS = 1_000;
/** Less is how a clock is kept right, and delays a turn by no more. */
const MIN_SET_BACK_MS = 1_000;

/** Makes due what was due by a clock that went wrong. What is meant for later stays. */
export type Recall = (tx: Tx) => Promise<unknown>;

/** Calls every workspace to every queue when the clock was set back; `recalls`: of the work itself, by those whose work it is. */
export function watchingTheClock(store: Store, clock: Clock, recalls: readonly Recall[]): LoopSpec {
  /** How far the clock is ahead of the time that does not jump. Before the start it may have been anywhere. */
  let aheadMs = Infinity;
  const callAll = async (tx: Tx) => {
    for (const recall of recalls) await recall(tx);
    await callEverybody(tx);
  };
  const step = async () => {
    const nowAheadMs = clock.nowMs() - clock.monotonicMs();
    if (nowAheadMs < aheadMs - MIN_SET_BACK_MS) await store.write(callAll);
    aheadMs = nowAheadMs;
    return LOOK_EVERY_MS;
  };
  return { name: "watching the clock", step };
}
