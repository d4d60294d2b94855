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

  constructor(readonly limit: number) {}

  /** Counts one request of `key` at `nowMs` (a clock that never goes back). Refused requests do not count. */
  take(key: number, nowMs: number): Allowance {
    let ring = this.#rings.get(key);
    if (!ring) {
      ring = new Ring(this.limit);
      this.#rings.set(key, ring);
    }
    return ring.take(nowMs);
  }
}

class Ring {
  readonly #times: Float64Array;
  #oldest = 0;
  #count = 0;

  constructor(readonly limit: number) {
    this.#times = new Float64Array(limit);
  }

  take(nowMs: number): Allowance {
    while (this.#count > 0 && nowMs - this.#oldestMs >= WINDOW_MS) {
      this.#oldest = (this.#oldest + 1) % this.limit;
      this.#count--;
    }
    const allowed = this.#count < this.limit;
    if (allowed) this.#times[(this.#oldest + this.#count++) % this.limit] = nowMs;
    const resetSeconds = Math.max(1, Math.ceil((this.#oldestMs + WINDOW_MS - nowMs) / 1000));
    return { allowed, limit: this.limit, remaining: this.limit - this.#count, resetSeconds };
  }

  get #oldestMs(): number {
    return this.#times[this.#oldest] ?? 0;
  }
}
