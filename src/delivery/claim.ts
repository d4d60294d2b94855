// Taking due mails for sending, each with the moment at which it may leave (interface-gaps.md §7 "Token bucket").
import { iso } from "../clock.ts";
import { claimDue } from "../emails/queries.ts";
import { takeSlots, type Pace } from "../jobs/token-bucket.ts";
import type { Tx } from "../store/store.ts";
import { keepNextSlotMs, nextSlotMs } from "./queries.ts";

/** Transactional mail, then marketing mail. */
const LANES = [0, 1];

export type ClaimTerms = {
  /** Null = no limit. */
  readonly pace: Pace | null;
  /** The time by which slots are counted; it does not jump when somebody sets the clock. */
  readonly steadyNowMs: () => number;
  /** Renewed while the mail is in hand: when it runs out, the process that claimed is gone. */
  readonly leaseMs: number;
};

export type Claimed = {
  readonly mails: readonly { readonly seq: number; readonly atMs: number }[];
  /** Milliseconds until slots can be taken again; 0 = they were not what was short. */
  readonly restMs: number;
};

/** Claims up to `room` due mails in one change with the slots that they use. */
export async function claim(tx: Tx, room: number, { pace, leaseMs, steadyNowMs }: ClaimTerms): Promise<Claimed> {
  const leaseUntil = iso(tx.nowMs + leaseMs);
  const nowMs = steadyNowMs();
  if (pace === null) return { mails: await claimLanes(tx, leaseUntil, Array(room).fill(nowMs)), restMs: 0 };
  const nextAtMs = await nextSlotMs(tx);
  const offered = takeSlots(nextAtMs, nowMs, room, pace);
  const mails = await claimLanes(tx, leaseUntil, offered.atMs);
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
