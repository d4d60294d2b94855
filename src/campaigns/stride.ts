// How many contacts are looked at in one transaction: as many as go into a few milliseconds, whatever the audience costs.

const SHORTEST = 200;
const LONGEST = 20_000;
const AIM_MS = 5;

export class Stride {
  #contacts = 1_000;

  get length(): number {
    return this.#contacts;
  }

  /** Doubles at most, so that one lucky piece is not followed by a long one. */
  took(ms: number): void {
    const wanted = ms <= 0 ? LONGEST : this.#contacts * (AIM_MS / ms);
    this.#contacts = Math.round(Math.max(SHORTEST, Math.min(LONGEST, wanted, this.#contacts * 2)));
  }
}
