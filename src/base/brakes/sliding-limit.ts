// A limit in any sliding window of time, by key (a workspace, a client, an address), in bounded memory.

export type Allowance = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until there is room for one more than now; 0 = nothing counts at the moment. */
  readonly resetSeconds: number;
};

/** Beyond that number, the keys that were unused for longest are forgotten. */
const MAX_KEYS = 10_000;
const UNLIMITED: Allowance = { allowed: true, limit: 0, remaining: 0, resetSeconds: 0 };

export class SlidingLimit {
  /** When each key was counted, oldest first; the key that was counted longest ago comes first. */
  readonly #times = new Map<string | number, number[]>();

  readonly #most: () => number;

  /** `most`: 0 = no limit; a function is asked each time. Times come from a clock that never goes back. */
  constructor(
    most: number | (() => number),
    private readonly windowMs: number,
  ) {
    this.#most = typeof most === "number" ? () => most : most;
  }

  /** The number of keys it remembers. */
  get size(): number {
    return this.#times.size;
  }

  /** Counts one use if there is room for it. */
  take(key: string | number, nowMs: number): Allowance {
    if (this.#most() === 0) return UNLIMITED;
    const { allowed } = this.left(key, nowMs);
    if (allowed) this.count(key, nowMs);
    return { ...this.left(key, nowMs), allowed };
  }

  /** As `take`, but counts nothing. */
  left(key: string | number, nowMs: number): Allowance {
    const limit = this.#most();
    if (limit === 0) return UNLIMITED;
    const times = this.#within(key, nowMs);
    const remaining = Math.max(0, limit - times.length);
    const oldest = times[Math.max(0, times.length - limit)];
    const resetSeconds = oldest === undefined ? 0 : Math.max(1, Math.ceil((oldest + this.windowMs - nowMs) / 1000));
    return { allowed: remaining > 0, limit, remaining, resetSeconds };
  }

  /** Seconds until there is room for one more; 0 = there is room. */
  waitSeconds(key: string | number, nowMs: number): number {
    const { allowed, resetSeconds } = this.left(key, nowMs);
    return allowed ? 0 : resetSeconds;
  }

  /** Counts one use, with or without room; answers how many count now. */
  count(key: string | number, nowMs: number): number {
    if (this.#most() === 0) return 0;
    const times = this.#within(key, nowMs);
    this.#times.delete(key);
    this.#times.set(key, times);
    times.push(nowMs);
    this.#forget(nowMs);
    return times.length;
  }

  /** Takes back one use that was counted at `timeMs`. */
  uncount(key: string | number, timeMs: number): void {
    const times = this.#times.get(key) ?? [];
    const at = times.lastIndexOf(timeMs);
    if (at >= 0) times.splice(at, 1);
  }

  #within(key: string | number, nowMs: number): number[] {
    const times = this.#times.get(key) ?? [];
    const counting = times.findIndex((time) => nowMs - time < this.windowMs);
    times.splice(0, counting < 0 ? times.length : counting);
    return times;
  }

  #forget(nowMs: number): void {
    for (const [key, times] of this.#times) {
      const isOver = nowMs - (times.at(-1) ?? -Infinity) >= this.windowMs;
      if (!isOver && this.#times.size <= MAX_KEYS) return;
      this.#times.delete(key);
    }
  }
}
