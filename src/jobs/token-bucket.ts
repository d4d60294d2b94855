// The rate at which things may leave: slots in time, handed out from one moment that is kept in the store.

export type Pace = {
  /** Milliseconds between two slots. */
  readonly intervalMs: number;
  /** How many may leave at once after a quiet time; 1 = never two together. */
  readonly burst: number;
  /** How far ahead slots may be taken. */
  readonly horizonMs: number;
};

export type Slots = {
  /** The moments at which the taken ones may leave, ascending. */
  readonly atMs: readonly number[];
  /** The earliest moment of the next slot: what the store must keep. */
  readonly nextAtMs: number;
};

/**
 * Takes up to `wanted` slots (interface-gaps.md §7 "Token bucket": in any window of w ms at most burst + w / interval).
 * `nextAtMs` is what the store kept. It can never honestly lie further ahead than the horizon and one interval: if it
 * does, the clock was set back, and waiting for the old time would stop all mail.
 */
export function takeSlots(nextAtMs: number, nowMs: number, wanted: number, pace: Pace): Slots {
  const honest = Math.min(nextAtMs, nowMs + pace.horizonMs + pace.intervalMs);
  let at = Math.max(honest, nowMs - (pace.burst - 1) * pace.intervalMs);
  const atMs: number[] = [];
  while (atMs.length < wanted && at <= nowMs + pace.horizonMs) {
    atMs.push(at);
    at += pace.intervalMs;
  }
  return { atMs, nextAtMs: at };
}
