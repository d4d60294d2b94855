// How long a loop rests until something is due.

/** Another process may have left something without a signal. */
export const LONGEST_REST_MS = 5_000;
/** Something is due, but another process has it in hand. */
export const SHORT_REST_MS = 50;

/** Milliseconds from `nowMs` until `dueAt`, at most `longestMs`; 0 = it is due. Null = nothing is going to be. */
export function restUntil(dueAt: string | null, nowMs: number, longestMs = LONGEST_REST_MS): number {
  return dueAt === null ? longestMs : Math.max(0, Math.min(longestMs, Date.parse(dueAt) - nowMs));
}
