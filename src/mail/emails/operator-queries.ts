// The SQL of an operator's actions on waiting mails: finding them by filter, making them due, holding them, cancelling
// them.
import { isTrulyDue } from "../../store/clock-queries.ts";
import { joined, sql, steadyList, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { PACED_OFFSET } from "./queue-queries.ts";

/** Null or absent = any. */
export type QueueFilter = {
  readonly mail?: string | undefined;
  readonly workspace?: number | null | undefined;
  /** Public id. */
  readonly campaign?: string | undefined;
  /** The domain of the recipient. */
  readonly domain?: string | undefined;
  readonly state?: WaitingState | undefined;
  /** Accepted before, or from, this moment. */
  readonly before?: string | undefined;
  readonly from?: string | undefined;
};

export const WAITING_STATES = ["due", "deferred", "scheduled", "held"] as const;
export type WaitingState = (typeof WAITING_STATES)[number];

/** From a lane to the lane of mails that an operator holds. */
export const ASIDE_OFFSET = 30;

/** A heap of waiting mails: one lane of a workspace. */
export type Heap = { readonly workspace: number; readonly lane: number };

export function heaps(reader: Reader, workspace: number | null): Promise<Heap[]> {
  const own = workspace === null ? sql`` : sql` and workspace = ${workspace}`;
  return reader.all<Heap>`
    select distinct workspace, lane from emails where due_at is not null${own} order by workspace, lane`;
}

/**
 * `held`: by anything that holds mails in a lane of their own. The pace of a mailbox provider does not hold mails: they
 * leave gradually.
 */
const STATE = sql`
  case when e.lane >= ${PACED_OFFSET} then 'due' when e.lane >= 10 then 'held'
    when e.due_at <= cast(now.at as text) then case when ${isTrulyDue(sql`e.due_at`)} then 'due' else 'held' end
    when e.attempts > 0 or e.error is not null then 'deferred' else 'scheduled' end`;

export type WaitingMail = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly workspaceName: string;
  readonly content: number;
  readonly state: WaitingState;
  readonly kind: string;
  readonly acceptedAt: string;
  readonly dueAt: string;
  readonly attempts: number;
  /** The reply to the last attempt. */
  readonly error: string | null;
  readonly to: string;
};

type HeapQuery = { readonly heap: Heap; readonly filter: QueueFilter; readonly after: number; readonly now: string };

/** The mails of one heap that are not in hand, in the order of their numbers. */
export function waitingIn(
  reader: Reader,
  { heap, filter, after, now }: HeapQuery,
  most: number,
): Promise<WaitingMail[]> {
  return reader.all<WaitingMail>`
    select e.seq, e.id, e.workspace, w.name as "workspaceName", e.content, ${STATE} as state, e.source_type as kind,
      e.created_at as "acceptedAt", e.due_at as "dueAt", e.attempts, e.error, e.to_address as "to"
    from emails e${reader.dialect.along("emails_waiting")} join workspaces w on w.seq = e.workspace
      join (select ${now} as at) as now on 1 = 1
    where e.workspace = ${heap.workspace} and e.lane = ${heap.lane} and e.due_at is not null and e.status = 'QUEUED'
      and e.seq > ${after}${checksOf(filter)}
    order by e.seq limit ${most}`;
}

function checksOf({ mail, campaign, domain, state, before, from }: QueueFilter): Sql {
  const checks = [
    ...(mail === undefined ? [] : [sql`e.id = ${mail}`]),
    ...(campaign === undefined ? [] : [sql`e.campaign = (select k.seq from campaigns k where k.id = ${campaign})`]),
    ...(domain === undefined ? [] : [sql`lower(e.to_address) like ${`%@${domain.toLowerCase()}`}`]),
    ...(state === undefined ? [] : [sql`${STATE} = ${state}`]),
    ...(before === undefined ? [] : [sql`e.created_at < ${before}`]),
    ...(from === undefined ? [] : [sql`e.created_at >= ${from}`]),
  ];
  return checks.length === 0 ? sql`` : sql` and ${joined(checks, " and ")}`;
}

/**
 * Makes mails due now, back in the lane that they had before an operator held them. Mails held by a campaign, a
 * disabled workspace or the pace of a mailbox provider stay so.
 */
export function callQueued(tx: Tx, seqs: readonly number[]): Promise<number> {
  return tx.run`
    update emails set due_at = ${tx.now}, lane = case when lane in (${ASIDE_OFFSET}, ${ASIDE_OFFSET + 1}) then lane - ${ASIDE_OFFSET} else lane end
    where seq in (${steadyList(seqs)}) and status = 'QUEUED'`;
}

export function holdMails(tx: Tx, seqs: readonly number[]): Promise<number> {
  return tx.run`
    update emails set lane = ${ASIDE_OFFSET} + lane % 10
    where seq in (${steadyList(seqs)}) and status = 'QUEUED' and lane in (0, 1, ${PACED_OFFSET}, ${PACED_OFFSET + 1})`;
}
