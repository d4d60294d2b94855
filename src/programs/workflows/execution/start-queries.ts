// The SQL by which executions start: earlier executions of a contact in a workflow, and their number.
import type { Variables } from "../../../audience/contacts/data.ts";
import { insertion } from "../../../store/row-statement.ts";
import { sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";

export type NewExecution = {
  readonly id: string;
  readonly workspace: number;
  readonly workflow: number;
  readonly version: number;
  readonly contact: number;
  /** The step at which it starts. */
  readonly step: string;
  readonly eventName: string | null;
  /** Later events count for waits; null = events after the contact's newest. */
  readonly afterEvent: number | null;
  readonly context: Variables;
  readonly once: boolean;
  /** A contact has at most one running or waiting execution of the same entry. */
  readonly entry: string;
};

const EXECUTIONS_STARTED = insertion(
  "executions",
  {
    id: "text",
    workspace: "bigint",
    workflow: "bigint",
    version: "bigint",
    contact: "bigint",
    status: "text",
    step: "text",
    due_at: "text",
    event_name: "text",
    after_event: "bigint",
    context: "text",
    once: "smallint",
    entry: "text",
    started_at: "text",
  },
  "on conflict do nothing returning id",
);

/**
 * Answers the ids of the executions that were started: not if the contact is in the workflow already, or was and may
 * enter once only.
 */
export async function insertExecutions(tx: Tx, executions: readonly NewExecution[]): Promise<ReadonlySet<string>> {
  const last = await lastEvents(tx, executions);
  const rows = executions.map(({ id, workspace, workflow, version, contact, step, eventName, ...one }) => [
    id,
    workspace,
    workflow,
    version,
    contact,
    "RUNNING",
    step,
    tx.now,
    eventName,
    one.afterEvent ?? last.get(contact) ?? 0,
    JSON.stringify(one.context),
    one.once ? 1 : null,
    one.entry,
    tx.now,
  ]);
  return new Set((await tx.runEach<{ id: string }>(EXECUTIONS_STARTED, rows)).map(({ id }) => id));
}

/** For the contacts that no event starts, the newest event of each that has one. */
async function lastEvents(tx: Tx, executions: readonly NewExecution[]): Promise<ReadonlyMap<number, number>> {
  const contacts = executions.flatMap(({ afterEvent, contact }) => (afterEvent === null ? contact : []));
  if (contacts.length === 0) return new Map();
  const rows = await tx.all<{ contact: number; seq: number }>`
    select c.seq as contact, (select max(e.seq) from events e where e.contact = c.seq) as seq
    from contacts c where ${tx.dialect.isAmong(sql`c.seq`, contacts)}`;
  return new Map(rows.map(({ contact, seq }) => [contact, seq]));
}

/** An execution that failed before it began. */
export function insertCutOff(tx: Tx, execution: NewExecution, reason: string): Promise<number> {
  const { id, workspace, workflow, version, contact, eventName, context } = execution;
  return tx.run`
    insert into executions (id, workspace, workflow, version, contact, status, event_name, context, reason, started_at, ended_at)
    values (${id}, ${workspace}, ${workflow}, ${version}, ${contact}, 'FAILED', ${eventName}, ${JSON.stringify(context)},
      ${reason}, ${tx.now}, ${tx.now})`;
}

export async function wasStarted(reader: Reader, workflow: number, contact: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as started from executions where contact = ${contact} and workflow = ${workflow} limit 1`;
  return row !== null;
}

/** The contacts that are in the workflow now; `entry` null = by any. */
export async function insideAmong(
  reader: Reader,
  workflow: number,
  contacts: readonly number[],
  entry: string | null = null,
): Promise<ReadonlySet<number>> {
  const by = entry === null ? sql`` : sql` and entry = ${entry}`;
  const rows = await reader.all<{ contact: number }>`
    select distinct contact from executions
    where ${reader.dialect.isAmong(sql`contact`, contacts)} and workflow = ${workflow}${by} and status in ('RUNNING', 'WAITING')`;
  return new Set(rows.map(({ contact }) => contact));
}

/** As `wasStarted`, for several: the contacts that were. */
export async function startedAmong(
  reader: Reader,
  workflow: number,
  contacts: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await reader.all<{ contact: number }>`
    select distinct contact from executions where ${reader.dialect.isAmong(sql`contact`, contacts)} and workflow = ${workflow}`;
  return new Set(rows.map(({ contact }) => contact));
}

/** How often each contact was started in the workflow since then; contacts that were not are left out. */
export async function countStarts(
  reader: Reader,
  workflow: number,
  contacts: readonly number[],
  since: string,
): Promise<ReadonlyMap<number, number>> {
  const rows = await reader.all<{ contact: number; starts: number }>`
    select contact, count(*) as starts from executions
    where ${reader.dialect.isAmong(sql`contact`, contacts)} and workflow = ${workflow} and started_at > ${since} group by contact`;
  return new Map(rows.map(({ contact, starts }) => [contact, starts]));
}

/** Starts of the contact in the workflow since then, newest first; `step` null = cut off. */
export function startsSince(
  reader: Reader,
  workflow: number,
  contact: number,
  { since, most }: { readonly since: string; readonly most: number },
): Promise<{ step: string | null }[]> {
  return reader.all`
    select step from executions where contact = ${contact} and workflow = ${workflow} and started_at > ${since}
    order by started_at desc limit ${most}`;
}
