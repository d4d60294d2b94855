// The SQL of the queue of mails: the turns of workspaces, claims and leases, and the hold of disabled workspaces.
import { isTrulyDue } from "../../../store/clock-queries.ts";
import { joined, literal, sqlList, sql, steadyList, type Sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { nextTurns, type TurnQueue, type QueueTurn } from "../../../store/turns.ts";
import { HELD, IN_ANY_LANE, IN_TURN, RELEASED, TAKEN_BY, type Lane } from "./holds.ts";

type ClaimRow = { readonly seq: number; readonly workspace: number };

type LaneClaim = {
  readonly lane: Lane;
  readonly leaseUntil: string;
  /** Conditions on `emails` that exclude each other; null = no condition. */
  readonly only: readonly Sql[] | null;
  /** The next hop, so that a repeat after a crash goes there as well; null = there is one way only. */
  readonly hop?: number | null;
};

/** Notes the next hop in the statement that claims a mail. */
export function hopAssignment(hop: number | null): Sql {
  return hop === null ? sql`` : sql`, hop = ${hop}`;
}

/** A mail that its next hop surely has not taken has no hop, unless an earlier attempt may have left it there. */
export const NO_HOP = sql`hop = case when repeats_left is null then null else hop end`;

type WorkspaceClaim = Pick<LaneClaim, "lane" | "leaseUntil" | "hop"> & {
  readonly workspace: number;
  readonly only: Sql | null;
};

/** The most mails of a lane that one claim takes: a larger room is filled by the next claims. */
const MOST_CLAIMED = literal("256");

/**
 * Claims a workspace's due mails of one lane: QUEUED ones, and those whose lease has run out. PostgreSQL would plan
 * each claim anew if it saw its limit and its moment (docs/dev/costs.md).
 */
async function claimDue(
  tx: Tx,
  { lane, leaseUntil, workspace, only, hop = null }: WorkspaceClaim,
  limit: number,
): Promise<ClaimRow[]> {
  const rows = await tx.all<{ seq: number }>`
    update emails set status = 'SENDING', due_at = ${leaseUntil}, attempted_at = ${tx.now}, attempts = attempts + 1${hopAssignment(hop)}
    where seq in (select seq from (
      select seq from emails where lane = ${lane} and workspace = ${workspace} and ${IN_TURN} and due_at is not null
        and due_at <= (select cast(${tx.now} as text)) and ${isTrulyDue(sql`due_at`)}${only === null ? sql`` : sql` and ${only}`}
      order by due_at limit ${MOST_CLAIMED}${tx.dialect.skipLocked}) as due limit (select cast(${limit} as int)))
    returning seq`;
  return rows.sort((one, other) => one.seq - other.seq).map(({ seq }) => ({ seq, workspace }));
}

/** The hops of all ways, and of those that cannot be used. */
export type Hops = { readonly all: readonly number[]; readonly away: readonly number[] };

/**
 * With several ways out, a mail with an unknown fate at a way waits for that way. If the way is gone, the mail goes by
 * the default way, which `takes` all other mail.
 */
export function isForWay(hop: number, takes: "others" | "its own", hops: Hops): Sql {
  if (takes === "its own") return sql`hop = ${hop}`;
  return sql`(${isFree(hops)} or hop = ${hop})`;
}

/** After a crash, mail in hand for an unusable way goes by another way. */
function isFree({ all, away }: Hops): Sql {
  const isLeft = away.length === 0 ? sql`` : sql` or (repeats_left is null and hop in (${sqlList(away)}))`;
  return sql`(hop is null or hop not in (${sqlList(all)})${isLeft})`;
}

/** Mails of a rule; `shares`: ranges of their seq modulo 100. */
type ClaimShares = {
  readonly rule: number;
  readonly shares: readonly { readonly from: number; readonly to: number }[];
};

type ForWay = {
  readonly hop: number;
  readonly hops: Hops;
  /** The way gets the mails without a rule, and those of rules that are `gone`. */
  readonly isOthers: boolean;
  readonly gone: readonly number[];
  readonly ruled: readonly ClaimShares[];
  /** Mails without a rule that were due by then have been searched; null = not searched. */
  readonly after: string | null;
};

/**
 * As `isForWay`, with rules that send mails by certain ways: conditions that exclude each other. Each has an index that
 * skips the mails of other rules, however many of them wait.
 */
export function areForWay({ hop, hops, isOthers, gone, ruled, after }: ForWay): readonly Sql[] {
  const free = isFree(hops);
  return [
    sql`hop = ${hop}`,
    ...ruled.map(({ rule, shares }) => sql`rule = ${rule} and (${joined(shares.map(isInShare), " or ")}) and ${free}`),
    ...(isOthers && gone.length > 0 ? [sql`rule in (${steadyList(gone)}) and ${free}`] : []),
    ...(isOthers ? [sql`rule is null and ${free}${after === null ? sql`` : sql` and due_at > ${after}`}`] : []),
  ];
}

function isInShare({ from, to }: { readonly from: number; readonly to: number }): Sql {
  return from === 0 && to === 100 ? sql`1 = 1` : sql`(seq % 100 >= ${from} and seq % 100 < ${to})`;
}

/** Joins the conditions into one. */
export function anyOf(conditions: readonly Sql[] | null): Sql | null {
  const [first, ...others] = conditions ?? [];
  if (first === undefined || others.length === 0) return first ?? null;
  return sql`((${joined(conditions as readonly Sql[], ") or (")}))`;
}

/** Each condition has its share, so that no condition waits for another's mails to run out. */
async function claimEach(tx: Tx, { only, ...claiming }: LaneClaim, workspace: number, limit: number) {
  const conditions: readonly (Sql | null)[] = only ?? [null];
  const claimed: ClaimRow[] = [];
  const share = Math.ceil(limit / conditions.length);
  let more = conditions;
  for (const most of conditions.length === 1 ? [limit] : [share, limit]) {
    const next: (Sql | null)[] = [];
    for (const condition of more) {
      const room = Math.min(most, limit - claimed.length);
      if (room <= 0) return claimed;
      const mails = await claimDue(tx, { ...claiming, workspace, only: condition }, room);
      claimed.push(...mails);
      if (mails.length === room) next.push(condition);
    }
    more = next;
  }
  return claimed;
}

const QUEUES = ["transactional", "marketing"] as const;

/** The next due times of mails of a lane, by workspace (store/turns.ts). */
export function nextMailTurns(reader: Reader, lane: Lane, most: number): Promise<QueueTurn[]> {
  return nextTurns(reader, QUEUES[lane], most);
}

/** The mails of a lane that may be claimed, with leases until `leaseUntil`. */
export function mailQueue(claiming: LaneClaim): TurnQueue<ClaimRow> {
  const { lane } = claiming;
  return {
    name: QUEUES[lane],
    take: (tx, workspace, most) => claimEach(tx, claiming, workspace, most),
    firstDue: sql`(
      select e.due_at from emails e where e.lane = ${lane} and e.workspace = turns.workspace and ${IN_TURN} and e.due_at is not null
        and ${isTrulyDue(sql`e.due_at`)} order by e.due_at limit 1)`,
  };
}

/** The mail at the start of the attempt: once another attempt has begun, the outcome of this one does not count. */
export type MailAttempt = { readonly seq: number; readonly attempts: number };

/** Notes that the mail goes by another way than the one of its claim. */
export function setAsked(tx: Tx, { seq, attempts }: MailAttempt, hop: number): Promise<number> {
  return tx.run`update emails set hop = ${hop} where seq = ${seq} and status = 'SENDING' and attempts = ${attempts}`;
}

/** Extends these leases; answers those that were extended, since another process may have begun the next attempt. */
export async function renewLeases(tx: Tx, claims: readonly MailAttempt[], leaseUntil: string): Promise<number[]> {
  const renewed: { seq: number }[] = [];
  for (const number of new Set(claims.map(({ attempts }) => attempts))) {
    const seqs = claims.filter(({ attempts }) => attempts === number).map(({ seq }) => seq);
    renewed.push(
      ...(await tx.all<{ seq: number }>`
        update emails set due_at = ${leaseUntil}
        where status = 'SENDING' and attempts = ${number} and seq in (${sqlList(seqs)}) returning seq`),
    );
  }
  return renewed.map(({ seq }) => seq);
}

/**
 * Makes mails that a dead process had claimed available immediately; answers their number. Leases that ran out before
 * `since` need no change.
 */
export function endLeases(tx: Tx, since: string): Promise<number> {
  return tx.run`
    update emails set due_at = ${tx.now}
    where status = 'SENDING' and ${IN_TURN} and due_at is not null and due_at > ${since}`;
}

/** Holds the queue of a disabled workspace; answers the number of mails held. Each condition has its own index. */
export function parkQueue(tx: Tx, workspace: number): Promise<number> {
  const taken = TAKEN_BY.workspace.map(
    (one) => sql`${IN_ANY_LANE} and workspace = ${workspace} and due_at is not null and ${one}`,
  );
  return tx.run`
    update emails set ${HELD.workspace} where status = 'QUEUED' and ((${joined(taken, ") or (")}))`;
}

export function unparkQueue(tx: Tx, workspace: number): Promise<number> {
  return tx.run`
    update emails set ${RELEASED} where ${HELD.workspace} and workspace = ${workspace} and due_at is not null`;
}

export type WaitingMails = {
  readonly workspace: string;
  /** The name of the campaign; null: mails without a campaign. */
  readonly campaign: string | null;
  readonly count: number;
  readonly oldestAt: string;
  readonly newestAt: string;
};

/**
 * The waiting mail of the whole installation, by workspace and campaign: the `most` largest heaps. Reads the whole
 * queue.
 */
export function waitingMails(reader: Reader, most: number): Promise<WaitingMails[]> {
  return reader.all<WaitingMails>`
    select w.name as workspace, k.name as campaign, h.count, h.oldest_at as "oldestAt", h.newest_at as "newestAt" from (
      select workspace, campaign, count(*) as count, min(created_at) as oldest_at, max(created_at) as newest_at
      from emails where ${IN_TURN} and due_at is not null group by workspace, campaign order by count(*) desc limit ${most}) h
    join workspaces w on w.seq = h.workspace left join campaigns k on k.seq = h.campaign
    order by h.count desc`;
}
