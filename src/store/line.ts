// One after the other: what is urgent before what can wait, and what has waited for too long not at all.
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";

/** After that the caller has most likely given up. */
const MAX_WAIT_MS = 5_000;

type Turn = () => void;

export class Line {
  readonly #clock: Clock;
  readonly #urgent: Turn[] = [];
  readonly #patient: Turn[] = [];
  #taken = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws AppError STORE_UNAVAILABLE, without having run it, if its turn comes after five seconds */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const askedMs = this.#clock.monotonicMs();
    return this.#inTurn(this.#patient, () => {
      if (this.#clock.monotonicMs() - askedMs > MAX_WAIT_MS) throw waitedTooLong();
      return work();
    });
  }

  /** Next, whoever else waits. */
  runFirst<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(this.#urgent, work);
  }

  async #inTurn<Result>(line: Turn[], work: () => Promise<Result>): Promise<Result> {
    if (this.#taken) await new Promise<void>((resolve) => line.push(resolve));
    this.#taken = true;
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  /** The turn goes straight to the next in line. */
  #pass(): void {
    const next = this.#urgent.shift() ?? this.#patient.shift();
    if (next) next();
    else this.#taken = false;
  }
}

function waitedTooLong(): AppError {
  return new AppError("STORE_UNAVAILABLE", "Too many long reads were waiting before this one.", {
    suggestion:
      "Nothing of the request was done. Try again after the time in Retry-After, with fewer at the same time.",
    retryAfterSeconds: 2,
  });
}
