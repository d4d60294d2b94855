// Emails that a way has deferred in a row: one recipient's server may do so, but not those of several domains with no
// other outcome in between.
const MOST_IN_A_ROW = 20;
const LEAST_DOMAINS = 3;

export class Deferrals {
  #count = 0;
  readonly #domains = new Set<string>();

  /** Notes one; answers whether the way is to blame by now. */
  add(domain: string): boolean {
    this.#count++;
    if (this.#domains.size < LEAST_DOMAINS) this.#domains.add(domain);
    return this.#count >= MOST_IN_A_ROW && this.#domains.size >= LEAST_DOMAINS;
  }

  /** An email had another outcome. */
  clear(): void {
    this.#count = 0;
    this.#domains.clear();
  }
}
