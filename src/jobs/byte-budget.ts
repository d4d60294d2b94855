// A limit on how many bytes the pieces of work that run at once may take; the others wait in the order in which they came.

type Waiting = { readonly bytes: number; readonly start: () => void };

export class ByteBudget {
  readonly #mostBytes: number;
  readonly #waiting: Waiting[] = [];
  #usedBytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** What takes more than the whole budget runs alone. */
  async use<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length === 0 && this.#fits(bytes)) this.#usedBytes += bytes;
    else await new Promise<void>((start) => this.#waiting.push({ bytes, start }));
    try {
      return await work();
    } finally {
      this.#usedBytes -= bytes;
      this.#startNext();
    }
  }

  #fits(bytes: number): boolean {
    return this.#usedBytes === 0 || this.#usedBytes + bytes <= this.#mostBytes;
  }

  #startNext(): void {
    for (let [next] = this.#waiting; next && this.#fits(next.bytes); [next] = this.#waiting) {
      this.#waiting.shift();
      this.#usedBytes += next.bytes;
      next.start();
    }
  }
}
