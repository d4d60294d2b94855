// Claims due mails, each with the moment at which it may leave. This is the hottest path, so its statements answer bare
// numbers.
import { iso } from "../../base/clock.ts";
import { MARKETING, TRANSACTIONAL, type Lane } from "../../mail/emails/queue/holds.ts";
import { mailQueue } from "../../mail/emails/queue/queue-queries.ts";
import type { Sql } from "../../store/sql.ts";
import type { Tx } from "../../store/store.ts";
import { EQUAL, takeInTurn, type Shares } from "../../store/turns.ts";
import { offerOf } from "./limits/limit.ts";
import { rateLimits, type ClaimedMail, type Rate } from "./limits/rate.ts";

/** One slot in this many is for marketing mail, if any is due; in all others transactional mail comes first. */
const SLOTS_A_MARKETING_MAIL = 10;

export type ClaimTerms = Rate & {
  /** Selects the queued mails that may be claimed; null = all of them. */
  readonly only: readonly Sql[] | null;
  /** Renewed while the mail is in hand: an expired lease means that the process is gone. */
  readonly leaseMs: number;
  /** The next hop (hop-queries.ts); null = there is one way only. */
  readonly hop?: number | null;
  /** The most that each workspace may have; unless given, all have the same share. */
  readonly shares?: Shares;
};

export type Claim = {
  readonly mails: readonly ClaimedMail[];
  /** Milliseconds until there are slots again; 0 = there were enough. */
  readonly restMs: number;
  /** Passed to the next claim. */
  readonly sinceMarketing: number;
};

/**
 * Claims up to `room` due mails, in one transaction with the slots that they use. `sinceMarketing`: slots that
 * transactional mail has had since the last marketing mail, as the last claim answered.
 */
export async function claim(tx: Tx, room: number, terms: ClaimTerms, sinceMarketing: number): Promise<Claim> {
  const { atMs, take } = await offerOf(tx, rateLimits(terms), terms.clock, room);
  const claimed = await claimLanes(tx, terms, atMs, sinceMarketing);
  const restMs = await take(claimed.mails.length);
  const isShort = atMs.length < room && claimed.mails.length === atMs.length;
  return { ...claimed, restMs: isShort ? restMs : 0 };
}

async function claimLanes(
  tx: Tx,
  { leaseMs, only, hop = null, shares = EQUAL }: ClaimTerms,
  slotsMs: readonly number[],
  sinceMarketing: number,
): Promise<Omit<Claim, "restMs">> {
  const had = new Map<number, number>();
  const mostOf = (workspace: number) => shares.mostOf(workspace) - (had.get(workspace) ?? 0);
  const take = async (lane: Lane, most: number) => {
    if (most <= 0) return [];
    const mails = await takeInTurn(tx, mailQueue({ lane, leaseUntil: iso(tx.nowMs + leaseMs), only, hop }), most, {
      ...shares,
      mostOf,
    });
    for (const { workspace } of mails) had.set(workspace, (had.get(workspace) ?? 0) + 1);
    return mails;
  };
  const slots = slotsMs.length;
  const marketing = await take(MARKETING, Math.floor((sinceMarketing + slots) / SLOTS_A_MARKETING_MAIL));
  const transactional = await take(TRANSACTIONAL, slots - marketing.length);
  const more = await take(MARKETING, slots - transactional.length - marketing.length);
  const claimed = [...transactional, ...marketing, ...more];
  return {
    mails: claimed.map((mail, index) => ({ ...mail, atMs: slotsMs[index] as number })),
    sinceMarketing: slotsSince(sinceMarketing, transactional.length, marketing.length + more.length),
  };
}

/** Each marketing mail uses up nine slots of transactional mail; after a long wait it still gets only the next slot. */
function slotsSince(before: number, transactional: number, marketing: number): number {
  const most = SLOTS_A_MARKETING_MAIL - 1;
  return Math.min(most, Math.max(0, before + transactional - marketing * most));
}
