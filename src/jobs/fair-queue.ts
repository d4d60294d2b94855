// A queue for what takes long: workspaces take turns, what is urgent comes first, and what has waited for too long not at all.
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";

/** After that the caller has most likely given up. */
const MAX_WAIT_MS = 5_000;

type Turn = () => void;

export class FairQueue {
  readonly #clock: Clock;
  readonly #what: string;
  readonly #urgent: Turn[] = [];
  /** By workspace; whose turn it is comes first. */
  readonly #patient = new Map<number, Turn[]>();
  #free: number;

  /** `what` waits, in the plural: "long reads". */
  constructor(clock: Clock, atOnce: number, what: string) {
    this.#clock = clock;
    this.#what = what;
    this.#free = atOnce;
  }

  /** @throws AppError STORE_UNAVAILABLE, without having run it, if its turn comes after five seconds, or `longestWaitMs` */
  run<Result>(workspace: number, work: () => Promise<Result>, longestWaitMs = MAX_WAIT_MS): Promise<Result> {
    const askedMs = this.#clock.monotonicMs();
    const wait = (turn: Turn) => {
      const waiting = this.#patient.get(workspace);
      if (waiting) waiting.push(turn);
      else this.#patient.set(workspace, [turn]);
    };
    return this.#inTurn(wait, () => {
      if (this.#clock.monotonicMs() - askedMs > longestWaitMs) throw waitedTooLong(this.#what);
      return work();
    });
  }

  /** Next, whoever else waits. */
  runFirst<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#inTurn((turn) => this.#urgent.push(turn), work);
  }

  async #inTurn<Result>(wait: (turn: Turn) => void, work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>(wait);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  /** The turn goes straight to the next. */
  #pass(): void {
    const next = this.#urgent.shift() ?? this.#nextPatient();
    if (next) next();
    else this.#free++;
  }

  #nextPatient(): Turn | undefined {
    const [first] = this.#patient;
    if (!first) return undefined;
    const [workspace, waiting] = first;
    const turn = waiting.shift();
    this.#patient.delete(workspace);
    if (waiting.length > 0) this.#patient.set(workspace, waiting);
    return turn;
  }
}

function waitedTooLong(what: string): AppError {
  return new AppError("STORE_UNAVAILABLE", `Too many ${what} were waiting before this one.`, {
    suggestion:
      "Nothing of the request was done. Try again after the time in Retry-After, with fewer at the same time.",
    retryAfterSeconds: 2,
  });
}
