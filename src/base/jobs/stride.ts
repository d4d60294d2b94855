// How many rows to take in one transaction, so that it lasts a few milliseconds regardless of the cost of a row.

export type StrideBounds = {
  readonly first: number;
  readonly least: number;
  readonly most: number;
  /** How long one transaction should take. */
  readonly aimMs: number;
};

export class Stride {
  readonly #bounds: StrideBounds;
  #length: number;

  constructor(bounds: StrideBounds) {
    this.#bounds = bounds;
    this.#length = bounds.first;
  }

  get length(): number {
    return this.#length;
  }

  /**
   * The longest stride where writers do not wait for each other: there the time is mostly that of the network to the
   * database, and says nothing of how busy it is.
   */
  lengthOn(engine: "sqlite" | "postgres"): number {
    return engine === "sqlite" ? this.#length : this.#bounds.most;
  }

  /** Doubles at most, so that a long stride does not follow one lucky piece. */
  took(ms: number): void {
    const { least, most, aimMs } = this.#bounds;
    const wanted = ms <= 0 ? most : this.#length * (aimMs / ms);
    this.#length = Math.round(Math.max(least, Math.min(most, wanted, this.#length * 2)));
  }
}
