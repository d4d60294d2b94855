// The time of a store that several machines share: the database's, carried on by this machine's steady clock between two answers.
import type { Clock } from "../clock.ts";

/** An answer that came late makes the database seem to be behind, so only the earliest answer of such a span counts. */
const BELIEVED_MS = 60_000;

export class SharedClock implements Clock {
  readonly #machine: Clock;
  /** The database's time less the steady time of this machine. */
  #offsetMs = 0;
  #heardAtMs = -Infinity;

  constructor(machine: Clock) {
    this.#machine = machine;
  }

  /** The database has just answered that its time is `databaseMs`. */
  heard(databaseMs: number): void {
    const nowMs = this.monotonicMs();
    const offsetMs = databaseMs - nowMs;
    if (offsetMs < this.#offsetMs && nowMs - this.#heardAtMs < BELIEVED_MS) return;
    this.#offsetMs = offsetMs;
    this.#heardAtMs = nowMs;
  }

  nowMs(): number {
    return Math.floor(this.monotonicMs() + this.#offsetMs);
  }

  monotonicMs(): number {
    return this.#machine.monotonicMs();
  }

  timeout(ms: number): AbortSignal {
    return this.#machine.timeout(ms);
  }
}
