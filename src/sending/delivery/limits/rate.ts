// The rate of a way out: moments at which mails may leave.
//
// It is one row: the earliest moment of the next slot. A claim takes slots up to 250 ms ahead and each mail leaves at
// its moment, so no late loop, restart or clock change makes a burst. On PostgreSQL slots follow the database's clock.
import type { Pace } from "../../../base/brakes/token-bucket.ts";
import type { Clock } from "../../../base/clock.ts";
import type { Tx } from "../../../store/store.ts";
import { keepNextSlotMs, lockBucket } from "../../open-ways/pacer-queries.ts";
import { offerOf, paceOnly, type Limit } from "./limit.ts";

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

const NO_LIMIT: readonly Limit[] = [];

export function rateLimits({ pace, pacer }: Rate): readonly Limit[] {
  if (pace === null) return NO_LIMIT;
  const lock = async (tx: Tx) => paceOnly(await lockBucket(tx, pacer));
  return [{ pace, notBefore: null, lock, take: (tx, _, nextAtMs) => keepNextSlotMs(tx, pacer, nextAtMs) }];
}

/**
 * Takes a slot for a mail that is in hand already; answers its moment, by the steady clock, or null if the rate has
 * none yet.
 */
export async function takeSlot(tx: Tx, rate: Rate): Promise<number | null> {
  const { atMs, take } = await offerOf(tx, rateLimits(rate), rate.clock, 1);
  await take(atMs.length);
  return atMs[0] ?? null;
}
