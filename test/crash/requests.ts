// What the clients ask for: mails to recipients that nobody else writes to.
import type { Random } from "../support/seeded.ts";

export type SendRequest = {
  readonly recipients: readonly string[];
  /** Its Idempotency-Key. */
  readonly key: string | null;
  /** A template of marketing mail; none = a transactional mail of its own. */
  readonly template?: string;
};

const MOST_RECIPIENTS = 5;

export class Requests {
  readonly #client: string;
  readonly #random: Random;
  #serial = 0;

  constructor(client: string, random: Random) {
    this.#client = client;
    this.#random = random;
  }

  /** A fifth have several recipients, half have a key. */
  next(): SendRequest {
    const kind = this.#random.below(10);
    const count = kind < 2 ? 2 + this.#random.below(MOST_RECIPIENTS - 1) : 1;
    const recipients = Array.from({ length: count }, () => `${this.#client}-${++this.#serial}@example.com`);
    return { recipients, key: kind % 2 === 0 ? `key of ${recipients[0]}` : null };
  }
}
