// Detects requests by the hundred: work that can wait then leaves the writer and the thread to them.
import type { Clock } from "../../base/clock.ts";

/** Requests are counted in windows of this length. */
const WINDOW_MS = 100;
/** In one window. A server with fewer requests has time for everything. */
const CROWD = 20;
/** After the last such window: callers that all wait for a slow disk are still there. */
const LASTS_MS = 1_000;

export class Crowd {
  #windowMs = -Infinity;
  #count = 0;
  #lastMs = -Infinity;

  constructor(private readonly clock: Pick<Clock, "monotonicMs">) {}

  /** Counts a request. */
  count(): void {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.#windowMs >= WINDOW_MS) [this.#windowMs, this.#count] = [nowMs, 0];
    if (++this.#count >= CROWD) this.#lastMs = nowMs;
  }

  get isHere(): boolean {
    return this.clock.monotonicMs() - this.#lastMs < LASTS_MS;
  }
}
