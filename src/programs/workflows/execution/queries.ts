// The SQL of executions: their steps, and the due ones.
import type { Variables } from "../../../audience/contacts/data.ts";
import { PRESENT } from "../../../audience/contacts/queries.ts";
import { flag, json } from "../../../store/columns.ts";
import { changing } from "../../../store/row-statement.ts";
import { isTrulyDue } from "../../../store/clock-queries.ts";
import { sqlList, sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { TurnQueue } from "../../../store/turns.ts";
import type { ContactInContext } from "./steps/execution-context.ts";

export type ExecutionStatus = "RUNNING" | "WAITING" | "COMPLETED" | "EXITED" | "FAILED" | "CANCELLED";

export type DueExecution = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly version: number;
  readonly contact: number;
  /** The last step reached, which it leaves by `branch`. */
  readonly step: string;
  readonly branch: string | null;
  /** The event that started it; null = none did. */
  readonly eventName: string | null;
  /** The number of that event, or of the last event before the start. */
  readonly afterEvent: number;
  /** Sets it apart from other executions of its contact (entry.ts). */
  readonly entry: string;
  readonly context: Variables;
  readonly startedAt: string;
  readonly dueAt: string;
  /** The event that it waits for; null unless it is at an unfinished wait. */
  readonly awaits: string | null;
};

type DueRow = Omit<DueExecution, "context"> & { readonly context: string };

const DUE = sql`seq, id, workspace, version, contact, step, branch, event_name as "eventName", after_event as "afterEvent", entry, context,
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

/** Due executions, locked until this transaction ends. Ones that another process has locked are left out. */
export const EXECUTIONS: TurnQueue<DueExecution> = {
  name: "executions",
  take: async (tx, workspace, most) => {
    const rows = await tx.all<DueRow>`
      select ${DUE} from executions where workspace = ${workspace} and due_at is not null and due_at <= ${tx.now}
        and ${isTrulyDue(sql`due_at`)} order by due_at limit ${most}${tx.dialect.skipLocked}`;
    return rows.map(withContext);
  },
  firstDue: sql`(
    select e.due_at from executions e where e.workspace = turns.workspace and e.due_at is not null
      and ${isTrulyDue(sql`e.due_at`)} order by e.due_at limit 1)`,
};

/** A moment in a contact's history. */
export type ContactMoment = { readonly contact: number; readonly at: string };

/**
 * The contacts' executions in these workflows that run, or were due before the moment, locked. Later due ones are
 * locked as well: another process may be bringing one to a wait, and has not seen the event.
 */
export async function executionsBehind(
  tx: Tx,
  happened: readonly ContactMoment[],
  workflows: readonly number[],
): Promise<DueExecution[]> {
  const at = new Map(happened.map((one) => [one.contact, one.at]));
  const rows = await tx.all<DueRow & { readonly status: ExecutionStatus }>`
    select ${DUE}, status
    from executions
    where workflow in (${sqlList(workflows)}) and ${tx.dialect.isAmong(sql`contact`, [...at.keys()])}
      and status in ('RUNNING', 'WAITING') and due_at <= ${tx.now}${tx.dialect.forUpdate}`;
  const isBehind = ({ status, dueAt, contact }: (typeof rows)[number]) =>
    status === "RUNNING" || dueAt <= (at.get(contact) as string);
  return rows.filter(isBehind).map(withContext);
}

export function deferExecutions(tx: Tx, seqs: readonly number[], dueAt: string): Promise<number> {
  return tx.run`update executions set due_at = ${dueAt} where seq in (${sqlList(seqs)}) and due_at is not null`;
}

export type ExecutionState = {
  readonly seq: number;
  readonly status: ExecutionStatus;
  readonly step: string;
  readonly branch: string | null;
  readonly dueAt: string | null;
  readonly awaits: string | null;
  readonly reason: string | null;
};

const STATES = changing(
  "executions",
  {
    seq: "bigint",
    status: "text",
    step: "text",
    branch: "text",
    dueAt: "text",
    awaits: "text",
    reason: "text",
    endedAt: "text",
  },
  ({ seq, status, step, branch, dueAt, awaits, reason, endedAt }) => ({
    set: `status = ${status}, step = ${step}, branch = ${branch}, due_at = ${dueAt}, awaits = ${awaits}, reason = ${reason},
      ended_at = ${endedAt}`,
    where: `executions.seq = ${seq} and executions.status in ('RUNNING', 'WAITING')`,
    returning: "executions.seq",
  }),
);

/** Sets the states of executions that run or wait. */
export async function setExecutionStates(tx: Tx, states: readonly ExecutionState[]): Promise<void> {
  const rows = states.map(({ seq, status, step, branch, dueAt, awaits, reason }) => {
    const endedAt = status === "RUNNING" || status === "WAITING" ? null : tx.now;
    return [seq, status, step, branch, dueAt, awaits, reason, endedAt];
  });
  await tx.runEach(STATES, rows);
}

export type AwaitingExecution = {
  readonly seq: number;
  readonly contact: number;
  readonly version: number;
  readonly entry: string;
};

export function executionsAwaiting(
  reader: Reader,
  contacts: readonly number[],
  eventName: string,
): Promise<AwaitingExecution[]> {
  return reader.all<AwaitingExecution>`
    select seq, contact, version, entry from executions
    where ${reader.dialect.isAmong(sql`contact`, contacts)} and awaits = ${eventName}`;
}

/** The executions among these that still wait for it, locked. */
export async function lockAwaiting(tx: Tx, seqs: readonly number[], eventName: string) {
  const rows = await tx.all<{ seq: number; contact: number; step: string; context: string }>`
    select seq, contact, step, context from executions
    where ${tx.dialect.isAmong(sql`seq`, seqs)} and awaits = ${eventName} order by seq${tx.dialect.forUpdate}`;
  return rows.map(withContext);
}

/** The awaited event has arrived. Answers 0 if it no longer waits. */
export function setArrived(tx: Tx, seq: number, eventName: string, context: Variables): Promise<number> {
  return tx.run`
    update executions set status = 'RUNNING', branch = 'event', awaits = null, due_at = ${tx.now},
      context = ${JSON.stringify(context)}
    where seq = ${seq} and awaits = ${eventName}`;
}

/** Its webhook is settled: the execution goes on immediately. Answers 0 if it is not at that step any more. */
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
    where seq in (${sqlList(seqs)}) and status in ('RUNNING', 'WAITING')`;
}

