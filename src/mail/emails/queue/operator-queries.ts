// The SQL of an operator's actions on waiting mails: finding them by filter, making them due, holding them, cancelling
// them.
import { isTrulyDue } from "../../../store/clock-queries.ts";
import { joined, sql, steadyList, type Sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { HELD, HOLDS, IN_TURN, indexOfHeap, inHeap, IS_HELD, LANES, TAKEN_BY, type Heap } from "./holds.ts";

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

export type WorkspaceHeap = Heap & { readonly workspace: number };

/** By workspace: the heaps in turn, then the held ones. */
export async function heaps(reader: Reader, workspace: number | null): Promise<WorkspaceHeap[]> {
  const own = workspace === null ? sql`` : sql` and workspace = ${workspace}`;
  const found = await reader.all<WorkspaceHeap>`
    select distinct workspace, lane, hold from emails where ${IN_TURN} and due_at is not null${own}
    union all select distinct workspace, lane, hold from emails where ${IS_HELD} and due_at is not null${own}`;
  const place = ({ hold, lane }: Heap) => (hold === null ? -1 : HOLDS.indexOf(hold)) * LANES.length + lane;
  return found.sort((one, other) => one.workspace - other.workspace || place(one) - place(other));
}

/** The pace of a mailbox provider does not count as a hold: its mails leave gradually. */
const STATE = sql`
  case when ${HELD.pace} then 'due' when ${IS_HELD} then 'held'
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

type HeapQuery = {
  readonly heap: WorkspaceHeap;
  readonly filter: QueueFilter;
  readonly after: number;
  readonly now: string;
};

/** The mails of one heap that are not in hand, in the order of their numbers. */
export function waitingIn(
  reader: Reader,
  { heap, filter, after, now }: HeapQuery,
  most: number,
): Promise<WaitingMail[]> {
  return reader.all<WaitingMail>`
    select e.seq, e.id, e.workspace, w.name as "workspaceName", e.content, ${STATE} as state, e.source_type as kind,
      e.created_at as "acceptedAt", e.due_at as "dueAt", e.attempts, e.error, e.to_address as "to"
    from emails e${reader.dialect.along(indexOfHeap(heap))} join workspaces w on w.seq = e.workspace
      join (select ${now} as at) as now on 1 = 1
    where e.workspace = ${heap.workspace} and ${inHeap(heap)} and e.due_at is not null and e.status = 'QUEUED'
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

/** Makes mails due now, and releases those that an operator holds. What something else holds stays so. */
export function callQueued(tx: Tx, seqs: readonly number[]): Promise<number> {
  return tx.run`
    update emails set due_at = ${tx.now}, hold = case when ${HELD.operator} then null else hold end
    where seq in (${steadyList(seqs)}) and status = 'QUEUED'`;
}

export function holdMails(tx: Tx, seqs: readonly number[]): Promise<number> {
  return tx.run`
    update emails set ${HELD.operator}
    where seq in (${steadyList(seqs)}) and status = 'QUEUED' and (${joined(TAKEN_BY.operator, " or ")})`;
}
