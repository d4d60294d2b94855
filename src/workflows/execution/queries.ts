// The SQL of executions: how they start, where they are, what is due, what is forgotten.
import type { Variables } from "../../contacts/data.ts";
import { PRESENT } from "../../contacts/queries.ts";
import { flag, json } from "../../store/columns.ts";
import { list, sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Queue } from "../../store/turns.ts";
import type { ContactInContext } from "./execution-context.ts";

export type ExecutionStatus = "RUNNING" | "WAITING" | "COMPLETED" | "EXITED" | "FAILED" | "CANCELLED";

export type NewExecution = {
  readonly id: string;
  readonly workspace: number;
  readonly workflow: number;
  readonly version: number;
  readonly contact: number;
  /** The step at which it starts. */
  readonly step: string;
  readonly eventName: string | null;
  /** Later events count for waits; null = those after the contact's newest. */
  readonly afterEvent: number | null;
  readonly context: Variables;
  readonly once: boolean;
};

/** Answers 0 if the contact is in the workflow already, or was and may enter once only. */
export function insertExecution(tx: Tx, execution: NewExecution): Promise<number> {
  const { id, workspace, workflow, version, contact, step, eventName, context, once } = execution;
  return tx.run`
    insert into executions (id, workspace, workflow, version, contact, status, step, due_at, event_name, after_event,
      context, once, started_at)
    values (${id}, ${workspace}, ${workflow}, ${version}, ${contact}, 'RUNNING', ${step}, ${tx.now}, ${eventName},
      ${afterEvent(execution)}, ${JSON.stringify(context)}, ${once ? 1 : null}, ${tx.now})
    on conflict do nothing`;
}

function afterEvent({ afterEvent, contact }: NewExecution): Sql {
  if (afterEvent !== null) return sql`${afterEvent}`;
  return sql`(select coalesce(max(e.seq), 0) from events e where e.contact = ${contact})`;
}

/** One that has failed before it began. */
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

export type DueExecution = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly version: number;
  readonly contact: number;
  /** The last step that it came to, which it leaves by `branch`. */
  readonly step: string;
  readonly branch: string | null;
  readonly afterEvent: number;
  readonly context: Variables;
  readonly startedAt: string;
  readonly dueAt: string;
  /** The event that it waits for; null unless it is at a wait that is not over. */
  readonly awaits: string | null;
};

type DueRow = Omit<DueExecution, "context"> & { readonly context: string };

const DUE = sql`seq, id, workspace, version, contact, step, branch, after_event as "afterEvent", context,
  started_at as "startedAt", due_at as "dueAt", awaits`;

/** The context is parsed when its execution is run: a batch may hold a hundred large ones. */
function withContext<Row extends { readonly context: string }>({ context: text, ...row }: Row) {
  return {
    ...row,
    get context(): Variables {
      return json(text);
    },
  };
}

/** Executions that are due, locked until this transaction ends. Those that another process has locked are left out. */
export const EXECUTIONS: Queue<DueExecution> = {
  name: "executions",
  take: async (tx, workspace, most) => {
    const rows = await tx.all<DueRow>`
      select ${DUE} from executions where workspace = ${workspace} and due_at is not null and due_at <= ${tx.now}
      order by due_at limit ${most}${tx.dialect.skipLocked}`;
    return rows.map(withContext);
  },
  firstDue: sql`(
    select e.due_at from executions e where e.workspace = turns.workspace and e.due_at is not null order by e.due_at limit 1)`,
};

/**
 * The contact's executions in these workflows that run, or whose time had come before `at`, locked. Those whose time has come
 * since are locked as well: another process may be bringing one to a wait, and has not seen what happened at `at`.
 */
