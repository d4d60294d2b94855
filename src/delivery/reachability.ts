// Whether the next hop can be reached. While it cannot, one mail is claimed now and then to see.
import { backOffMs } from "../jobs/retry.ts";
import type { Log } from "../log.ts";

export class Reachability {
  readonly #log: Log;
  #failures = 0;
  #downSinceMs = 0;
  #probeAtMs = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  get isDown(): boolean {
    return this.#failures > 0;
  }

  /** Milliseconds until the next hop may be tried again; 0 = now. */
  restMs(nowMs: number): number {
    return this.isDown ? Math.max(0, this.#probeAtMs - nowMs) : 0;
  }

  /** Logs once when it goes down; further failures only make the waits longer. */
  failed(nowMs: number, reply: string): void {
    if (this.isDown && nowMs < this.#probeAtMs) return;
    if (!this.isDown) {
      this.#downSinceMs = nowMs;
      this.#log.warn("the next hop cannot be reached; mail waits, and no attempt is used up", { reply });
    }
    this.#failures++;
    this.#probeAtMs = nowMs + backOffMs(this.#failures);
  }

  answered(nowMs: number): void {
    if (!this.isDown) return;
    this.#failures = 0;
    this.#log.info("the next hop answers again", { downSeconds: Math.round((nowMs - this.#downSinceMs) / 1000) });
  }
}
