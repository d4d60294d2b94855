// Whether the next hop can be reached. While it cannot, one mail is claimed now and then to see.
import { iso, type Clock } from "../clock.ts";
import { backOffMs } from "../jobs/retry.ts";
import type { Log } from "../log.ts";

/** What this process knows of the next hop. */
export type RelayState = {
  readonly state: "ANSWERING" | "AWAY" | "UNKNOWN";
  /** In this state since then; null = it has not been tried yet. */
  readonly since: string | null;
  readonly attemptedAt: string | null;
  /** Why it is away. */
  readonly reply: string | null;
};

export class Reachability {
  readonly #log: Log;
  readonly #clock: Pick<Clock, "nowMs">;
  #failures = 0;
  #downSinceMs = 0;
  #probeAtMs = 0;
  #reply: string | null = null;
  /** By the calendar. */
  #sinceMs: number | null = null;
  #triedAtMs: number | null = null;

  constructor(log: Log, clock: Pick<Clock, "nowMs">) {
    this.#log = log;
    this.#clock = clock;
  }

  get isDown(): boolean {
    return this.#failures > 0;
  }

  get state(): RelayState {
    const [sinceMs, triedAtMs] = [this.#sinceMs, this.#triedAtMs];
    if (sinceMs === null || triedAtMs === null)
      return { state: "UNKNOWN", since: null, attemptedAt: null, reply: null };
    const moments = { since: iso(sinceMs), attemptedAt: iso(triedAtMs) };
    return { state: this.isDown ? "AWAY" : "ANSWERING", ...moments, reply: this.isDown ? this.#reply : null };
  }

  /** Milliseconds until the next hop may be tried again; 0 = now. */
  restMs(nowMs: number): number {
    return this.isDown ? Math.max(0, this.#probeAtMs - nowMs) : 0;
  }

  /** Logs once when it goes down; further failures only make the waits longer. */
  failed(nowMs: number, reply: string): void {
    this.#reply = reply;
    this.#tried(!this.isDown);
    if (this.isDown && nowMs < this.#probeAtMs) return;
    if (!this.isDown) {
      this.#downSinceMs = nowMs;
      this.#log.warn("the next hop cannot be reached; email waits, and no attempt is used up", { reply });
    }
    this.#failures++;
    this.#probeAtMs = nowMs + backOffMs(this.#failures);
  }

  answered(nowMs: number): void {
    this.#tried(this.isDown);
    if (!this.isDown) return;
    this.#failures = 0;
    this.#log.info("the next hop answers again", { downSeconds: Math.round((nowMs - this.#downSinceMs) / 1000) });
  }

  #tried(hasTurned: boolean): void {
    this.#triedAtMs = this.#clock.nowMs();
    if (hasTurned || this.#sinceMs === null) this.#sinceMs = this.#triedAtMs;
  }
}
