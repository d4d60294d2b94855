// The SQL of reading the log, and of forgetting it with its workspace.
import { sql, type Sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { DispatchedEvent } from "./outbox.ts";

export type EventRow = { readonly name: string; readonly data: string; readonly created_at: string };

export function eventsOfEmail(reader: Reader, email: number): Promise<EventRow[]> {
  return reader.all<EventRow>`
    select name, json(data) as data, created_at from events where email = ${email} order by seq limit 1000`;
}

type Named = { readonly contact: number; readonly name: string; /** The number of an event. */ readonly after: number };

/** The first that happened to the contact by this name after that one. */
export function eventsNamed(
  reader: Reader,
  { contact, name, after }: Named,
  limit: number,
): Promise<DispatchedEvent[]> {
  return reader.all<DispatchedEvent>`
    select seq, id, name, email, json(data) as data, created_at from events
    where contact = ${contact} and name = ${name} and seq > ${after} order by seq limit ${limit}`;
}

export type LoggedEvent = EventRow & {
  readonly seq: number;
  readonly id: string;
  readonly contact_id: string | null;
  readonly email_id: string | null;
};

export type LogFilter = {
  readonly workspace: number;
  /** One of its own. */ readonly contact: number | null;
  readonly name: string | null;
};

/** The newest events that came before the one numbered `before`, or the newest of all. */
export function loggedEvents(
  reader: Reader,
  filter: LogFilter,
  before: number | null,
  limit: number,
): Promise<LoggedEvent[]> {
  const older = before === null ? sql`` : sql` and e.seq < ${before}`;
  return reader.all<LoggedEvent>`
    select e.seq, e.id, e.name, c.id as contact_id, m.id as email_id, json(e.data) as data, e.created_at
    from events e left join contacts c on c.seq = e.contact left join emails m on m.seq = e.email
    where ${meant(filter)}${older} order by e.seq desc limit ${limit}`;
}

/** A contact says its workspace as well; naming both would have the index of the workspace looked through for it. */
function meant({ workspace, contact, name }: LogFilter): Sql {
  const whose = contact === null ? sql`e.workspace = ${workspace}` : sql`e.contact = ${contact}`;
  return name === null ? whose : sql`${whose} and e.name = ${name}`;
}

/** The names of a workspace's events, in order. Goes from name to name along the index, however many events have one. */
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

/** A part of a workspace's events; answers how many. */
export function deleteEventsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from events where seq in (select seq from events where workspace = ${workspace} order by seq limit ${most})`;
}

/** A part of what happened to a contact; answers how many. */
export function deleteEventsOfContact(tx: Tx, contact: number, most: number): Promise<number> {
  return tx.run`delete from events where seq in (select seq from events where contact = ${contact} limit ${most})`;
}
