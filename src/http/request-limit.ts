// How many requests a workspace may make: exactly so many in any sliding minute.

const WINDOW_MS = 60_000;

export type Allowance = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the oldest request of the window no longer counts. */
  readonly resetSeconds: number;
};

/** Remembers the last `limit` request times of each key in a ring; the one that is overwritten must have left the window. */
export class RequestLimit {
  readonly #rings = new Map<number, Ring>();

  /** `limit`: 0 = as many as there are. */
  constructor(readonly limit: number) {}

  /** Counts one request of `key` at `nowMs` (a clock that never goes back). Refused requests do not count. */
  take(key: number, nowMs: number): Allowance {
    const allowed = this.limit === 0 || this.#ringOf(key).take(nowMs);
    return { ...this.left(key, nowMs), allowed };
  }

  /** As `take`, but counts nothing. */
  left(key: number, nowMs: number): Allowance {
    if (this.limit === 0) return { allowed: true, limit: 0, remaining: 0, resetSeconds: 0 };
    return this.#ringOf(key).left(nowMs);
  }

  #ringOf(key: number): Ring {
    const ring = this.#rings.get(key) ?? new Ring(this.limit);
    this.#rings.set(key, ring);
    return ring;
  }
}

class Ring {
  readonly #times: Float64Array;
  #oldest = 0;
  #count = 0;

  constructor(readonly limit: number) {
    this.#times = new Float64Array(limit);
  }

  /** Answers whether there was room. */
  take(nowMs: number): boolean {
    this.#forget(nowMs);
    const allowed = this.#count < this.limit;
    if (allowed) this.#times[(this.#oldest + this.#count++) % this.limit] = nowMs;
    return allowed;
  }

  left(nowMs: number): Allowance {
    this.#forget(nowMs);
    const remaining = this.limit - this.#count;
    const resetSeconds =
      remaining === this.limit ? 0 : Math.max(1, Math.ceil((this.#oldestMs + WINDOW_MS - nowMs) / 1000));
    return { allowed: remaining > 0, limit: this.limit, remaining, resetSeconds };
  }

  #forget(nowMs: number): void {
    while (this.#count > 0 && nowMs - this.#oldestMs >= WINDOW_MS) {
      this.#oldest = (this.#oldest + 1) % this.limit;
      this.#count--;
    }
  }

  get #oldestMs(): number {
    return this.#times[this.#oldest] ?? 0;
  }
}
