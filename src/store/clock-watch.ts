// A clock that is set back would leave turns in the future, and the work of a workspace with them, however long it has been due.
import type { Clock } from "../clock.ts";
import type { Store } from "./store.ts";
import { callEverybody } from "./turns.ts";

const LOOK_EVERY_MS = 5_000;
/** Less is how a clock is kept right, and delays a turn by no more. */
const MIN_SET_BACK_MS = 1_000;

export class ClockWatch {
  /** How far the clock is ahead of the time that does not jump. Before the start it may have been anywhere. */
  #aheadMs = Infinity;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Calls every workspace to every queue if the clock was set back; answers when to look again, in milliseconds. */
  async step(): Promise<number> {
    const aheadMs = this.clock.nowMs() - this.clock.monotonicMs();
    if (aheadMs < this.#aheadMs - MIN_SET_BACK_MS) await this.store.write(callEverybody);
    this.#aheadMs = aheadMs;
    return LOOK_EVERY_MS;
  }
}
