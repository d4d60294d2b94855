// The SQL of endpoint events, and of their deliveries.
import { PRESENT } from "../../../audience/contacts/queries.ts";
import { flag, json } from "../../../store/columns.ts";
import { insertion, seqsOf } from "../../../store/row-statement.ts";
import { sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";

export type NewEndpointEvent = {
  readonly id: string;
  readonly workspace: number;
  readonly type: string;
  readonly contact: number | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
};

const EVENTS = insertion(
  "webhook_events",
  { id: "text", workspace: "bigint", type: "text", contact: "bigint", data: "text", created_at: "text" },
  "returning seq",
);

/** Answers their numbers, in their order. */
export async function insertEvents(tx: Tx, events: readonly NewEndpointEvent[]): Promise<number[]> {
  if (events.length === 0) return [];
  const rows = events.map(({ id, workspace, type, contact, data, createdAt }) => [
    id,
    workspace,
    type,
    contact,
    JSON.stringify(data),
    createdAt,
  ]);
  return seqsOf(await tx.runEach<{ seq: number }>(EVENTS, rows));
}

/** Inserts a delivery of each of these events to each of these endpoints that is on. */
export function insertDeliveries(tx: Tx, events: readonly number[], endpoints: readonly number[]): Promise<number> {
  return tx.run`
    insert into webhook_deliveries (id, workspace, endpoint, event, origin, state, due_at)
    select e.id, e.workspace, p.seq, e.seq, 'endpoint ' || p.seq, 'DUE', ${tx.now}
    from webhook_events e cross join webhook_endpoints p
    where ${tx.dialect.isAmong(sql`e.seq`, events)} and ${tx.dialect.isAmong(sql`p.seq`, endpoints)} and p.enabled = 1`;
}

/** A person in the data of events. */
export type EventPerson = {
  readonly id: string;
  readonly email: string;
  readonly subscribed: boolean;
  readonly data: Readonly<Record<string, unknown>>;
};

/** The contacts that are not being erased, by number. */
export async function peopleAmong(reader: Reader, contacts: readonly number[]): Promise<Map<number, EventPerson>> {
  if (contacts.length === 0) return new Map();
  const rows = await reader.all<{ seq: number; id: string; email: string; subscribed: 0 | 1; data: string }>`
    select seq, id, email, subscribed, "json"(data) as data from contacts
    where ${reader.dialect.isAmong(sql`seq`, [...new Set(contacts)])} and ${PRESENT}`;
  return new Map(
    rows.map(({ seq, id, email, subscribed, data }) => [
      seq,
      { id, email, subscribed: flag(subscribed), data: json<EventPerson["data"]>(data) },
    ]),
  );
}

/** Facts that events of the log lack: the recipient of a mail, and the last reply to it. */
export type EventRecipient = { readonly to: string; readonly error: string | null; readonly isPrivate: boolean };

/** By the numbers of the mails. */
export async function recipientsOf(reader: Reader, emails: readonly number[]): Promise<Map<number, EventRecipient>> {
  if (emails.length === 0) return new Map();
  const rows = await reader.all<Omit<EventRecipient, "isPrivate"> & { seq: number; isPrivate: 0 | 1 }>`
    select e.seq, e.to_address as "to", e.error, c.private as "isPrivate"
    from emails e join contents c on c.seq = e.content
    where ${reader.dialect.isAmong(sql`e.seq`, [...new Set(emails)])} and e.source_type <> 'INBOUND'`;
  return new Map(rows.map(({ seq, isPrivate, ...known }) => [seq, { ...known, isPrivate: flag(isPrivate) }]));
}

type Test = Pick<NewEndpointEvent, "id" | "workspace" | "type" | "data">;

/** An example, which is never replayed with others. */
export async function insertTest(tx: Tx, { id, workspace, type, data }: Test): Promise<number> {
  const row = await tx.get<{ seq: number }>`
    insert into webhook_events (id, workspace, type, data, is_test, created_at)
    values (${id}, ${workspace}, ${type}, ${JSON.stringify(data)}, 1, ${tx.now}) returning seq`;
  return (row as { seq: number }).seq;
}

/** The same, in the form for endpoints. */
export function mergedToldEndpoints(tx: Tx, contact: number): Promise<{ seq: number; data: string }[]> {
  return tx.all`select seq, data from webhook_events where contact = ${contact} and type = 'contact.merged'`;
}

export function setToldEndpoints(tx: Tx, seq: number, data: object): Promise<number> {
  return tx.run`update webhook_events set data = ${JSON.stringify(data)} where seq = ${seq}`;
}
