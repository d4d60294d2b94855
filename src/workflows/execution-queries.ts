// The SQL of executions: how they start, where they stand, what is due.
import { PRESENT } from "../contacts/queries.ts";
import { list, sql, type Sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { Queue } from "../store/turns.ts";

export type ExecutionStatus = "RUNNING" | "WAITING" | "COMPLETED" | "EXITED" | "FAILED" | "CANCELLED";

export type NewExecution = {
  readonly id: string;
  readonly workspace: number;
  readonly workflow: number;
  readonly version: number;
  readonly contact: number;
  /** The step at which it stands at first. */
  readonly step: string;
  readonly eventName: string | null;
  /** The number of the event behind which others count for waits; null = the newest of the contact. */
  readonly afterEvent: number | null;
  /** JSON text. */
  readonly context: string;
  readonly once: boolean;
};

/** Answers 0 if the contact is in the workflow already, or was, where that may be once only. */
export function insertExecution(tx: Tx, execution: NewExecution): Promise<number> {
  return tx.run`
    insert into executions (id, workspace, workflow, version, contact, status, step, due_at, event_name, after_event,
      context, once, started_at)
    values (${execution.id}, ${execution.workspace}, ${execution.workflow}, ${execution.version}, ${execution.contact},
      'RUNNING', ${execution.step}, ${tx.now}, ${execution.eventName}, ${afterEvent(execution)}, ${execution.context},
      ${execution.once ? 1 : null}, ${tx.now})
    on conflict do nothing`;
}

function afterEvent({ afterEvent, contact }: NewExecution): Sql {
  if (afterEvent !== null) return sql`${afterEvent}`;
  return sql`(select coalesce(max(e.seq), 0) from events e where e.contact = ${contact})`;
}

/** One that has ended before it began. */
export function insertCutOff(tx: Tx, execution: NewExecution, reason: string): Promise<number> {
  return tx.run`
    insert into executions (id, workspace, workflow, version, contact, status, event_name, context, reason, started_at, ended_at)
    values (${execution.id}, ${execution.workspace}, ${execution.workflow}, ${execution.version}, ${execution.contact},
      'FAILED', ${execution.eventName}, ${execution.context}, ${reason}, ${tx.now}, ${tx.now})`;
}

export async function wasStarted(reader: Reader, workflow: number, contact: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as started from executions where contact = ${contact} and workflow = ${workflow} limit 1`;
  return row !== null;
}

/** How the contact was started in the workflow since then, newest first, at most so many; `step` null = cut off at once. */
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

export type DueExecution = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly workflow: number;
  readonly version: number;
  readonly contact: number;
  readonly step: string;
  readonly branch: string | null;
  readonly event_name: string | null;
  /** Null: started by an older Posthorn. */
  readonly after_event: number | null;
  readonly context: string;
  readonly started_at: string;
};

const DUE_COLUMNS = sql`seq, id, workspace, workflow, version, contact, step, branch, event_name, after_event, context, started_at`;

/** What is due. It is this transaction's until that is over; what another process has in hand is passed over. */
export const EXECUTIONS: Queue<DueExecution> = {
  name: "executions",
  take: (tx, workspace, most) => tx.all<DueExecution>`
    select ${DUE_COLUMNS}
    from executions where workspace = ${workspace} and due_at is not null and due_at <= ${tx.now}
    order by due_at limit ${most}${tx.dialect.skipLocked}`,
  firstDue: sql`(
    select e.due_at from executions e where e.workspace = turns.workspace and e.due_at is not null order by e.due_at limit 1)`,
};

/** Those of a contact in these workflows that run, or whose time had come before `at`. Nobody else takes them on meanwhile. */
export function executionsBehind(
  tx: Tx,
  contact: number,
  workflows: readonly number[],
  at: string,
): Promise<DueExecution[]> {
  return tx.all<DueExecution>`
    select ${DUE_COLUMNS}
    from executions
    where workflow in (${list(workflows)}) and contact = ${contact} and status in ('RUNNING', 'WAITING')
      and due_at <= case status when 'RUNNING' then ${tx.now} else ${at} end${tx.dialect.forUpdate}`;
}

export function putOffExecutions(tx: Tx, seqs: readonly number[], dueAt: string): Promise<number> {
  return tx.run`update executions set due_at = ${dueAt} where seq in (${list(seqs)}) and due_at is not null`;
}

export type ExecutionState = {
  readonly status: ExecutionStatus;
  readonly step: string;
  readonly branch: string | null;
  readonly dueAt: string | null;
  readonly awaits: string | null;
  readonly reason: string | null;
};

export function setExecutionState(tx: Tx, seq: number, state: ExecutionState): Promise<number> {
  const { status, step, branch, dueAt, awaits, reason } = state;
  const endedAt = status === "RUNNING" || status === "WAITING" ? null : tx.now;
  return tx.run`
    update executions set status = ${status}, step = ${step}, branch = ${branch}, due_at = ${dueAt}, awaits = ${awaits},
      reason = ${reason}, ended_at = ${endedAt}
    where seq = ${seq} and status in ('RUNNING', 'WAITING')`;
}

type AwaitingExecution = { readonly seq: number; readonly step: string; readonly context: string };

export function executionsAwaiting(tx: Tx, contact: number, eventName: string): Promise<AwaitingExecution[]> {
  return tx.all<AwaitingExecution>`
    select seq, step, context from executions where contact = ${contact} and awaits = ${eventName}${tx.dialect.forUpdate}`;
}

/** What it waited for has come. Answers 0 if it no longer waits. */
export function setArrived(tx: Tx, seq: number, eventName: string, context: string): Promise<number> {
  return tx.run`
    update executions set status = 'RUNNING', branch = 'event', awaits = null, due_at = ${tx.now}, context = ${context}
    where seq = ${seq} and awaits = ${eventName}`;
}

/** Its webhook is settled: it goes on at once. Answers 0 if it does not stand there any more. */
export function setGoingOn(tx: Tx, seq: number, step: string): Promise<number> {
  return tx.run`
    update executions set status = 'RUNNING', due_at = ${tx.now}
    where seq = ${seq} and step = ${step} and status = 'WAITING'`;
}

export function setContext(tx: Tx, seq: number, context: string): Promise<number> {
  return tx.run`update executions set context = ${context} where seq = ${seq}`;
}

export type ListedExecution = {
  readonly seq: number;
  readonly id: string;
  readonly workflow: number;
  readonly version: number;
  readonly status: ExecutionStatus;
  readonly step: string | null;
  readonly due_at: string | null;
  readonly awaits: string | null;
  readonly event_name: string | null;
  /** JSON text; null if it is too long for a list. */
  readonly context: string | null;
  readonly reason: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  /** Its trace is forgotten. */ readonly is_bare: 0 | 1;
  readonly contact_id: string;
  readonly contact_email: string;
};

export type ExecutionRow = ListedExecution & { readonly context: string };

/** Without those of people who are being erased. */
function selectExecutions(context: Sql): Sql {
  return sql`
    select e.seq, e.id, e.workflow, e.version, e.status, e.step, e.due_at, e.awaits, e.event_name, ${context} as context,
      e.reason, e.started_at, e.ended_at, e.is_bare, c.id as contact_id, c.email as contact_email
    from executions e join contacts c on c.seq = e.contact and ${PRESENT}`;
}

export function executionById(reader: Reader, workflow: number, id: string): Promise<ExecutionRow | null> {
  return reader.get<ExecutionRow>`${selectExecutions(sql`e.context`)} where e.workflow = ${workflow} and e.id = ${id}`;
}

type ExecutionFilter = { readonly workflow: number; readonly status: ExecutionStatus | null };

function matching({ workflow, status }: ExecutionFilter) {
  return status === null ? sql`workflow = ${workflow}` : sql`workflow = ${workflow} and status = ${status}`;
}

const MAX_LISTED_CONTEXT_CHARS = 10_000;

/** Newest first. The page is cut on the narrow index before the rows are fetched. */
export function executionsPage(
  reader: Reader,
  filter: ExecutionFilter,
  limit: number,
  offset: number,
): Promise<ListedExecution[]> {
  const context = sql`case when length(e.context) <= ${MAX_LISTED_CONTEXT_CHARS} then e.context end`;
  return reader.all<ListedExecution>`
    ${selectExecutions(context)} where e.seq in
      (select seq from executions where ${matching(filter)} order by seq desc limit ${limit} offset ${offset})
    order by e.seq desc`;
}

export async function countExecutions(reader: Reader, filter: ExecutionFilter): Promise<number> {
  const row = await reader.get<{ total: number }>`select count(*) as total from executions where ${matching(filter)}`;
  return row?.total ?? 0;
}

export async function isRunning(reader: Reader, workflow: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as runs from executions where workflow = ${workflow} and status in ('RUNNING', 'WAITING') limit 1`;
  return row !== null;
}

export function activeExecutions(tx: Tx, workflow: number, most: number): Promise<{ seq: number }[]> {
  return tx.all`
    select seq from executions where workflow = ${workflow} and status in ('RUNNING', 'WAITING') limit ${most}${tx.dialect.forUpdate}`;
}

export function setCancelled(tx: Tx, seqs: readonly number[], reason: string): Promise<number> {
  return tx.run`
    update executions set status = 'CANCELLED', due_at = null, awaits = null, reason = ${reason}, ended_at = ${tx.now}
    where seq in (${list(seqs)}) and status in ('RUNNING', 'WAITING')`;
}

export type ContactSeen = {
  readonly id: string;
  readonly email: string;
  readonly subscribed: 0 | 1;
  readonly status: string;
  /** JSON text. */
  readonly data: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** Null for one that is being erased, too. */
export function contactNumbered(reader: Reader, seq: number): Promise<ContactSeen | null> {
  return reader.get<ContactSeen>`
    select id, email, subscribed, status, json(data) as data, created_at, updated_at from contacts where seq = ${seq} and ${PRESENT}`;
}
