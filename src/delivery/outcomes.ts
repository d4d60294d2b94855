// Outcomes of hand-overs on their way into the store: recorded together, since a commit for each would take longer than sending does.
//
// An outcome waits for others for 20 ms at most, or until 200 wait, or until no mail is on its way that could bring another one. What a
// crash may send twice are the mails in hand and those that wait here (docs/sending.md): both are bounded.
import type { Store, Together } from "../store/store.ts";

const MOST_WAITING = 200;

export class Outcomes<Outcome, Settled> {
  #unrecorded = 0;
  #onTheirWay = 0;
  #waiting: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly store: Store,
    private readonly settle: Together<Outcome, Settled>,
    /** The longest that an outcome waits for others; 0 = it does not. */
    private readonly gatherMs: number,
  ) {}

  /** Mails that have left and are not recorded yet. */
  get unrecorded(): number {
    return this.#unrecorded;
  }

  /** The outcome of this hand-over is to be waited for. */
  async whileOnItsWay<Result>(handOver: () => Promise<Result>): Promise<Result> {
    this.#onTheirWay++;
    try {
      return await handOver();
    } finally {
      this.#onTheirWay--;
      // If it has no outcome, nobody else comes by.
      queueMicrotask(() => this.#recordIfAlone());
    }
  }

  /** Answers once the outcome is durable. @throws as the store does */
  async record(outcome: Outcome): Promise<Settled> {
    this.#unrecorded++;
    try {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        if (this.gatherMs > 0) this.#timer ??= setTimeout(() => this.#recordAll(), this.gatherMs);
        if (this.gatherMs === 0 || this.#waiting.length >= MOST_WAITING) this.#recordAll();
        else this.#recordIfAlone();
      });
      return await this.store.writeTogether(this.settle, outcome);
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
