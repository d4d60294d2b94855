// The last step of the rate limit: mails are spaced evenly at the transport, however unevenly they arrive there.
import type { Clock } from "../../../base/clock.ts";
import type { FinishedMessage } from "./transport.ts";

/**
 * A connection that opens slowly lets mails with different slots arrive together. `gapMs` is a little less than the
 * time between two slots, so that evenly arriving mail is not delayed; 0 = no rate.
 */
export class HandOverSpacing {
  readonly #gapMs: number;
  readonly #clock: Clock;
  #nextAtMs = 0;

  constructor(gapMs: number, clock: Clock) {
    this.#gapMs = gapMs;
    this.#clock = clock;
  }

  /** Resolves when the message may leave; false if its lease is gone by then. */
  async turnOf({ mayLeave }: Pick<FinishedMessage, "mayLeave">): Promise<boolean> {
    // A message that does not leave must not use up a turn.
    if (mayLeave && !(await mayLeave())) return false;
    await this.turn();
    return !mayLeave || mayLeave();
  }

  /** Resolves when the mail may leave; mails leave in the order of their calls. */
  async turn(): Promise<void> {
    if (this.#gapMs === 0) return;
    const nowMs = this.#clock.monotonicMs();
    const atMs = Math.max(nowMs, this.#nextAtMs);
    this.#nextAtMs = atMs + this.#gapMs;
    if (atMs > nowMs) await new Promise((resolve) => setTimeout(resolve, atMs - nowMs));
  }
}
