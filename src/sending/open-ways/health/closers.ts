// The receivers and senders whose mail has closed a way: the way is tried with other mail first, since the fault may be
// that of one provider or one sender.

/** If no other mail comes up for this long, the way is tried with such mail after all. */
const PASSED_OVER_MS = 30_000;

export class Closers {
  readonly #names = new Set<string>();
  /** Receivers that have refused a mail since the way last took one. */
  readonly #receivers = new Set<string>();
  #passedOverAtMs: number | null = null;

  /** Notes a receiver that deferred a mail. */
  note(receiver: string): void {
    this.#names.add(receiver);
  }

  /** Notes the receiver that refused a mail, and the sender of the mail; answers the number of receivers so far. */
  add(receiver: string, sender: string | null): number {
    this.note(receiver);
    if (sender !== null) this.#names.add(sender);
    this.#receivers.add(receiver);
    return this.#receivers.size;
  }

  /** Whether the way may be tried with such a mail. */
  mayTry(receiver: string, sender: string | null, nowMs: number): boolean {
    const isOne = this.#names.has(receiver) || (sender !== null && this.#names.has(sender));
    if (isOne) this.#passedOverAtMs ??= nowMs;
    if (isOne && nowMs - (this.#passedOverAtMs ?? nowMs) < PASSED_OVER_MS) return false;
    this.#passedOverAtMs = null;
    return true;
  }

  clear(): void {
    this.#names.clear();
    this.#receivers.clear();
    this.#passedOverAtMs = null;
  }
}
