// The time of a store that several machines share: the database's, carried on by this machine's steady clock between
// two answers.
import type { Clock } from "../base/clock.ts";

export interface SharedClock extends Clock {
  /** The database has just answered that its time is `databaseMs`; answers what counts as the time of that answer. */
  heard(databaseMs: number): number;
}

/** `clock` itself if it is a shared one already. */
export function sharedClock(clock: Clock): SharedClock {
  return "heard" in clock ? (clock as SharedClock) : new CarriedClock(clock);
}

/** An answer that came late makes the database seem to be behind, so only the earliest answer of such a span counts. */
const BELIEVED_MS = 60_000;

class CarriedClock implements SharedClock {
  readonly #machine: Clock;
  /** The database's time less the steady time of this machine. */
  #offsetMs = 0;
  #heardAtMs = -Infinity;

  constructor(machine: Clock) {
    this.#machine = machine;
  }

  heard(databaseMs: number): number {
    const nowMs = this.monotonicMs();
    const offsetMs = databaseMs - nowMs;
    const isLate = offsetMs < this.#offsetMs && nowMs - this.#heardAtMs < BELIEVED_MS;
    if (!isLate) [this.#offsetMs, this.#heardAtMs] = [offsetMs, nowMs];
    return Math.floor(databaseMs);
  }

  nowMs(): number {
    return Math.floor(this.steadyNowMs());
  }

  /** Nobody can set this machine's steady clock. */
  steadyNowMs(): number {
    return this.monotonicMs() + this.#offsetMs;
  }

  monotonicMs(): number {
    return this.#machine.monotonicMs();
  }

  timeout(ms: number): AbortSignal {
    return this.#machine.timeout(ms);
  }

  get headStartMs(): number {
    return this.#machine.headStartMs;
  }
}
