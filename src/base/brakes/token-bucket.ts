// The rate limit of sending: slots in time, given out from one timestamp in the store.

export type Pace = {
  /** Milliseconds between two slots. */
  readonly intervalMs: number;
  /** How many may leave together after a quiet time; 1 = never two together. */
  readonly burst: number;
  /** How far ahead slots may be taken. */
  readonly horizonMs: number;
};

type Slots = {
  /** The moments of the slots that were taken, ascending. */
  readonly atMs: readonly number[];
  /** The earliest moment of the next slot, which the store must keep. */
  readonly nextAtMs: number;
};

/** Slots are sums of fractions: a slot that is a millionth of a millisecond early is on time. */
const ROUNDING_MS = 1e-6;

/**
 * Takes up to `wanted` slots: in any window of w ms at most burst + w / interval.
 * `nextAtMs` comes from the store. It can never honestly lie further ahead than the horizon and one interval: if it
 * does, the clock was set back between two runs, and waiting for the old time would stop all mail.
 */
export function takeSlots(nextAtMs: number, nowMs: number, wanted: number, pace: Pace): Slots {
  const { intervalMs, burst, horizonMs } = pace;
  const honest = nextAtMs > nowMs + horizonMs + intervalMs + ROUNDING_MS ? nowMs + horizonMs : nextAtMs;
  const firstAtMs = Math.max(honest, nowMs - (burst - 1) * intervalMs);
  const reach = nowMs + horizonMs + ROUNDING_MS - firstAtMs;
  const count = Math.min(wanted, reach < 0 ? 0 : Math.floor(reach / intervalMs) + 1);
  const atMs = Array.from({ length: count }, (_, index) => firstAtMs + index * intervalMs);
  return { atMs, nextAtMs: firstAtMs + count * intervalMs };
}
