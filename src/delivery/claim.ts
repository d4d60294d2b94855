// Taking due mails for sending, each with the moment at which it may leave (interface-gaps.md §7 "Token bucket").
import { iso } from "../clock.ts";
import { mailQueue } from "../emails/queue-queries.ts";
import { takeSlots, type Pace } from "../jobs/token-bucket.ts";
import type { Tx } from "../store/store.ts";
import { takeInTurn } from "../store/turns.ts";
import { keepNextSlotMs, lockBucket } from "./queries.ts";

/** Of so many slots in a row one is for marketing mail, if any is due; transactional mail comes before it in all others. */
const SLOTS_A_MARKETING_MAIL = 10;

export type ClaimTerms = {
  /** Null = no limit. */
  readonly pace: Pace | null;
  /** The time by which mails wait for their slots; it does not jump when the clock is set. */
  readonly steadyNowMs: () => number;
  /** Slots are counted by the store's clock where it has one, so that the rate holds for all machines together. */
  readonly byStoreClock: boolean;
  /** Renewed while the mail is in hand: when it runs out, the process that claimed is gone. */
  readonly leaseMs: number;
};

type ClaimedMail = { readonly seq: number; readonly atMs: number };

type Claimed = {
  readonly mails: readonly ClaimedMail[];
  /** Milliseconds until slots can be taken again; 0 = they were not what was short. */
  readonly restMs: number;
  /** For the next claim. */
  readonly sinceMarketing: number;
};

/**
 * Claims up to `room` due mails in one change with the slots that they use. `sinceMarketing`: how many slots transactional mail
 * has had since the last of marketing mail, as the last claim answered.
 */
export async function claim(tx: Tx, room: number, terms: ClaimTerms, sinceMarketing: number): Promise<Claimed> {
  const { pace, steadyNowMs } = terms;
  const claimInto = (slotsMs: readonly number[]) =>
    claimLanes(tx, iso(tx.nowMs + terms.leaseMs), slotsMs, sinceMarketing);
  if (pace === null) return { ...(await claimInto(Array(room).fill(steadyNowMs()))), restMs: 0 };
  const { next_at_ms: nextAtMs, now_ms: storeNowMs } = await lockBucket(tx);
  const ownNowMs = steadyNowMs();
  const nowMs = terms.byStoreClock ? (storeNowMs ?? ownNowMs) : ownNowMs;
  const offered = takeSlots(nextAtMs, nowMs, room, pace);
  const claimed = await claimInto(offered.atMs.map((atMs) => ownNowMs + (atMs - nowMs)));
  const count = claimed.mails.length;
  const used = takeSlots(nextAtMs, nowMs, count, pace);
  if (count > 0) await keepNextSlotMs(tx, used.nextAtMs);
  const shortOfSlots = offered.atMs.length < room && count === offered.atMs.length;
  return { ...claimed, restMs: shortOfSlots ? Math.max(1, used.nextAtMs - pace.horizonMs - nowMs) : 0 };
}

async function claimLanes(
  tx: Tx,
  leaseUntil: string,
  slotsMs: readonly number[],
  sinceMarketing: number,
): Promise<Omit<Claimed, "restMs">> {
  const take = async (lane: 0 | 1, most: number) =>
    most > 0 ? await takeInTurn(tx, mailQueue(lane, leaseUntil), most) : [];
  const slots = slotsMs.length;
  const marketing = await take(1, Math.floor((sinceMarketing + slots) / SLOTS_A_MARKETING_MAIL));
  const transactional = await take(0, slots - marketing.length);
  const more = await take(1, slots - transactional.length - marketing.length);
  const claimed = [...transactional, ...marketing, ...more];
  return {
    mails: claimed.map(({ seq }, index) => ({ seq, atMs: slotsMs[index] as number })),
    sinceMarketing: slotsSince(sinceMarketing, transactional.length, marketing.length + more.length),
  };
}

/** Each marketing mail uses up nine slots of transactional mail; that it waits for more gives it no more than the next slot. */
function slotsSince(before: number, transactional: number, marketing: number): number {
  const most = SLOTS_A_MARKETING_MAIL - 1;
  return Math.min(most, Math.max(0, before + transactional - marketing * most));
}
