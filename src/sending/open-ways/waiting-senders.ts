// Sender domains whose mails wait for a way that takes them: once a way may, they are due immediately.
import type { Clock } from "../../base/clock.ts";
import { letWaitingGo } from "../../mail/emails/queue/outcome-queries.ts";
import type { Store } from "../../store/store.ts";
import { SENDER_WAITS } from "./refused-by-way.ts";
import type { WayChoice } from "./way-choice.ts";

type WaitingSendersOptions = { readonly store: Store; readonly clock: Clock; readonly ways: WayChoice };

/** A waiting mail; `domain`: that of its sender. */
type SenderMail = { readonly rule: number | null; readonly seq: number; readonly domain: string };

const MOST_LET_GO = 1_000;

export class WaitingSenders {
  readonly #options: WaitingSendersOptions;
  /** One mail for each domain and rule. */
  readonly #waiting = new Map<string, SenderMail>();

  constructor(options: WaitingSendersOptions) {
    this.#options = options;
  }

  add({ rule, seq, domain }: SenderMail): void {
    const key = `${domain} ${rule}`;
    if (!this.#waiting.has(key)) this.#waiting.set(key, { rule, seq, domain });
  }

  /** Makes the mails due that a way would take now. Costs nothing while none waits. */
  async release(): Promise<void> {
    const { ways, store, clock } = this.#options;
    for (const [key, mail] of this.#waiting) {
      const { domain } = mail;
      const way = ways.next([], clock.monotonicMs(), mail);
      if (way === null || !way.isClearFor(domain)) continue;
      const count = await store.write((tx) => letWaitingGo(tx, domain, SENDER_WAITS, MOST_LET_GO));
      if (count < MOST_LET_GO) this.#waiting.delete(key);
    }
  }
}