export async function executionsBehind(
  tx: Tx,
  contact: number,
  workflows: readonly number[],
  at: string,
): Promise<DueExecution[]> {
  const rows = await tx.all<DueRow & { readonly status: ExecutionStatus }>`
    select ${DUE}, status
    from executions
    where workflow in (${list(workflows)}) and contact = ${contact} and status in ('RUNNING', 'WAITING')
      and due_at <= ${tx.now}${tx.dialect.forUpdate}`;
  return rows.filter(({ status, dueAt }) => status === "RUNNING" || dueAt <= at).map(withContext);
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

export async function executionsAwaiting(tx: Tx, contact: number, eventName: string) {
  const rows = await tx.all<{ seq: number; step: string; context: string }>`
    select seq, step, context from executions where contact = ${contact} and awaits = ${eventName}${tx.dialect.forUpdate}`;
  return rows.map(withContext);
}

/** What it waited for has come. Answers 0 if it no longer waits. */
export function setArrived(tx: Tx, seq: number, eventName: string, context: Variables): Promise<number> {
  return tx.run`
    update executions set status = 'RUNNING', branch = 'event', awaits = null, due_at = ${tx.now},
      context = ${JSON.stringify(context)}
    where seq = ${seq} and awaits = ${eventName}`;
}

/** Its webhook is settled: it goes on at once. Answers 0 if it is not at that step any more. */
export function setGoingOn(tx: Tx, seq: number, step: string): Promise<number> {
  return tx.run`
    update executions set status = 'RUNNING', due_at = ${tx.now}
    where seq = ${seq} and step = ${step} and status = 'WAITING'`;
}

export function setContext(tx: Tx, seq: number, context: Variables): Promise<number> {
  return tx.run`update executions set context = ${JSON.stringify(context)} where seq = ${seq}`;
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

/** Null also while the contact is being erased. */
export async function contactInContext(reader: Reader, seq: number): Promise<ContactInContext | null> {
  type Row = Omit<ContactInContext, "subscribed" | "data"> & { readonly subscribed: 0 | 1; readonly data: string };
  const row = await reader.get<Row>`
    select id, email, subscribed, status, json(data) as data, created_at as "createdAt", updated_at as "updatedAt"
    from contacts where seq = ${seq} and ${PRESENT}`;
  return row && { ...row, subscribed: flag(row.subscribed), data: json(row.data) };
}

type PastEvents = { readonly events: number; readonly contacts: number; readonly isAtLeast: boolean };

const MOST_PAST_EVENTS = 200_000;

/** How many events of this name contacts have had since then, and how many contacts had one; of the latest 200,000. */
export async function eventsSince(reader: Reader, workspace: number, name: string, since: string): Promise<PastEvents> {
  const row = await reader.get<Omit<PastEvents, "isAtLeast">>`
    select count(*) as events, count(distinct contact) as contacts from (
      select contact, created_at from events
      where workspace = ${workspace} and name = ${name} order by seq desc limit ${MOST_PAST_EVENTS}) as latest
    where contact is not null and created_at >= ${since}`;
  const { events, contacts } = row ?? { events: 0, contacts: 0 };
  return { events, contacts, isAtLeast: events >= MOST_PAST_EVENTS };
}

/** The earliest that still have their trace, without those that another process has locked. */
export function endedBefore(tx: Tx, before: string, most: number): Promise<{ seq: number }[]> {
  return tx.all`
    select seq from executions where ended_at is not null and is_bare = 0 and ended_at < ${before}
    order by ended_at limit ${most}${tx.dialect.skipLocked}`;
}

/** Webhooks and their attempts go with them. */
export function deleteExecutionSteps(tx: Tx, executions: readonly number[]): Promise<number> {
  return tx.run`delete from execution_steps where execution in (${list(executions)})`;
}

/** Those after which the same contact was in the same workflow again. */
export function deleteSuperseded(tx: Tx, executions: readonly number[]): Promise<number> {
  return tx.run`
    delete from executions where seq in (${list(executions)}) and exists (
      select 1 from executions later
      where later.contact = executions.contact and later.workflow = executions.workflow
        and later.started_at >= executions.started_at and later.seq > executions.seq)`;
}

export function stripExecutions(tx: Tx, executions: readonly number[]): Promise<number> {
  return tx.run`update executions set is_bare = 1, context = '{}' where seq in (${list(executions)})`;
}

/** A workflow that was deleted, if there is one that still has rows. */
export function deletedWorkflow(tx: Tx): Promise<{ seq: number } | null> {
  return tx.get<{ seq: number }>`select seq from workflows where deleted_at is not null order by seq limit 1`;
}

export function deleteExecutionsOf(tx: Tx, workflow: number, most: number): Promise<number> {
  return tx.run`
    delete from executions where seq in (select seq from executions where workflow = ${workflow} order by seq limit ${most})`;
}

export function deleteWorkflow(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from workflows where seq = ${seq}`;
}
