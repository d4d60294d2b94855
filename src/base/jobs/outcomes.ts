// Outcomes of work in hand on their way into the store: recorded together, since a commit for each would take longer
// than the work does.
//
// An outcome waits for others for 20 ms at most, or until 200 wait, or until nothing is on its way that could bring
// another one. What a crash may do twice is the work in hand and what waits here; of mails that are handed over
// (docs/sending.md), both are bounded.

const MOST_WAITING = 200;

export class Outcomes<Outcome, Settled> {
  #unrecorded = 0;
  #onTheirWay = 0;
  #waiting: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    /** Settles an outcome in one transaction with those of the same moment, as `Store.writeTogether` does. */
    private readonly settle: (outcome: Outcome) => Promise<Settled>,
    /** The longest that an outcome waits for others; 0 = it does not. */
    private readonly gatherMs: number,
  ) {}

  /** The number of outcomes that are not recorded yet. */
  get unrecorded(): number {
    return this.#unrecorded;
  }

  /** Runs work whose outcome is worth waiting for. */
  async whileOnItsWay<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#onTheirWay++;
    try {
      return await work();
    } finally {
      this.#onTheirWay--;
      // If the work has no outcome, nothing else triggers the recording.
      queueMicrotask(() => this.#recordIfAlone());
    }
  }

  /** Resolves once the outcome is durable. @throws as the store does */
  async record(outcome: Outcome): Promise<Settled> {
    this.#unrecorded++;
    try {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        const isAlone = this.#onTheirWay === 0 || this.gatherMs === 0;
        if (isAlone || this.#waiting.length >= MOST_WAITING) this.#recordAll();
        else this.#timer ??= setTimeout(() => this.#recordAll(), this.gatherMs);
      });
      return await this.settle(outcome);
    } finally {
      this.#unrecorded--;
    }
  }

  #recordIfAlone(): void {
    if (this.#onTheirWay === 0) this.#recordAll();
  }

  #recordAll(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    for (const goOn of this.#waiting.splice(0)) goOn();
  }
}
