// So much work at once and no more; the rest waits in line, first come first served, until it is closed.

export class ConcurrencyLimit {
  readonly #limit: number;
  readonly #waiting: ((mayRun: boolean) => void)[] = [];
  #running = 0;
  #closed: (() => void) | null = null;

  constructor(limit: number) {
    this.#limit = Math.max(1, limit);
  }

  /** Runs the work when its turn comes; null, without having run it, if the limit is closed before. */
  async run<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.#closed || !(await this.#turn())) return null;
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  /** Answers null to the work that waits; resolves when the work in hand is done. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#closed = resolve;
      for (const answer of this.#waiting.splice(0)) answer(false);
      if (this.#running === 0) resolve();
    });
  }

  #turn(): Promise<boolean> {
    if (this.#running >= this.#limit) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#running++;
    return Promise.resolve(true);
  }

  /** The place goes straight to the next in line, so that no later work takes it. */
  #end(): void {
    const next = this.#waiting.shift();
    if (next) return next(true);
    this.#running--;
    if (this.#running === 0) this.#closed?.();
  }
}
