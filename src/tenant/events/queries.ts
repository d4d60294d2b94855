// The SQL that reads the log, and deletes it with its workspace.
import { joined, sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { EVENT, eventOf, type DispatchedEvent, type EventData, type JsonEvent } from "./outbox.ts";

export type PastEvent = { readonly name: string; readonly data: EventData; readonly createdAt: string };

export async function eventsOfEmail(reader: Reader, email: number): Promise<PastEvent[]> {
  const rows = await reader.all<JsonEvent<PastEvent>>`
    select name, "json"(data) as data, created_at as "createdAt" from events where email = ${email} order by seq limit 1000`;
  return rows.map(eventOf);
}

type EventHead = { readonly name: string; readonly id: string; readonly createdAt: string };

/** By number, without their data. */
export async function headsOfEvents(reader: Reader, seqs: readonly number[]): Promise<Map<number, EventHead>> {
  if (seqs.length === 0) return new Map();
  const rows = await reader.all<EventHead & { readonly seq: number }>`
    select seq, name, id, created_at as "createdAt" from events where ${reader.dialect.isAmong(sql`seq`, seqs)}`;
  return new Map(rows.map(({ seq, ...head }) => [seq, head]));
}

type ContactEventQuery = {
  readonly contact: number;
  readonly name: string;
  /** The number of an event. */ readonly after: number;
};

/** The contact's next events of this name. */
export async function eventsNamed(
  reader: Reader,
  { contact, name, after }: ContactEventQuery,
  limit: number,
): Promise<DispatchedEvent[]> {
  const rows = await reader.all<JsonEvent<DispatchedEvent>>`
    select ${EVENT} from events
    where contact = ${contact} and name = ${name} and seq > ${after} order by seq limit ${limit}`;
  return rows.map(eventOf);
}

export type LoggedEvent = PastEvent & {
  readonly seq: number;
  readonly id: string;
  readonly contactId: string | null;
  /** The contact's address; one that is being erased has none. */
  readonly contactEmail: string | null;
  readonly emailId: string | null;
  /** How long the data is as JSON. */
  readonly chars: number;
};

export type LogFilter = {
  readonly workspace: number;
  /** A contact of the workspace. */ readonly contact: number | null;
  readonly name: string | null;
  /** Only events of emails that have all of these labels (labels.ts). */
  readonly labels?: readonly string[];
};

/** The newest events that came before the one numbered `before`, or the newest of all. */
export async function loggedEvents(
  reader: Reader,
  filter: LogFilter,
  before: number | null,
  limit: number,
): Promise<LoggedEvent[]> {
  const older = before === null ? sql`` : sql` and e.seq < ${before}`;
  const { from, where } = await logSource(reader, filter);
  const rows = await reader.all<JsonEvent<Omit<LoggedEvent, "chars">>>`
    select e.seq, e.id, e.name, c.id as "contactId", case when instr(c.email, '@') > 0 then c.email end as "contactEmail", m.id as "emailId", "json"(e.data) as data, e.created_at as "createdAt"
    from ${from} left join contacts c on c.seq = e.contact left join emails m on m.seq = e.email
    where ${where}${older} order by e.seq desc limit ${limit}`;
  return rows.map((row) => ({ ...eventOf(row), chars: row.data.length }));
}

/** Up to this number of emails, their events are looked up by the emails. */
const FEW_EMAILS = 2_000;

async function logSource(reader: Reader, filter: LogFilter): Promise<{ readonly from: Sql; readonly where: Sql }> {
  const [label, ...others] = filter.labels ?? [];
  const meantBy = (labels: readonly string[]) => joined([meant(filter), ...labels.map(hasLabel)], " and ");
  if (label === undefined) return { from: sql`events e`, where: meant(filter) };
  const { workspace } = filter;
  const row = await reader.get<{ emails: number }>`
    select count(*) as emails from (
      select 1 from email_labels where workspace = ${workspace} and name = ${label} limit ${FEW_EMAILS + 1}) as found`;
  if ((row?.emails ?? 0) > FEW_EMAILS) return { from: sql`events e`, where: meantBy([label, ...others]) };
  const isIts = sql`r.workspace = ${workspace} and r.name = ${label} and e.email = r.email`;
  return { from: sql`email_labels r cross join events e`, where: sql`${isIts} and ${meantBy(others)}` };
}

function hasLabel(name: string): Sql {
  return sql`exists (select 1 from email_labels h where h.email = e.email and h.name = ${name})`;
}

/** A contact implies its workspace; with both, the engine would scan the index of the workspace. */
function meant({ workspace, contact, name }: LogFilter): Sql {
  const whose = contact === null ? sql`e.workspace = ${workspace}` : sql`e.contact = ${contact}`;
  return name === null ? whose : sql`${whose} and e.name = ${name}`;
}

export async function seqsOfEvents(reader: Reader, workspace: number): Promise<{ first: number; last: number } | null> {
  const bounds = await reader.get<{ first: number | null; last: number | null }>`
    select (select min(seq) from events where workspace = ${workspace}) as first,
      (select max(seq) from events where workspace = ${workspace}) as last`;
  return bounds?.first == null || bounds.last === null ? null : { first: bounds.first, last: bounds.last };
}

export function idAtOrAfter(
  reader: Reader,
  workspace: number,
  seq: number,
): Promise<{ seq: number; id: string } | null> {
  return reader.get`
    select seq, id from events where workspace = ${workspace} and seq >= ${seq} order by seq limit 1`;
}

/** `contactId`: null if it has none. */
export type FoundEvent = PastEvent & { readonly contactId: string | null };

type EventWindow = {
  readonly workspace: number;
  readonly id: string;
  /** The number at which to begin. */
  readonly from: number;
  readonly most: number;
};

export async function eventNear(
  reader: Reader,
  { workspace, id, from, most }: EventWindow,
): Promise<FoundEvent | null> {
  const row = await reader.get<JsonEvent<FoundEvent>>`
    select e.name, c.id as "contactId", "json"(e.data) as data, e.created_at as "createdAt"
    from (select seq, id from events where workspace = ${workspace} and seq >= ${from} order by seq limit ${most}) as near
    join events e on e.seq = near.seq left join contacts c on c.seq = e.contact where near.id = ${id} limit 1`;
  return row && eventOf(row);
}

/**
 * The names of a workspace's events, in order. Steps from name to name along the index, however many events share one.
 */
export async function eventNames(reader: Reader, workspace: number, most: number): Promise<string[]> {
  const rows = await reader.all<{ name: string }>`
    with recursive names (name) as (
      select min(name) from events where workspace = ${workspace}
      union all
      select (select min(e.name) from events e where e.workspace = ${workspace} and e.name > names.name)
      from names where names.name is not null)
    select name from names where name is not null limit ${most}`;
  return rows.map(({ name }) => name).sort();
}

type EventNameKey = { readonly workspace: number; readonly name: string };
type EventCountRow = { readonly count: number; readonly lastAt: string };

/** How many events have the name, up to `most`, and the time of the last; null = none. */
export function lastOfName(
  reader: Reader,
  { workspace, name }: EventNameKey,
  most: number,
): Promise<EventCountRow | null> {
  return reader.get<EventCountRow>`
    select (select count(*) from (
        select 1 from events where workspace = ${workspace} and name = ${name} limit ${most}) as latest) as count,
      created_at as "lastAt"
    from events where workspace = ${workspace} and name = ${name} order by seq desc limit 1`;
}

/** Deletes some of a workspace's events; answers how many. */
export function deleteEventsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from events where seq in (select seq from events where workspace = ${workspace} order by seq limit ${most})`;
}

/** Deletes some of a contact's events; answers how many. */
export function deleteEventsOfContact(tx: Tx, contact: number, most: number): Promise<number> {
  return tx.run`delete from events where seq in (select seq from events where contact = ${contact} limit ${most})`;
}
