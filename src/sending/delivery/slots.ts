// The rate of a way out: moments at which mails may leave.
//
// It is one row: the earliest moment of the next slot. A claim takes slots up to 250 ms ahead and each mail leaves at
// its moment, so no late loop, restart or clock change makes a burst. On PostgreSQL slots follow the database's clock.
import { takeSlots, type Pace } from "../../base/brakes/token-bucket.ts";
import type { Clock } from "../../base/clock.ts";
import type { Tx } from "../../store/store.ts";
import { keepNextSlotMs, lockBucket } from "../open-ways/pacer-queries.ts";

export type Rate = {
  /** Null = no limit. */
  readonly pace: Pace | null;
  /** The row that keeps the next slot. */
  readonly pacer: string;
  /** The store's clock, so that the rate holds for all machines together. */
  readonly clock: Clock;
};

/** `atMs`: by the steady clock. */
export type ClaimedMail = { readonly seq: number; readonly workspace: number; readonly atMs: number };

/** Slots of the rate, `room` at most, locked until the transaction ends. */
type SlotOffer = {
  readonly atMs: readonly number[];
  /** Takes the first `count` slots; answers how long there will be none. */
  readonly keep: (count: number) => Promise<number>;
};

export async function offerOf(tx: Tx, { pace, pacer, clock }: Rate, room: number): Promise<SlotOffer> {
  if (pace === null) return { atMs: Array(room).fill(clock.steadyNowMs()), keep: async () => 0 };
  const nextAtMs = await lockBucket(tx, pacer);
  const nowMs = clock.steadyNowMs();
  const { atMs } = takeSlots(nextAtMs, nowMs, room, pace);
  const keep = async (count: number) => {
    const used = takeSlots(nextAtMs, nowMs, count, pace);
    if (count > 0) await keepNextSlotMs(tx, pacer, used.nextAtMs);
    const isShort = atMs.length < room && count === atMs.length;
    return isShort ? Math.max(1, used.nextAtMs - pace.horizonMs - nowMs) : 0;
  };
  return { atMs, keep };
}

/**
 * Takes a slot for a mail that is in hand already; answers its moment, by the steady clock, or null if the rate has
 * none yet.
 */
export async function takeSlot(tx: Tx, { pace, pacer, clock }: Rate): Promise<number | null> {
  const nowMs = clock.steadyNowMs();
  if (pace === null) return nowMs;
  const { atMs, nextAtMs } = takeSlots(await lockBucket(tx, pacer), nowMs, 1, pace);
  if (atMs.length > 0) await keepNextSlotMs(tx, pacer, nextAtMs);
  return atMs[0] ?? null;
}
