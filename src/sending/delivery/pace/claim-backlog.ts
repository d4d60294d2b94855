// Claims mail that waits for the pace of a mailbox provider: as much as its limits and the rate of the way allow.
import { takeSlots, type Pace } from "../../../base/brakes/token-bucket.ts";
import { iso } from "../../../base/clock.ts";
import type { Lane } from "../../../mail/emails/holds.ts";
import { claimPaced } from "../../../mail/emails/pace-queries.ts";
import type { Sql } from "../../../store/sql.ts";
import type { Tx } from "../../../store/store.ts";
import { offerOf, type ClaimedMail, type Rate } from "../slots.ts";
import type { MailBacklog } from "./queries.ts";

/** A bucket in the store. */
export type Limit = {
  readonly pace: Pace;
  /** No mail may leave before it; null = no rest. */
  readonly notBefore: string | null;
  /** Locks the bucket; null = the limit is gone. */
  readonly lock: (tx: Tx) => Promise<Level | null>;
  readonly keep: (tx: Tx, nextAtMs: number, count: number) => Promise<unknown>;
};

/**
 * `nextAtMs`: the earliest moment of the next mail. `left`: the most that may leave, until one more may after
 * `moreInMs`.
 */
type Level = { readonly nextAtMs: number; readonly left: number; readonly moreInMs: number };

type BacklogTerms = Rate & {
  readonly backlog: MailBacklog;
  readonly lane: Lane;
  readonly limits: readonly Limit[];
  readonly only: Sql | null;
  readonly hop: number | null;
  readonly leaseMs: number;
  readonly most: number;
};

export type PacedClaim = {
  readonly mails: readonly ClaimedMail[];
  /** Milliseconds during which no mail may leave. */
  readonly restMs: number;
  /** No mail waits any more. */
  readonly isEmpty: boolean;
};

/** Claims from one lane of a backlog, as much as every limit allows. */
export async function claimBacklog(tx: Tx, terms: BacklogTerms): Promise<PacedClaim> {
  const { backlog, lane, clock, most, only, hop, leaseMs } = terms;
  const restsMs = Math.max(0, ...terms.limits.map(({ notBefore }) => Date.parse(notBefore ?? tx.now) - tx.nowMs));
  if (restsMs > 0) return { mails: [], restMs: Math.min(restsMs, USED_UP_MS), isEmpty: false };
  const nowMs = clock.steadyNowMs();
  const offer = await offerOf(tx, terms, most);
  const buckets = await lockedOf(tx, terms.limits);
  const slots = [
    offer.atMs,
    ...buckets.map(({ nextAtMs, left, pace }) => takeSlots(nextAtMs, nowMs, Math.min(most, left), pace).atMs),
  ];
  const room = Math.min(...slots.map(({ length }) => length));
  const leaseUntil = iso(tx.nowMs + leaseMs);
  const claiming = { backlog: backlog.seq, workspace: backlog.workspace, leaseUntil, only, hop };
  const claimed = room > 0 ? await claimPaced(tx, claiming, lane, room) : [];
  const rests = [await offer.keep(claimed.length)];
  for (const { pace, nextAtMs, left, moreInMs, keep } of buckets) {
    const after = takeSlots(nextAtMs, nowMs, claimed.length, pace).nextAtMs;
    if (claimed.length > 0) await keep(tx, after, claimed.length);
    rests.push(left === 0 ? (moreInMs === Infinity ? USED_UP_MS : moreInMs) : after - pace.horizonMs - nowMs);
  }
  return {
    mails: claimed.map((mail, at) => ({ ...mail, atMs: Math.max(...slots.map((moments) => moments[at] ?? nowMs)) })),
    restMs: room === 0 ? Math.max(1, ...rests) : 0,
    isEmpty: room > 0 && claimed.length < room,
  };
}

/** Until a used-up limit is checked again. */
const USED_UP_MS = 30_000;

type LimitBucket = Limit & Level;

async function lockedOf(tx: Tx, limits: readonly Limit[]): Promise<LimitBucket[]> {
  const buckets: LimitBucket[] = [];
  for (const limit of limits) {
    const level = await limit.lock(tx);
    if (level !== null) buckets.push({ ...limit, ...level });
  }
  return buckets;
}
