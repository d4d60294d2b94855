// Claims due mails, each with the moment at which it may leave. This is the hottest path, so its statements answer bare
// numbers.
//
// The rate is one row: the earliest moment of the next slot. A claim takes slots up to 250 ms ahead and each mail
// leaves at its moment, so neither a late loop nor a restart nor a clock that is set makes a burst. On PostgreSQL slots
// follow the database's clock.
import { takeSlots, type Pace } from "../brakes/token-bucket.ts";
import { iso, type Clock } from "../clock.ts";
import { mailQueue } from "../emails/queue-queries.ts";
import type { Sql } from "../store/sql.ts";
import type { Tx } from "../store/store.ts";
import { EQUAL, takeInTurn, type Shares } from "../store/turns.ts";
import { keepNextSlotMs, lockBucket } from "./queries.ts";

/** One slot in so many is for marketing mail, if any is due; in all others transactional mail comes first. */
const SLOTS_A_MARKETING_MAIL = 10;

export type ClaimTerms = {
  /** Null = no limit. */
  readonly pace: Pace | null;
  /** The row that keeps the next slot. */
  readonly pacer: string;
  /** Which of the queued mails; null = all of them. */
  readonly only: Sql | null;
  /** The store's, so that the rate holds for all machines together. */
  readonly clock: Clock;
  /** Renewed while the mail is in hand: once it has run out, the process that claimed it is gone. */
  readonly leaseMs: number;
  /** How many each workspace may have; as many as the others, unless given. */
  readonly shares?: Shares;
};

/** `atMs`: by the steady clock. */
type ClaimedMail = { readonly seq: number; readonly workspace: number; readonly atMs: number };

export type Claim = {
  readonly mails: readonly ClaimedMail[];
  /** Milliseconds until there are slots again; 0 = there were enough. */
  readonly restMs: number;
  /** For the next claim. */
  readonly sinceMarketing: number;
};

/**
 * Claims up to `room` due mails, in one transaction with the slots that they use. `sinceMarketing`: how many slots
 * transactional mail has had since the last marketing mail, as the last claim answered.
 */
export async function claim(tx: Tx, room: number, terms: ClaimTerms, sinceMarketing: number): Promise<Claim> {
  const { pace, pacer, clock } = terms;
  const claimInto = (slotsMs: readonly number[]) => claimLanes(tx, terms, slotsMs, sinceMarketing);
  if (pace === null) return { ...(await claimInto(Array(room).fill(clock.steadyNowMs()))), restMs: 0 };
  const nextAtMs = await lockBucket(tx, pacer);
  const nowMs = clock.steadyNowMs();
  const offered = takeSlots(nextAtMs, nowMs, room, pace);
  const claimed = await claimInto(offered.atMs);
  const count = claimed.mails.length;
  const used = takeSlots(nextAtMs, nowMs, count, pace);
  if (count > 0) await keepNextSlotMs(tx, pacer, used.nextAtMs);
  const shortOfSlots = offered.atMs.length < room && count === offered.atMs.length;
  return { ...claimed, restMs: shortOfSlots ? Math.max(1, used.nextAtMs - pace.horizonMs - nowMs) : 0 };
}

/**
 * Takes a slot for a mail that is in hand already; answers its moment, by the steady clock, or null if the rate has none
 * yet.
 */
export async function takeSlot(
  tx: Tx,
  { pace, pacer, clock }: Pick<ClaimTerms, "pace" | "pacer" | "clock">,
): Promise<number | null> {
  const nowMs = clock.steadyNowMs();
  if (pace === null) return nowMs;
  const { atMs, nextAtMs } = takeSlots(await lockBucket(tx, pacer), nowMs, 1, pace);
  if (atMs.length > 0) await keepNextSlotMs(tx, pacer, nextAtMs);
  return atMs[0] ?? null;
}

async function claimLanes(
  tx: Tx,
  { leaseMs, only, shares = EQUAL }: ClaimTerms,
  slotsMs: readonly number[],
  sinceMarketing: number,
): Promise<Omit<Claim, "restMs">> {
  const had = new Map<number, number>();
  const mostOf = (workspace: number) => shares.mostOf(workspace) - (had.get(workspace) ?? 0);
  const take = async (lane: 0 | 1, most: number) => {
    if (most <= 0) return [];
    const mails = await takeInTurn(tx, mailQueue({ lane, leaseUntil: iso(tx.nowMs + leaseMs), only }), most, {
      ...shares,
      mostOf,
    });
    for (const { workspace } of mails) had.set(workspace, (had.get(workspace) ?? 0) + 1);
    return mails;
  };
  const slots = slotsMs.length;
  const marketing = await take(1, Math.floor((sinceMarketing + slots) / SLOTS_A_MARKETING_MAIL));
  const transactional = await take(0, slots - marketing.length);
  const more = await take(1, slots - transactional.length - marketing.length);
  const claimed = [...transactional, ...marketing, ...more];
  return {
    mails: claimed.map((mail, index) => ({ ...mail, atMs: slotsMs[index] as number })),
    sinceMarketing: slotsSince(sinceMarketing, transactional.length, marketing.length + more.length),
  };
}

/**
 * Each marketing mail uses up nine slots of transactional mail; however long it waits, it gets no more than the next
 * slot.
 */
function slotsSince(before: number, transactional: number, marketing: number): number {
  const most = SLOTS_A_MARKETING_MAIL - 1;
  return Math.min(most, Math.max(0, before + transactional - marketing * most));
}
