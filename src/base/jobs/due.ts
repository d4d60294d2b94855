// How long a loop rests until work is due.

/** Another process may have left work without a signal. */
export const LONGEST_REST_MS = 5_000;
/** The rest while another process has the due work in hand. */
export const SHORT_REST_MS = 50;

/** Milliseconds from `nowMs` until `dueAt`, at most `longestMs`; 0 = it is due. Null = no work is scheduled. */
export function restUntil(dueAt: string | null, nowMs: number, longestMs = LONGEST_REST_MS): number {
  return dueAt === null ? longestMs : Math.max(0, Math.min(longestMs, Date.parse(dueAt) - nowMs));
}
