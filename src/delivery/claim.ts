// Taking due mails for sending, each with the moment at which it may leave (interface-gaps.md §7 "Token bucket").
import { iso } from "../clock.ts";
import { claimDue } from "../emails/queries.ts";
import { takeSlots, type Pace } from "../jobs/token-bucket.ts";
import type { Tx } from "../store/store.ts";
import { keepNextSlotMs, lockBucket } from "./queries.ts";

/** Transactional mail, then marketing mail. */
const LANES = [0, 1];

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

type Claimed = {
  readonly mails: readonly { readonly seq: number; readonly atMs: number }[];
  /** Milliseconds until slots can be taken again; 0 = they were not what was short. */
  readonly restMs: number;
};

/** Claims up to `room` due mails in one change with the slots that they use. */
export async function claim(tx: Tx, room: number, terms: ClaimTerms): Promise<Claimed> {
  const { pace, steadyNowMs } = terms;
  const leaseUntil = iso(tx.nowMs + terms.leaseMs);
  if (pace === null) return { mails: await claimLanes(tx, leaseUntil, Array(room).fill(steadyNowMs())), restMs: 0 };
  const { next_at_ms: nextAtMs, now_ms: storeNowMs } = await lockBucket(tx);
  const ownNowMs = steadyNowMs();
  const nowMs = terms.byStoreClock ? (storeNowMs ?? ownNowMs) : ownNowMs;
  const offered = takeSlots(nextAtMs, nowMs, room, pace);
  const mails = await claimLanes(
    tx,
    leaseUntil,
    offered.atMs.map((atMs) => ownNowMs + (atMs - nowMs)),
  );
  const used = takeSlots(nextAtMs, nowMs, mails.length, pace);
  if (mails.length > 0) await keepNextSlotMs(tx, used.nextAtMs);
  const shortOfSlots = offered.atMs.length < room && mails.length === offered.atMs.length;
  return { mails, restMs: shortOfSlots ? Math.max(1, used.nextAtMs - pace.horizonMs - nowMs) : 0 };
}

async function claimLanes(
  tx: Tx,
  leaseUntil: string,
  slotsMs: readonly number[],
): Promise<{ seq: number; atMs: number }[]> {
  const claimed: number[] = [];
  for (const lane of LANES) {
    if (claimed.length === slotsMs.length) break;
    const rows = await claimDue(tx, lane, slotsMs.length - claimed.length, leaseUntil);
    claimed.push(...rows.map((row) => row.seq).sort((one, other) => one - other));
  }
  return claimed.map((seq, index) => ({ seq, atMs: slotsMs[index] as number }));
}
