// So many in any window of time, by whatever tells those who do it apart; in memory that does not grow without end.

/** Beyond that the longest unused are forgotten. */
const MAX_KEYS = 10_000;

export class SlidingLimit {
  /** When each did it, oldest first; the longest unused first. */
  readonly #times = new Map<string, number[]>();

  constructor(
    private readonly most: number,
    private readonly windowMs: number,
  ) {}

  get size(): number {
    return this.#times.size;
  }

  /** How many seconds from `nowMs` (a clock that never goes back) on there is room for one more; 0 = now. */
  waitSeconds(key: string, nowMs: number): number {
    const times = this.#within(key, nowMs);
    const [oldest] = times.slice(-this.most);
    return times.length < this.most || oldest === undefined
      ? 0
      : Math.max(1, Math.ceil((oldest + this.windowMs - nowMs) / 1000));
  }

  count(key: string, nowMs: number): void {
    const times = this.#within(key, nowMs);
    this.#times.delete(key);
    this.#times.set(key, [...times, nowMs]);
    this.#forget(nowMs);
  }

  /** As if it had not been done at `timeMs`. */
  uncount(key: string, timeMs: number): void {
    const times = this.#times.get(key) ?? [];
    const at = times.lastIndexOf(timeMs);
    if (at >= 0) this.#times.set(key, times.toSpliced(at, 1));
  }

  #within(key: string, nowMs: number): readonly number[] {
    return (this.#times.get(key) ?? []).filter((time) => nowMs - time < this.windowMs);
  }

  #forget(nowMs: number): void {
    for (const [key, times] of this.#times) {
      const isOver = nowMs - (times.at(-1) ?? 0) >= this.windowMs;
      if (!isOver && this.#times.size <= MAX_KEYS) return;
      this.#times.delete(key);
    }
  }
}
