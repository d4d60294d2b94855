// The time of a store that several machines share: the database's, carried on by this machine's steady clock between
// two answers.
import type { Clock } from "../../base/clock.ts";

export interface SharedClock extends Clock {
  /** Takes an answer of the database, whose time was `databaseMs`; answers the time that the answer counts as. */
  heard(databaseMs: number): number;
}

/** `clock` itself if it is a shared one already. */
export function sharedClock(clock: Clock): SharedClock {
  return "heard" in clock ? (clock as SharedClock) : new CarriedClock(clock);
}

/** A late answer makes the database seem to be behind, so only the earliest answer of such a span counts. */
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

  /** This machine's steady clock cannot be set. */
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
