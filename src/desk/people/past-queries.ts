// The SQL of one person's history: from each table the newest first, along the contact's index.
import { json, jsonOrNull } from "../../store/columns.ts";
import { joined, sql, steadyList } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

/** The rows of a contact that are numbered below `before`; null = all. */
export type HistoryQuery = { readonly contact: number; readonly before: number | null; readonly limit: number };

const older = (column: "seq" | "e.seq", before: number | null) =>
  before === null ? sql`` : column === "seq" ? sql` and seq < ${before}` : sql` and e.seq < ${before}`;

export async function mailsBefore(reader: Reader, { contact, before, limit }: HistoryQuery): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`
    select seq from emails where contact = ${contact}${older("seq", before)} order by seq desc limit ${limit}`;
  return rows.map(({ seq }) => seq);
}

export type SeenEvent = { readonly seq: number; readonly name: string; readonly createdAt: string };

/** Events of any name. */
export function eventsBefore(reader: Reader, { contact, before, limit }: HistoryQuery): Promise<SeenEvent[]> {
  return reader.all<SeenEvent>`
    select seq, name, created_at as "createdAt" from events
    where contact = ${contact}${older("seq", before)} order by seq desc limit ${limit}`;
}

/** The events with one of these names. */
export function eventsCalled(
  reader: Reader,
  { contact, before, limit }: HistoryQuery,
  names: readonly string[],
): Promise<SeenEvent[]> {
  const each = names.map(
    (name) => sql`
      select * from (
        select seq, name, created_at as "createdAt" from events
        where contact = ${contact} and name = ${name}${older("seq", before)} order by seq desc limit ${limit}) as named`,
  );
  return reader.all<SeenEvent>`${joined(each, " union all ")} order by seq desc limit ${limit}`;
}

export type ToldEvent = SeenEvent & {
  readonly id: string;
  readonly emailId: string | null;
  /** The person or program that caused it. */
  readonly cause: string | null;
  /** The subject of that mail. */
  readonly subject: string | null;
  /** Null if it is too long for a list. */
  readonly data: Readonly<Record<string, unknown>> | null;
};

const MAX_LISTED_CHARS = 4_000;

/** These events, newest first. */
export async function eventsTold(reader: Reader, seqs: readonly number[]): Promise<ToldEvent[]> {
  if (seqs.length === 0) return [];
  const rows = await reader.all<Omit<ToldEvent, "data"> & { readonly data: string }>`
    select e.seq, e.id, e.name, e.cause, m.id as "emailId", case when m.to_address <> '' then coalesce(m.subject, k.subject) end as subject,
      "json"(e.data) as data, e.created_at as "createdAt"
    from events e left join emails m on m.seq = e.email left join contents k on k.seq = m.content
    where e.seq in (${steadyList(seqs)}) order by e.seq desc`;
  return rows.map((row) => ({ ...row, data: row.data.length > MAX_LISTED_CHARS ? null : json(row.data) }));
}

export type PastExecution = {
  readonly seq: number;
  readonly id: string;
  readonly workflowId: string;
  readonly workflowName: string;
  readonly status: "RUNNING" | "WAITING" | "COMPLETED" | "EXITED" | "FAILED" | "CANCELLED";
  readonly eventName: string | null;
  readonly awaits: string | null;
  readonly dueAt: string | null;
  readonly reason: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
};

export function executionsBefore(reader: Reader, { contact, before, limit }: HistoryQuery): Promise<PastExecution[]> {
  return reader.all<PastExecution>`
    select e.seq, e.id, w.id as "workflowId", w.name as "workflowName", e.status, e.event_name as "eventName", e.awaits,
      case when e.ended_at is null then e.due_at end as "dueAt", e.reason, e.started_at as "startedAt", e.ended_at as "endedAt"
    from executions e join workflows w on w.seq = e.workflow
    where e.contact = ${contact} and w.deleted_at is null${older("e.seq", before)} order by e.seq desc limit ${limit}`;
}

export async function contextOf(reader: Reader, execution: number): Promise<unknown> {
  const row = await reader.get<{ context: string }>`select context from executions where seq = ${execution}`;
  return jsonOrNull(row?.context ?? null);
}

export type SkippedCampaign = {
  readonly campaign: number;
  readonly id: string;
  readonly name: string;
  readonly reason: string;
  readonly at: string;
};

/**
 * Campaigns whose audience the person was in, and that sent nothing. `before`: the moment and the number of a campaign.
 */
export function campaignsBefore(
  reader: Reader,
  { contact, before, limit }: Omit<HistoryQuery, "before"> & { readonly before: readonly [string, number] | null },
): Promise<SkippedCampaign[]> {
  const earlier = before === null ? sql`` : sql` and (k.started_at, k.seq) < (${before[0]}, ${before[1]})`;
  return reader.all<SkippedCampaign>`
    select k.seq as campaign, k.id, k.name, r.reason, k.started_at as at
    from recipients r join campaigns k on k.seq = r.campaign
    where r.contact = ${contact} and r.reason is not null and k.deleted_at is null and k.started_at is not null${earlier}
    order by k.started_at desc, k.seq desc limit ${limit}`;
}

/** Mails of a contact that are searched for the one behind an unsubscription. */
const MOST_MAILS = 5_000;

/** The mails by whose links the person unsubscribed at these moments. */
export function unsubscribedAt(
  reader: Reader,
  contact: number,
  moments: readonly string[],
): Promise<{ id: string; at: string }[]> {
  return reader.all<{ id: string; at: string }>`
    select id, unsubscribed_at as at from (
      select id, unsubscribed_at from emails where contact = ${contact} order by seq desc limit ${MOST_MAILS}) as newest
    where unsubscribed_at in (${steadyList(moments)})`;
}

/** True if a contact has a history: its own changes and its segments do not count. */
export async function hasPast(reader: Reader, contact: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as found from (
      select 1 from emails where contact = ${contact}
      union all select 1 from executions where contact = ${contact}
      union all select 1 from recipients where contact = ${contact} and reason is not null
      union all select 1 from events where contact = ${contact}
        and name not in ('contact.subscribed', 'contact.unsubscribed') and name not like 'segment.%') as past
    limit 1`;
  return row !== null;
}
