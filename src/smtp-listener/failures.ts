// How often something has failed of late, by who did it: so that nobody tries again and again.
import { BoundedMap } from "../bounded-map.ts";

/** More would let strangers fill the memory. */
const MOST_KEYS = 10_000;

type Entry = { count: number; readonly sinceMs: number };

/** `most` failures in `windowMs`; times are of a clock that never goes back. */
export class Failures {
  readonly #entries = new BoundedMap<string, Entry>(MOST_KEYS);

  constructor(
    private readonly most: number,
    private readonly windowMs: number,
  ) {}

  isTooMany(key: string, nowMs: number): boolean {
    return (this.#current(key, nowMs)?.count ?? 0) >= this.most;
  }

  /** Counts one more; answers how many there are. */
  add(key: string, nowMs: number): number {
    const entry = this.#current(key, nowMs) ?? this.#enter(key, nowMs);
    return ++entry.count;
  }

  #current(key: string, nowMs: number): Entry | null {
    const entry = this.#entries.get(key);
    if (!entry) return null;
    if (nowMs - entry.sinceMs < this.windowMs) return entry;
    this.#entries.delete(key);
    return null;
  }

  #enter(key: string, nowMs: number): Entry {
    const entry = { count: 0, sinceMs: nowMs };
    this.#entries.set(key, entry);
    return entry;
  }
}
