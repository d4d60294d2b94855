// Whether callers are being answered by the hundred: work that can wait then leaves the writer and the thread to them.
import type { Clock } from "../clock.ts";

/** What is counted together. */
const WINDOW_MS = 100;
/** In one window. A server that is asked less has time for everything. */
const CROWD = 20;

export class Crowd {
  #windowMs = -Infinity;
  #now = 0;
  #before = 0;

  constructor(private readonly clock: Pick<Clock, "monotonicMs">) {}

  /** A caller has come. */
  count(): void {
    this.#turn();
    this.#now++;
  }

  get isHere(): boolean {
    this.#turn();
    return this.#now >= CROWD || this.#before >= CROWD;
  }

  #turn(): void {
    const windowMs = Math.floor(this.clock.monotonicMs() / WINDOW_MS) * WINDOW_MS;
    if (windowMs === this.#windowMs) return;
    this.#before = windowMs - this.#windowMs === WINDOW_MS ? this.#now : 0;
    [this.#now, this.#windowMs] = [0, windowMs];
  }
}
