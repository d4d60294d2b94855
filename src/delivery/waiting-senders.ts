// Sender domains of which mails wait for a way that takes them: once one may, they are due at once.
import type { Clock } from "../clock.ts";
import { letWaitingGo } from "../emails/outcome-queries.ts";
import type { Store } from "../store/store.ts";
import { SENDER_WAITS } from "./refused-by-way.ts";
import type { WaysOut } from "./ways-out.ts";

type WaitingSendersOptions = { readonly store: Store; readonly clock: Clock; readonly ways: WaysOut };

const MOST_LET_GO = 1_000;

export class WaitingSenders {
  readonly #options: WaitingSendersOptions;
  readonly #domains = new Set<string>();

  constructor(options: WaitingSendersOptions) {
    this.#options = options;
  }

  add(domain: string): void {
    this.#domains.add(domain);
  }

  /** Costs nothing while there is none. */
  async letGo(): Promise<void> {
    const { ways, store, clock } = this.#options;
    for (const domain of this.#domains) {
      const way = ways.next([], clock.monotonicMs(), { rule: null, seq: 0, domain });
      if (way === null || !way.isClearFor(domain)) continue;
      const letGo = await store.write((tx) => letWaitingGo(tx, domain, SENDER_WAITS, MOST_LET_GO));
      if (letGo < MOST_LET_GO) this.#domains.delete(domain);
    }
  }
}
