// The mails that this process has claimed, and the time left on its leases.
//
// When a lease runs out, another process may take the mail over. A process that was suspended for so long (its machine
// slept) does not notice, so each lease is checked just before its mail leaves.
import { iso, type Clock } from "../../base/clock.ts";
import { renewLeases, type MailAttempt } from "../../mail/emails/queue/queue-queries.ts";
import type { MailToSend } from "../../mail/emails/queries.ts";
import { isStoreAway } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { Store } from "../../store/store.ts";

type ClaimsOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly leaseMs: number;
};

type ClaimLease = {
  /** By the steady clock of this machine. */
  readonly untilMs: number;
  /** Null until the mail has been read. */
  readonly attempts: number | null;
};

export class Claims {
  readonly #options: ClaimsOptions;
  readonly #held = new Map<number, ClaimLease>();

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  /** `sinceMs`: a moment before the claim, by the steady clock. */
  took(seq: number, sinceMs: number): void {
    this.#held.set(seq, { untilMs: sinceMs + this.#options.leaseMs, attempts: null });
  }

  /** Notes the number of the attempt; false if another process may have the mail by now. */
  isOwn({ seq, attempts }: MailToSend): boolean {
    const claim = this.#held.get(seq);
    if (!claim || (this.#isShared && this.#leftMs(claim) <= 0)) return false;
    this.#held.set(seq, { ...claim, attempts });
    return true;
  }

  settled(seq: number): void {
    this.#held.delete(seq);
  }

  /**
   * Answers for how many milliseconds no other process can take the mail over; 0 = another may have it. The store is
   * asked only in the last third of the lease. Null: no other process can be on this store.
   */
  holdOf(seq: number): (() => Promise<number>) | null {
    return this.#isShared ? () => this.#heldMs(seq) : null;
  }

  /** Renews all leases, except of mails that another process has taken over. */
  async renew(): Promise<void> {
    const lost = await this.#renew([...this.#held.keys()]);
    const { log } = this.#options;
    if (lost > 0)
      log.warn("this process was suspended until its leases ran out; others have taken over", { mails: lost });
  }

  get #isShared(): boolean {
    return !this.#options.store.exclusive;
  }

  async #heldMs(seq: number): Promise<number> {
    if (this.#safeMs(seq) <= 0) await this.#renew([seq]).catch((error: unknown) => this.#unrenewed(error));
    return Math.max(0, this.#safeMs(seq));
  }

  /** While the store cannot confirm the leases, no mail is ours. */
  #unrenewed(error: unknown): void {
    if (!isStoreAway(error)) this.#options.log.error("a lease could not be renewed", { error });
  }

  #safeMs(seq: number): number {
    const claim = this.#held.get(seq);
    return claim ? this.#leftMs(claim) - this.#options.leaseMs / 3 : 0;
  }

  #leftMs({ untilMs }: ClaimLease): number {
    return untilMs - this.#options.clock.monotonicMs();
  }

  /** Answers how many leases are lost. A mail that is neither lost nor renewed is being settled. */
  async #renew(seqs: readonly number[]): Promise<number> {
    const { store, clock, leaseMs } = this.#options;
    const nowMs = clock.monotonicMs();
    const claims = seqs.flatMap((seq) => this.#attempt(seq));
    if (claims.length === 0) return 0;
    const renewed = new Set(await store.write((tx) => renewLeases(tx, claims, iso(tx.nowMs + leaseMs))));
    const others = claims.filter(({ seq }) => this.#held.has(seq) && !renewed.has(seq));
    const lost = others.filter(({ untilMs }) => untilMs <= nowMs);
    for (const { seq } of lost) this.#held.delete(seq);
    for (const { seq, attempts } of claims)
      if (renewed.has(seq) && this.#held.has(seq)) this.#held.set(seq, { attempts, untilMs: nowMs + leaseMs });
    return lost.length;
  }

  #attempt(seq: number): (MailAttempt & ClaimLease)[] {
    const { attempts = null, untilMs = 0 } = this.#held.get(seq) ?? {};
    return attempts === null ? [] : [{ seq, attempts, untilMs }];
  }
}
