// How many questions may be on their way at once, in all and for one asker. Whoever has the fewest gets the next free slot.
import { DnsError } from "../dns.ts";

export type SlotLimits = { readonly total: number; readonly perAsker: number };

/** What tells askers apart, a workspace for example. */
export type AskerId = number | string;

type Waiter = { readonly start: () => void };

export class QuestionSlots {
  readonly #taken = new Map<AskerId, number>();
  readonly #waiting = new Map<AskerId, Set<Waiter>>();
  #total = 0;

  constructor(private readonly limits: SlotLimits) {}

  /** Null: the slot was taken at once. Else the promise resolves when it is. @throws DnsError if none is free before `until` */
  take(asker: AskerId, until: AbortSignal | undefined): Promise<void> | null {
    if (!this.#hasFree(asker)) return this.#wait(asker, until);
    this.#count(asker, 1);
    return null;
  }

  giveBack(asker: AskerId): void {
    this.#count(asker, -1);
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const [first] = this.#waiting.get(next) ?? [];
      if (first) this.#stopWaiting(next, first);
      this.#count(next, 1);
      first?.start();
    }
  }

  #wait(asker: AskerId, until: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { start: resolve };
    const late = () => {
      this.#stopWaiting(asker, waiter);
      reject(new DnsError("Too many questions were on their way.", false));
    };
    this.#waiting.set(asker, (this.#waiting.get(asker) ?? new Set()).add(waiter));
    until?.addEventListener("abort", late);
    return promise.finally(() => until?.removeEventListener("abort", late));
  }

  /** The asker that gets the free slot; null if none is free, or nobody waits for it. */
  #next(): AskerId | null {
    let next: AskerId | null = null;
    for (const asker of this.#waiting.keys()) {
      if (this.#hasFree(asker) && (next === null || this.#takenBy(asker) < this.#takenBy(next))) next = asker;
    }
    return next;
  }

  #stopWaiting(asker: AskerId, waiter: Waiter): void {
    const waiters = this.#waiting.get(asker);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiting.delete(asker);
  }

  #hasFree(asker: AskerId): boolean {
    return this.#total < this.limits.total && this.#takenBy(asker) < this.limits.perAsker;
  }

  #takenBy(asker: AskerId): number {
    return this.#taken.get(asker) ?? 0;
  }

  #count(asker: AskerId, change: number): void {
    this.#total += change;
    const taken = this.#takenBy(asker) + change;
    if (taken > 0) this.#taken.set(asker, taken);
    else this.#taken.delete(asker);
  }
}
