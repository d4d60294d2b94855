// A limit on how many pieces of work run at once. Who waits is served in turn, and the work of each in the order in which it came.

export class Turns {
  /** By whose it is; whose turn it is comes first. */
  readonly #waiting = new Map<number, (() => void)[]>();
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.values().reduce((sum, { length }) => sum + length, 0);
  }

  async take<T>(work: () => Promise<T>, whose = 0): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#wait(whose, resolve));
    try {
      return await work();
    } finally {
      const next = this.#next();
      if (next) next();
      else this.#free++;
    }
  }

  #wait(whose: number, turn: () => void): void {
    const theirs = this.#waiting.get(whose);
    if (theirs) theirs.push(turn);
    else this.#waiting.set(whose, [turn]);
  }

  #next(): (() => void) | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const [whose, theirs] = first;
    const turn = theirs.shift();
    this.#waiting.delete(whose);
    if (theirs.length > 0) this.#waiting.set(whose, theirs);
    return turn;
  }
}
