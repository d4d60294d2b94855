// So many at once and no more; the rest wait in line, first come first served.

export class Gate {
  readonly #limit: number;
  readonly #waiting: ((admitted: boolean) => void)[] = [];
  #running = 0;
  #closed: (() => void) | null = null;

  constructor(limit: number) {
    this.#limit = Math.max(1, limit);
  }

  /** Runs the work when its turn comes; null, without having run it, if the gate closes before. */
  async pass<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.#closed || !(await this.#admission())) return null;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Turns away those that wait; comes back when the work in hand is done. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#closed = resolve;
      for (const answer of this.#waiting.splice(0)) answer(false);
      if (this.#running === 0) resolve();
    });
  }

  #admission(): Promise<boolean> {
    if (this.#running >= this.#limit) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#running++;
    return Promise.resolve(true);
  }

  /** The place goes straight to the next in line, so that nobody slips in between. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) return next(true);
    this.#running--;
    if (this.#running === 0) this.#closed?.();
  }
}
