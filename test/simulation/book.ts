// What the callers of one seed know: what was asked, what was answered, who must get no marketing mail. The judge of
// what the store says.
import type { FinishedMessage } from "../../src/sending/carrier/transport/transport.ts";

/** A request to send, told apart by its subject. */
export type Sending = {
  readonly subject: string;
  readonly recipients: number;
  /** The mails that the answer named; null = no answer came. */
  mails: readonly string[] | null;
  /** The addresses that were named as suppressed when nothing was accepted. */
  refusedFor?: readonly string[];
};

export class Book {
  readonly faults: string[] = [];
  readonly sendings: Sending[] = [];
  /** Mails that were taken back, or may have been. */
  readonly takenBack = new Set<string>();
  readonly maybeTakenBack = new Set<string>();
  /** Address → how many answered events started it on each workflow at least once. */
  readonly signedUp = new Set<string>();
  /** Address → marketing mails that were in hand already when the person left. */
  readonly #gone = new Map<string, ReadonlySet<string>>();

  /** No answer of theirs is known any more, so nothing is claimed of them. */
  mayHaveSubscribed(address: string): void {
    this.#gone.delete(address);
  }

  unsubscribed(address: string, inHand: readonly string[]): void {
    this.#gone.set(address, new Set(inHand));
  }

  /** What was in hand is checked again before it leaves. */
  crashed(): void {
    for (const address of this.#gone.keys()) this.#gone.set(address, new Set());
  }

  leaves({ id, envelope, raw }: FinishedMessage): void {
    const exempt = this.#gone.get(envelope.recipient);
    if (!exempt || exempt.has(id) || !/^list-unsubscribe:/im.test(raw.toString("latin1"))) return;
    this.faults.push(`marketing mail ${id} left to ${envelope.recipient}, who had unsubscribed`);
  }
}
