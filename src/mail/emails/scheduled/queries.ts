// The SQL of a key set's scheduled mail and campaigns: its mails are searched among all waiting ones, heap by heap and
// piece by piece.
import { isOfKey, isScheduled } from "../list/queries.ts";
import { indexOfHeap, inHeap, type Heap } from "../queue/holds.ts";
import { sql } from "../../../store/sql.ts";
import type { Reader } from "../../../store/store.ts";

/** A stretch of a queue: the waiting mails of a heap after the number `after`. */
export type HeapRange = {
  readonly workspace: number;
  readonly heap: Heap;
  readonly after: number;
};

/** A key set, and the present moment. */
type ScheduledKeyQuery = { readonly key: string; readonly now: string };

/** The last of the next `most` mails of the heap; null = none. */
export async function endOfStretch(
  reader: Reader,
  { workspace, heap, after }: HeapRange,
  most: number,
): Promise<number | null> {
  const row = await reader.get<{ last: number | null }>`
    select max(seq) as last from (
      select e.seq from emails e${reader.dialect.along(indexOfHeap(heap))}
      where e.workspace = ${workspace} and ${inHeap(heap)} and e.due_at is not null and e.seq > ${after}
      order by e.seq limit ${most}) as place`;
  return row?.last ?? null;
}

const within = ({ workspace, heap, after }: HeapRange, last: number) => sql`
  e.workspace = ${workspace} and ${inHeap(heap)} and e.due_at is not null and e.seq > ${after} and e.seq <= ${last}`;

export async function countScheduledIn(
  reader: Reader,
  { key, now, ...stretch }: HeapRange & ScheduledKeyQuery,
  last: number,
): Promise<number> {
  const row = await reader.get<{ count: number }>`
    select count(*) as count
    from emails e${reader.dialect.along(indexOfHeap(stretch.heap))} join contents c on c.seq = e.content
    where ${within(stretch, last)} and ${isScheduled(now)} and ${isOfKey(key)}`;
  return row?.count ?? 0;
}

export type MailOfKey = {
  readonly seq: number;
  readonly content: number;
  /** The mail is being handed over. */
  readonly isInHand: 0 | 1;
};

/** Scheduled mails, and mails that are being handed over, in the order of their numbers. */
export function mailsOfKeyIn(
  reader: Reader,
  { key, now, ...stretch }: HeapRange & ScheduledKeyQuery,
  last: number,
): Promise<MailOfKey[]> {
  return reader.all<MailOfKey>`
    select e.seq, e.content, case when e.status = 'SENDING' then 1 else 0 end as "isInHand"
    from emails e${reader.dialect.along(indexOfHeap(stretch.heap))} join contents c on c.seq = e.content
    where ${within(stretch, last)} and (${isScheduled(now)} or e.status = 'SENDING') and ${isOfKey(key)} order by e.seq`;
}

export type ScheduledCampaign = { readonly id: string; readonly name: string; readonly scheduledFor: string };

/** Campaigns with a later start that a key of the set has written or changed last. */
export function campaignsOfKey(
  reader: Reader,
  { workspace, key }: { readonly workspace: number; readonly key: string },
  most: number,
): Promise<ScheduledCampaign[]> {
  const named = JSON.stringify({ kind: "KEY", id: key }).slice(0, -1);
  return reader.all<ScheduledCampaign>`
    select id, name, scheduled_for as "scheduledFor" from campaigns
    where workspace = ${workspace} and status = 'SCHEDULED' and deleted_at is null and scheduled_for is not null
      and substr(updated_by, 1, ${named.length}) = ${named}
    order by seq limit ${most}`;
}
