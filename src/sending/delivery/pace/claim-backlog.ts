// Claims mail that waits for the pace of a mailbox provider: as much as its limits and the rate of the way allow.
import { iso } from "../../../base/clock.ts";
import type { Lane } from "../../../mail/emails/queue/holds.ts";
import { claimPaced } from "../../../mail/emails/queue/pace-queries.ts";
import type { Sql } from "../../../store/sql.ts";
import type { Tx } from "../../../store/store.ts";
import { offerOf, USED_UP_MS, type Limit } from "../limits/limit.ts";
import { rateLimits, type ClaimedMail, type Rate } from "../limits/rate.ts";
import type { MailBacklog } from "./queries.ts";

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
  const { backlog, lane, limits, clock, most, only, hop, leaseMs } = terms;
  const restsMs = Math.max(0, ...limits.map(({ notBefore }) => Date.parse(notBefore ?? tx.now) - tx.nowMs));
  if (restsMs > 0) return { mails: [], restMs: Math.min(restsMs, USED_UP_MS), isEmpty: false };
  const { atMs, take } = await offerOf(tx, [...rateLimits(terms), ...limits], clock, most);
  const room = atMs.length;
  const leaseUntil = iso(tx.nowMs + leaseMs);
  const claiming = { backlog: backlog.seq, workspace: backlog.workspace, leaseUntil, only, hop };
  const claimed = room > 0 ? await claimPaced(tx, claiming, lane, room) : [];
  const restMs = await take(claimed.length);
  return {
    mails: claimed.map((mail, at) => ({ ...mail, atMs: atMs[at] as number })),
    restMs: room === 0 ? restMs : 0,
    isEmpty: room > 0 && claimed.length < room,
  };
}
