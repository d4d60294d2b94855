// Events and changes that are not dispatched yet: written with the change itself, claimed by the dispatcher.
import { json } from "../../store/columns.ts";
import { poster, remembered } from "../../store/loads.ts";
import { insertion } from "../../store/row-statement.ts";
import { sqlList, sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { TurnQueue } from "../../store/turns.ts";
import { hearersAmong, type ListenerKinds } from "./interests.ts";

/** Signalled when there may be rows to dispatch. */
export const OUTBOX_FILLED = "outbox";
/** Signalled when there may be rows for endpoints. */
export const ENDPOINTS_TOLD = "endpoints";

type OutboxChange = {
  readonly workspace: number;
  readonly contact: number | null;
  /** src/tenant/events/subjects.ts; at least one. */
  readonly subjects: readonly string[];
};

/** The hearers of such a change. */
export const hearersOf = remembered(
  ({ workspace, subjects }: Pick<OutboxChange, "workspace" | "subjects">) => `${workspace} ${subjects.join("\n")}`,
  (tx, { workspace, subjects }) => hearersAmong(tx, workspace, subjects),
);

const ENTRIES = insertion("outbox", {
  workspace: "bigint",
  subjects: "text",
  contact: "bigint",
  event: "bigint",
  notice: "text",
  for_endpoints: "smallint",
  due_at: "text",
});

type NewOutboxEntry = OutboxChange & {
  readonly event: number | null;
  /** JSON text. */
  readonly notice: string | null;
  readonly forEndpoints: ForEndpoints;
};

/** 0 = for segments and workflows; 1 = for endpoints, which can wait. */
type ForEndpoints = 0 | 1;

const putIn = poster<NewOutboxEntry>({
  stage: "note",
  ask: async (tx, entries) => {
    for (const told of new Set(entries.map((one) => one.forEndpoints)))
      tx.signal(told ? ENDPOINTS_TOLD : OUTBOX_FILLED);
    const rows = entries.map(({ workspace, subjects, contact, event, notice, forEndpoints }) => [
      workspace,
      JSON.stringify(subjects),
      contact,
      event,
      notice,
      forEndpoints,
      tx.now,
    ]);
    await tx.runEach(ENTRIES, rows);
    return [];
  },
});

/** Writes the row for the hearers. */
export function putInOutbox(
  tx: Tx,
  change: OutboxChange & { readonly event: number | null; readonly notice?: string },
  { inside, endpoints }: ListenerKinds,
): void {
  if (inside) putIn(tx, { notice: null, ...change, forEndpoints: 0 });
  if (endpoints) putIn(tx, { notice: null, ...change, forEndpoints: 1 });
}

/** A change without an event, such as new data of a contact: its consumers get it, and it is deleted. */
export function touch(tx: Tx, { contact, ...change }: OutboxChange): Promise<void> {
  return touchEach(tx, [contact], change);
}

/** As `touch`, for many contacts that have changed alike. */
export async function touchEach(
  tx: Tx,
  contacts: readonly (number | null)[],
  change: Omit<OutboxChange, "contact">,
): Promise<void> {
  if (contacts.length === 0) return;
  const hearers = await hearersOf(tx, change);
  for (const contact of contacts) putInOutbox(tx, { ...change, contact, event: null }, hearers);
}

/** No row was ever meant for later; a failed one is tried sooner. */
export function recallRows(tx: Tx): Promise<number> {
  return tx.run`update outbox set due_at = ${tx.now} where due_at > ${tx.now}`;
}

export type OutboxEntry = {
  readonly seq: number;
  readonly workspace: number;
  readonly subjects: readonly string[];
  readonly contact: number | null;
  readonly event: number | null;
  /** JSON text. */
  readonly notice: string | null;
  readonly attempts: number;
};

/**
 * Takes a workspace's oldest rows out, in the order in which they were written; rows that another process is taking
 * stay.
 */
async function takeDue(tx: Tx, forEndpoints: ForEndpoints, workspace: number, limit: number): Promise<OutboxEntry[]> {
  const rows = await tx.all<Omit<OutboxEntry, "subjects"> & { readonly subjects: string }>`
    delete from outbox where seq in (
      select seq from outbox
      where workspace = ${workspace} and for_endpoints = ${forEndpoints} and due_at is not null and due_at <= ${tx.now}
      order by due_at, seq limit ${limit}${tx.dialect.skipLocked})
    returning seq, workspace, subjects, contact, event, notice, attempts`;
  return rows.sort((one, other) => one.seq - other.seq).map((row) => ({ ...row, subjects: json(row.subjects) }));
}

export const OUTBOX: TurnQueue<OutboxEntry> = {
  name: "outbox",
  take: (tx, workspace, most) => takeDue(tx, 0, workspace, most),
  firstDue: sql`(
    select o.due_at from outbox o where o.workspace = turns.workspace and o.for_endpoints = 0 and o.due_at is not null
    order by o.due_at limit 1)`,
};

/** The queue of rows for endpoints. */
export const FOR_ENDPOINTS: TurnQueue<OutboxEntry> = {
  name: "endpoints",
  take: (tx, workspace, most) => takeDue(tx, 1, workspace, most),
  firstDue: sql`(
    select o.due_at from outbox o where o.workspace = turns.workspace and o.for_endpoints = 1 and o.due_at is not null
    order by o.due_at limit 1)`,
};

/** `dueAt` null parks the row. A row that has been dispatched stays deleted. */
export function deferEntry(tx: Tx, { seq, attempts }: OutboxEntry, dueAt: string | null): Promise<number> {
  return tx.run`
    update outbox set attempts = attempts + 1, due_at = ${dueAt} where seq = ${seq} and attempts = ${attempts}`;
}

/** Deletes parked rows of a contact, which may name the person. */
export function forgetParked(tx: Tx, contact: number): Promise<number> {
  return tx.run`
    delete from outbox where due_at is null and contact = ${contact}
      and workspace = (select workspace from contacts where seq = ${contact})`;
}

/** Deletes rows of a workspace that is emptied: some of those that are due, and all that are parked. */
export async function deleteOutboxOf(tx: Tx, workspace: number, most: number): Promise<number> {
  await tx.run`
    delete from outbox where due_at is null and seq in (
      select seq from outbox where workspace = ${workspace} and due_at is null)`;
  return tx.run`
    delete from outbox where seq in (
      select seq from outbox where workspace = ${workspace} and for_endpoints in (0, 1) and due_at is not null limit ${most})`;
}

export async function hasUndispatched(reader: Reader, workspace: number, now: string): Promise<boolean> {
  const row = await reader.get`
    select 1 as waits from outbox
    where workspace = ${workspace} and for_endpoints = 0 and due_at is not null and due_at <= ${now} limit 1`;
  return row !== null;
}

export type EventData = Readonly<Record<string, unknown>>;

export type DispatchedEvent = {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly email: number | null;
  readonly data: EventData;
  readonly createdAt: string;
};

/** `data`: JSON text. */
export type JsonEvent<Event extends { readonly data: EventData }> = Omit<Event, "data"> & { readonly data: string };

/** The columns of an event that consumers see; `eventOf` reads them. */
export const EVENT = sql`seq, id, name, email, "json"(data) as data, created_at as "createdAt"`;

export function eventOf<Row extends { readonly data: string }>(row: Row): Omit<Row, "data"> & { data: EventData } {
  return { ...row, data: json(row.data) };
}

/** The existing events among these, by seq. */
export async function eventsNumbered(reader: Reader, seqs: readonly number[]): Promise<Map<number, DispatchedEvent>> {
  if (seqs.length === 0) return new Map();
  const rows = await reader.all<
    JsonEvent<DispatchedEvent>
  >`select ${EVENT} from events where seq in (${sqlList(seqs)})`;
  return new Map(rows.map((row) => [row.seq, eventOf(row)]));
}
