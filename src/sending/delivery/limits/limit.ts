// A limit of mail that leaves: the rate of a way (rate.ts), the pace of a mailbox provider and the plan of a warm-up
// (../pace/). Each keeps a bucket in the store, so it holds for all processes; a claim takes from all of its limits.
import { takeSlots, type Pace } from "../../../base/brakes/token-bucket.ts";
import type { Clock } from "../../../base/clock.ts";
import type { MailToSend } from "../../../mail/emails/queries.ts";
import type { Lane } from "../../../mail/emails/queue/holds.ts";
import type { Tx } from "../../../store/store.ts";
import type { HandoverOutcome } from "../../carrier/transport/transport.ts";

export type Limit = {
  readonly pace: Pace;
  /** No mail may leave before it; null = no rest. */
  readonly notBefore: string | null;
  /** Locks the bucket until the transaction ends; null = the limit is gone. */
  readonly lock: (tx: Tx) => Promise<LimitLevel | null>;
  /** `nextAtMs`: the earliest moment of the next mail. */
  readonly take: (tx: Tx, count: number, nextAtMs: number) => Promise<unknown>;
};

/** `left`: the most that may leave, until one more may after `moreInMs`. */
export type LimitLevel = { readonly nextAtMs: number; readonly left: number; readonly moreInMs: number };

/** The level of a limit that has a pace and no quota. */
export function paceOnly(nextAtMs: number): LimitLevel {
  return { nextAtMs, left: Infinity, moreInMs: Infinity };
}

/** `domain`: of the sender; 0 = it is gone. */
export type LimitedMail = { readonly workspace: number; readonly domain: number; readonly mailbox: string };

/**
 * The limits of one kind on mail for mailbox providers: mail that they hold waits in the backlog of its workspace,
 * sender domain and provider. A limit by anything else also needs it in the key of backlogs (../pace/backlogs.ts).
 */
export type LimitKind = {
  /** Whether some mail of this kind may have to wait; answered from memory, for each mail. */
  readonly concerns: (workspace: number, isMarketing: boolean) => boolean;
  /** The same for one mail, before its mailbox provider is known. */
  readonly mayHold: (mail: MailToSend, way: string) => boolean | Promise<boolean>;
  /** Mail without a limit in `on` must not be held. */
  readonly holds: (mail: MailToSend, way: string, mailbox: string) => boolean;
  /** The limits on this way; null = no limit on any way. */
  readonly on: (mail: LimitedMail, lane: Lane, way: string) => readonly Limit[] | null;
  /** Returns what the claim took for a mail that does not leave, for example after an unsubscribe. */
  readonly giveBack?: (mail: MailShare, way: string) => void;
  readonly learn?: (mail: MailToSend, way: string, outcome: HandoverOutcome) => void;
};

/** The part of a mail that a limit counts: without its texts, which are large. */
export type MailShare = Pick<MailToSend, "senderDomain" | "toAddress" | "kind">;

/** `atMs`: moments at which mails may leave, by the steady clock. */
export type LimitOffer = {
  readonly atMs: readonly number[];
  /** Takes the first `count`; answers how long there will be no more. */
  readonly take: (count: number) => Promise<number>;
};

/** Until a used-up limit is checked again. */
export const USED_UP_MS = 30_000;

/** As much as every limit allows, `most` at most. Locked until the transaction ends. */
export async function offerOf(tx: Tx, limits: readonly Limit[], clock: Clock, most: number): Promise<LimitOffer> {
  const buckets = limits.length === 0 ? [] : await lockedOf(tx, limits);
  const nowMs = clock.steadyNowMs();
  if (buckets.length === 0) return { atMs: Array(most).fill(nowMs), take: async () => 0 };
  const slots = buckets.map(({ nextAtMs, left, pace }) => takeSlots(nextAtMs, nowMs, Math.min(most, left), pace).atMs);
  const room = Math.min(...slots.map(({ length }) => length));
  const take = async (count: number) => {
    let restMs = 1;
    for (const { pace, nextAtMs, left, moreInMs, take } of buckets) {
      const after = takeSlots(nextAtMs, nowMs, count, pace).nextAtMs;
      if (count > 0) await take(tx, count, after);
      const untilMore = moreInMs === Infinity ? USED_UP_MS : moreInMs;
      restMs = Math.max(restMs, left === 0 ? untilMore : after - pace.horizonMs - nowMs);
    }
    return restMs;
  };
  return {
    atMs: Array.from({ length: room }, (_, at) => Math.max(...slots.map((moments) => moments[at] ?? nowMs))),
    take,
  };
}

async function lockedOf(tx: Tx, limits: readonly Limit[]): Promise<(Limit & LimitLevel)[]> {
  const buckets: (Limit & LimitLevel)[] = [];
  for (const limit of limits) {
    const level = await limit.lock(tx);
    if (level !== null) buckets.push({ ...limit, ...level });
  }
  return buckets;
}
