// When to try again.

/**
 * Milliseconds to wait after the `attempts`-th failed attempt, or null when the schedule is used up.
 * `chance` in [0, 1) spreads the retries by up to a tenth either way, so that they do not all come back together.
 */
export function retryDelayMs(scheduleSeconds: readonly number[], attempts: number, chance: number): number | null {
  const seconds = scheduleSeconds[attempts - 1];
  return seconds === undefined ? null : Math.round(seconds * 1000 * (0.9 + 0.2 * chance));
}

/** Doubling from one second to a minute: for a next hop that cannot be reached at all. */
export function backOffMs(failuresInARow: number): number {
  return Math.min(60_000, 1_000 * 2 ** Math.min(failuresInARow - 1, 6));
}

/** Milliseconds that a Retry-After asks for (RFC 9110 §10.2.3: seconds, or a date); 0 = it asks for none. */
export function retryAfterMs(text: string | null, nowMs: number): number {
  if (text === null) return 0;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs);
}
