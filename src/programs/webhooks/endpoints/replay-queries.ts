// The SQL of events that are replayed, and of events past their retention.
import { sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";

/** Public ids, which ascend with time. */
type EventReplayRange = { readonly workspace: number; readonly after: string; readonly before: string };

export type EndpointEventRow = {
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  readonly isTest: 0 | 1;
  /** JSON; only where tags are selected, and only for events that may have some. */
  readonly data: string | null;
};

/** Oldest first. */
export function eventsBetween(
  reader: Reader,
  { workspace, after, before }: EventReplayRange,
  { limit, withTags }: { readonly limit: number; readonly withTags: boolean },
): Promise<EndpointEventRow[]> {
  const data = withTags ? sql`case when type <> 'email.received' then data end` : sql`null`;
  return reader.all<EndpointEventRow>`
    select seq, id, type, is_test as "isTest", ${data} as data from webhook_events
    where workspace = ${workspace} and id > ${after} and id < ${before} order by id limit ${limit}`;
}

type EventReplayOptions = { readonly maxAttempts: number; readonly all: boolean };

/**
 * Queues these events again, with a new retry schedule; not one that is being sent or has been sent too often, and
 * delivered ones only for `all`.
 */
export function replayEvents(
  tx: Tx,
  endpoint: number,
  events: readonly number[],
  { maxAttempts, all }: EventReplayOptions,
): Promise<number> {
  const delivered = all ? sql`` : sql` and webhook_deliveries.state <> 'DELIVERED'`;
  return tx.run`
    insert into webhook_deliveries (id, workspace, endpoint, event, origin, state, due_at)
    select e.id, e.workspace, cast(${endpoint} as bigint), e.seq, ${`endpoint ${endpoint}`}, 'DUE', ${tx.now}
    from webhook_events e where ${tx.dialect.isAmong(sql`e.seq`, events)}
    on conflict (endpoint, id) where endpoint is not null do update
      set state = 'DUE', due_at = excluded.due_at, tries = 0, by_hand = 0
      where webhook_deliveries.state <> 'CALLING' and webhook_deliveries.attempts < ${maxAttempts}${delivered}`;
}

export async function hasEventsBefore(reader: Reader, workspace: number, id: string): Promise<boolean> {
  const row =
    await reader.get`select 1 as old from webhook_events where workspace = ${workspace} and id < ${id} limit 1`;
  return row !== null;
}

/** Deletes some of a workspace's events that are older than this id; answers how many. */
export function deleteEventsBefore(tx: Tx, workspace: number, id: string, most: number): Promise<number> {
  return tx.run`
    delete from webhook_events where seq in (
      select seq from webhook_events where workspace = ${workspace} and id < ${id} order by id limit ${most})`;
}

/** Deletes some events that all their endpoints have taken, older than this id; answers how many. */
export function deleteTakenBefore(tx: Tx, workspace: number, id: string, most: number): Promise<number> {
  return tx.run`
    delete from webhook_events where seq in (
      select e.seq from webhook_events e where e.workspace = ${workspace} and e.id < ${id}
        and exists (select 1 from webhook_deliveries d where d.event = e.seq)
        and not exists (select 1 from webhook_deliveries d where d.event = e.seq and d.state <> 'DELIVERED')
      order by e.id limit ${most})`;
}

/** Deletes some events of a contact; answers how many. */
export function deleteEventsAbout(tx: Tx, contact: number, most: number): Promise<number> {
  return tx.run`
    delete from webhook_events where seq in (select seq from webhook_events where contact = ${contact} limit ${most})`;
}
