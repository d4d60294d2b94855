// The SQL of the latest moment that a server has seen, and of a clock in doubt (clock-watch.ts).
import { iso, MINUTE_MS } from "../base/clock.ts";
import { sql, type Sql } from "./sql.ts";
import type { Reader, Tx } from "./store.ts";
import { makeAllDue } from "./turns.ts";

/**
 * `seenAt`: the latest moment that was believed; null = none yet. `doubtedAt`: the reading of the clock when the doubt
 * began; null = the clock is believed.
 */
export type ClockMark = { readonly seenAt: string | null; readonly doubtedAt: string | null };

export async function seenIn(reader: Reader): Promise<ClockMark> {
  const row = await reader.get<ClockMark>`
    select clock_seen_at as "seenAt", clock_doubted_at as "doubtedAt" from installation where one = 1`;
  return row ?? { seenAt: null, doubtedAt: null };
}

/**
 * The time that the store's test clock has reached, also in a move that a kill has ended; null = the store follows the
 * clock of its servers.
 */
export async function testClockIn(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ at: string | null; seenAt: string | null }>`
    select test_clock_at as at, clock_seen_at as "seenAt" from installation where one = 1`;
  if (!row || row.at === null) return null;
  return row.seenAt !== null && row.seenAt > row.at ? row.seenAt : row.at;
}

export function keepTestClock(tx: Tx): Promise<number> {
  return tx.run`update installation set test_clock_at = ${tx.now}`;
}

/** The doubt in words, while a server doubts its clock; else null. */
export function doubtIn({ seenAt, doubtedAt }: ClockMark): string | null {
  if (doubtedAt === null) return null;
  return `The clock is in doubt: it jumped to ${doubtedAt}, and the latest time seen before is ${seenAt}. Nothing is deleted by age and no scheduled email leaves until the server has run for an hour without another jump. Set the clock right, or, if it is: posthorn clock accept.`;
}

/** Smaller differences come from clocks being adjusted, or from two machines. */
const MIN_BEHIND_MS = MINUTE_MS;

/** The fault in words, while the clock is behind the latest time that a server has believed; else null. */
export function behindIn({ seenAt }: ClockMark, nowMs: number): string | null {
  if (seenAt === null || Date.parse(seenAt) - nowMs < MIN_BEHIND_MS) return null;
  return `The clock is behind: it says ${iso(nowMs)}, and the latest time seen is ${seenAt}. It is wrong now, or it was wrong then. Email and events get the time of now, and scheduled email leaves by it. Set the clock right; if it is, this is over after an hour without a jump, or with: posthorn clock accept.`;
}

/** Keeps the latest moment that was seen, unless the clock has been consistent for long. */
export function keepSeen(tx: Tx, isAgreed: boolean): Promise<number> {
  return tx.run`
    update installation set clock_seen_at = ${tx.now}
    where clock_seen_at is null or clock_seen_at < ${tx.now} or ${isAgreed ? 1 : 0} = 1`;
}

export function doubtClock(tx: Tx, seenAt: string, doubtedAt: string): Promise<number> {
  return tx.run`update installation set clock_seen_at = ${seenAt}, clock_doubted_at = ${doubtedAt}`;
}

/** Servers notice within a second. */
export async function acceptClock(tx: Tx): Promise<void> {
  await tx.run`update installation set clock_seen_at = ${tx.now}, clock_doubted_at = null`;
  await makeAllDue(tx);
}

/**
 * Takes the moment a day ago: true while it is later than the latest time seen, and so the clock more than a day ahead,
 * noticed or not.
 */
export function isFarAhead(aDayAgo: string): Sql {
  return sql`${aDayAgo} > (select coalesce(max(clock_seen_at), ${aDayAgo}) from installation)`;
}

/** A condition for work that depends on the date: true while a server doubts its clock. */
export const CLOCK_IS_IN_DOUBT = sql`exists (select 1 from installation where clock_doubted_at is not null)`;

/** A condition for due work: false while the clock is in doubt and only its jump has made the work due. */
export function isTrulyDue(dueAt: Sql): Sql {
  return sql`not (
    ${dueAt} < (select coalesce(max(clock_doubted_at), '') from installation)
    and ${dueAt} > (select coalesce(max(clock_seen_at), '') from installation))`;
}
