// The reachability of a way out, as a circuit breaker. While the next hop is unreachable, or has refused every mail for
// a fault of the way, it is open, and the way is tried now and then. A way that was tried with success, and has taken
// no mail since, is half-open: it gets one mail at a time.
import { iso, type Clock } from "../../../base/clock.ts";
import { backOffMs } from "../../../base/jobs/retry.ts";
import type { Log } from "../../../base/log.ts";

/** The state of the next hop in this process. */
export type HopState = {
  readonly state: "ANSWERING" | "AWAY" | "UNKNOWN";
  /** The start of this state; null = it has not been tried yet. */
  readonly since: string | null;
  readonly attemptedAt: string | null;
  /** Why it is away. */
  readonly reply: string | null;
};

export type Circuit = "CLOSED" | "HALF_OPEN" | "OPEN";

/** A single such refusal may be about the mail. */
const MOST_REFUSALS_IN_A_ROW = 3;

type ReachabilityOptions = {
  readonly log: Log;
  readonly clock: Pick<Clock, "nowMs">;
  /** Null = there is no other way. */
  readonly way: string | null;
};

export class Reachability {
  readonly #options: ReachabilityOptions;
  #failures = 0;
  #refusals = 0;
  #isTried = false;
  #downSinceMs = 0;
  #probeAtMs = 0;
  #reply: string | null = null;
  /** By the wall clock. */
  #sinceMs: number | null = null;
  #triedAtMs: number | null = null;

  constructor(options: ReachabilityOptions) {
    this.#options = options;
  }

  get circuit(): Circuit {
    if (this.#failures === 0) return "CLOSED";
    return this.#isTried ? "HALF_OPEN" : "OPEN";
  }

  get isDown(): boolean {
    return this.circuit === "OPEN";
  }

  get state(): HopState {
    const [sinceMs, triedAtMs] = [this.#sinceMs, this.#triedAtMs];
    if (sinceMs === null || triedAtMs === null)
      return { state: "UNKNOWN", since: null, attemptedAt: null, reply: null };
    const moments = { since: iso(sinceMs), attemptedAt: iso(triedAtMs) };
    const isAway = this.isDown;
    return { state: isAway ? "AWAY" : "ANSWERING", ...moments, reply: isAway ? this.#reply : null };
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
    if (this.#failures === 0) {
      this.#downSinceMs = nowMs;
      this.#warn(reply);
    }
    this.#isTried = false;
    this.#failures++;
    this.#probeAtMs = nowMs + backOffMs(this.#failures);
  }

  /** The next hop would take no mail at all. `receivers`: the number of different receivers with this refusal. */
  noteRefusal(nowMs: number, reply: string, receivers: number = Infinity): void {
    this.#refusals++;
    if (Math.min(this.#refusals, receivers) >= MOST_REFUSALS_IN_A_ROW || (this.isDown && receivers === Infinity))
      this.failed(nowMs, reply);
  }

  /** The next hop was tried without a mail, and would take one. */
  wouldTake(): void {
    this.#tried(this.isDown);
    this.#isTried = this.#failures > 0;
  }

  answered(nowMs: number): void {
    this.#refusals = 0;
    this.#tried(this.isDown);
    this.#isTried = false;
    if (this.#failures === 0) return;
    this.#failures = 0;
    const downSeconds = Math.round((nowMs - this.#downSinceMs) / 1000);
    this.#options.log.info("the next hop answers again", { ...this.#named, downSeconds });
  }

  get #named() {
    const { way } = this.#options;
    return way === null ? {} : { way };
  }

  #warn(reply: string): void {
    const { log, way } = this.#options;
    if (way === null) log.warn("the next hop cannot be reached; email waits, and no attempt is used up", { reply });
    else log.warn("a sending route cannot be used; email leaves by the next one, or waits", { way, reply });
  }

  #tried(hasTurned: boolean): void {
    this.#triedAtMs = this.#options.clock.nowMs();
    if (hasTurned || this.#sinceMs === null) this.#sinceMs = this.#triedAtMs;
  }
}
