// How long a loop rests until work is due.

/** No work is scheduled: a loop rests until it is kicked, or looks again (`lookEveryMs`). */
export const NOTHING_DUE = Infinity;
/** For loops whose work other processes may leave without a signal. */
export const LOOK_OFTEN_MS = 5_000;
/** The rest while another process has the due work in hand. */
export const SHORT_REST_MS = 50;

/** Milliseconds from `nowMs` until `dueAt`; 0 = it is due. Null = no work is scheduled. */
export function restUntil(dueAt: string | null, nowMs: number): number {
  return dueAt === null ? NOTHING_DUE : Math.max(0, Date.parse(dueAt) - nowMs);
}
