// Sender domains that a way out does not know: after three refusals in a row the way is not used for the domain, except
// for a mail now and then. If it knows none of several domains, its account is unusable.
import { MINUTE_MS } from "../../../base/clock.ts";

/** Two refusals may be about one address. */
const MOST_IN_A_ROW = 3;
const LEAST_DOMAINS = 2;
/** For this long after the way took mail of one domain, refusals are blamed on the refused domains. */
const KNOWS_SOME_MS = 60 * MINUTE_MS;
const LONGEST_MS = 15 * MINUTE_MS;

type DomainRefusal = { readonly reply: string; readonly count: number; readonly askAtMs: number };

export class SenderRefusals {
  /** The changes to store, by domain: why it is refused, or null = it is taken again. */
  readonly news = new Map<string, string | null>();
  readonly #domains = new Map<string, DomainRefusal>();
  #inARow = new Map<string, number>();
  #tookAtMs = -Infinity;

  get isNone(): boolean {
    return this.#domains.size === 0;
  }

  /** Notes a refusal; answers whether the way is to blame for all its refusals. */
  noteRefusal(domain: string, reply: string, nowMs: number): boolean {
    const count = (this.#domains.get(domain)?.count ?? 0) + 1;
    const restMs = Math.min(LONGEST_MS, MINUTE_MS * 2 ** Math.max(0, count - MOST_IN_A_ROW));
    this.#domains.set(domain, { reply, count, askAtMs: nowMs + restMs });
    if (count === MOST_IN_A_ROW) this.news.set(domain, reply);
    this.#inARow.set(domain, (this.#inARow.get(domain) ?? 0) + 1);
    const total = [...this.#inARow.values()].reduce((sum, one) => sum + one, 0);
    const isNew = nowMs - this.#tookAtMs > KNOWS_SOME_MS;
    return isNew && this.#inARow.size >= LEAST_DOMAINS && total >= MOST_IN_A_ROW;
  }

  took(domain: string, nowMs: number): void {
    this.#tookAtMs = nowMs;
    if (this.#inARow.size > 0) this.#inARow = new Map();
    if (this.whyNot(domain) !== null) this.news.set(domain, null);
    this.#domains.delete(domain);
  }

  /** Restores a refusal that an earlier process stored: the next mail tests it. */
  recall(domain: string, reply: string, nowMs: number): void {
    this.#domains.set(domain, { reply, count: MOST_IN_A_ROW, askAtMs: nowMs });
  }

  /** The reply; null = the way has not refused the domain, or too seldom to count. */
  whyNot(domain: string): string | null {
    const refused = this.#domains.get(domain);
    return refused && refused.count >= MOST_IN_A_ROW ? refused.reply : null;
  }

  /** The next mail of the domain tests the refusal; no other mail is tried meanwhile. */
  mayAsk(domain: string, nowMs: number): boolean {
    const refused = this.#domains.get(domain);
    if (!refused || refused.count < MOST_IN_A_ROW) return true;
    if (nowMs < refused.askAtMs) return false;
    this.#domains.set(domain, { ...refused, askAtMs: nowMs + MINUTE_MS });
    return true;
  }

  /** Whether the way has no recent refusal for the domain. */
  isClear(domain: string): boolean {
    return !this.#domains.has(domain);
  }

  /** Milliseconds until the way is tried with the domain again. */
  restMs(domain: string, nowMs: number): number {
    return Math.max(0, (this.#domains.get(domain)?.askAtMs ?? nowMs) - nowMs);
  }
}