type ExecutionContactRow = Omit<ContactInContext, "subscribed" | "data"> & {
  readonly seq: number;
  readonly subscribed: 0 | 1;
  readonly data: string;
};

/** By seq; without contacts that are being erased. */
export async function contactsInContext(
  reader: Reader,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, ContactInContext>> {
  const rows = await reader.all<ExecutionContactRow>`
    select seq, id, email, subscribed, status, "json"(data) as data, created_at as "createdAt", updated_at as "updatedAt"
    from contacts where ${reader.dialect.isAmong(sql`seq`, seqs)} and ${PRESENT}`;
  return new Map(
    rows.map(({ seq, subscribed, data, ...contact }) => [
      seq,
      { ...contact, subscribed: flag(subscribed), data: json(data) },
    ]),
  );
}

type PastEvents = { readonly events: number; readonly contacts: number; readonly isLowerBound: boolean };

const MOST_PAST_EVENTS = 200_000;

/** The number of events of this name since then, and of contacts that had one; among the latest 200,000. */
export async function eventsSince(reader: Reader, workspace: number, name: string, since: string): Promise<PastEvents> {
  const row = await reader.get<Omit<PastEvents, "isLowerBound">>`
    select count(*) as events, count(distinct contact) as contacts from (
      select contact, created_at from events
      where workspace = ${workspace} and name = ${name} order by seq desc limit ${MOST_PAST_EVENTS}) as latest
    where contact is not null and created_at >= ${since}`;
  const { events, contacts } = row ?? { events: 0, contacts: 0 };
  return { events, contacts, isLowerBound: events >= MOST_PAST_EVENTS };
}
