// The SQL of webhooks on their way, and of the attempts to deliver them.
import { PRESENT } from "../../contacts/queries.ts";
import { joined, list, sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

type CallState = "DUE" | "CALLING" | "DELIVERED" | "FAILED" | "CANCELLED";

type NewCall = {
  readonly executionStep: number;
  readonly execution: number;
  readonly workspace: number;
  readonly origin: string;
  /** JSON text. */
  readonly payload: string;
};

export function insertCall(tx: Tx, { executionStep, execution, workspace, origin, payload }: NewCall): Promise<number> {
  return tx.run`
    insert into webhook_deliveries (execution_step, execution, workspace, origin, payload, state, due_at)
    values (${executionStep}, ${execution}, ${workspace}, ${origin}, ${payload}, 'DUE', ${tx.now})`;
}

export type Candidate = { readonly execution_step: number; readonly origin: string };

export function dueCalls(reader: Reader, workspace: number, now: string, limit: number): Promise<Candidate[]> {
  return reader.all<Candidate>`
    select execution_step, origin from webhook_deliveries
    where workspace = ${workspace} and due_at is not null and due_at <= ${now} order by due_at limit ${limit}`;
}

type Place = { readonly origin: string; readonly limit: number };

/** A workspace's oldest at each of these places. */
export function dueCallsAt(
  reader: Reader,
  workspace: number,
  places: readonly Place[],
  now: string,
): Promise<Candidate[]> {
  const each = places.map(
    ({ origin, limit }) => sql`select * from (
      select execution_step, origin from webhook_deliveries
      where workspace = ${workspace} and origin = ${origin} and due_at is not null and due_at <= ${now} order by due_at limit ${limit}) as place`,
  );
  return reader.all<Candidate>`${joined(each, " union all ")}`;
}

/** Where a workspace has something due, but for `full`. Goes from origin to origin along the index, however much is due at one. */
export async function originsDue(
  reader: Reader,
  workspace: number,
  full: readonly string[],
  { now, most }: { readonly now: string; readonly most: number },
): Promise<string[]> {
  const theirs = sql`d.workspace = ${workspace} and d.due_at is not null`;
  const rows = await reader.all<{ origin: string }>`
    with recursive origins (origin) as (
      select min(d.origin) from webhook_deliveries d where ${theirs}
      union all
      select (select min(d.origin) from webhook_deliveries d where ${theirs} and d.origin > origins.origin)
      from origins where origins.origin is not null)
    select origin from origins
    where origin is not null and origin not in (${list(full)}) and exists (
      select 1 from webhook_deliveries d where ${theirs} and d.origin = origins.origin and d.due_at <= ${now})
    limit ${most}`;
  return rows.map(({ origin }) => origin);
}

/** In a statement on `turns`: when the first webhook of a workspace is due. */
export const FIRST_CALL_DUE = sql`(
  select d.due_at from webhook_deliveries d where d.workspace = turns.workspace and d.due_at is not null
  order by d.due_at limit 1)`;

/** Counts the attempt; those that another process has taken meanwhile are not answered. */
export function claimCalls(
  tx: Tx,
  steps: readonly number[],
  leaseUntil: string,
): Promise<{ execution_step: number; attempts: number }[]> {
  return tx.all`
    update webhook_deliveries set state = 'CALLING', due_at = ${leaseUntil}, attempts = attempts + 1, tries = tries + 1
    where execution_step in (${list(steps)}) and due_at is not null and due_at <= ${tx.now}
    returning execution_step, attempts`;
}

export function insertAttempt(tx: Tx, executionStep: number, number: number): Promise<number> {
  return tx.run`
    insert into webhook_attempts (execution_step, number, at) values (${executionStep}, ${number}, ${tx.now})`;
}

export type CallRow = {
  readonly execution_step: number;
  readonly execution: number;
  readonly workspace: number;
  readonly workflow: number;
  readonly origin: string;
  readonly payload: string;
  readonly tries: number;
  readonly attempts: number;
  readonly by_hand: 0 | 1;
  /** The public id of what the execution did at the step: the webhook's id. */
  readonly id: string;
  /** The public id of the step in the workflow. */
  readonly step: string;
  readonly version: number;
};

/** Without what is about people who are being erased: it goes with them. */
export function callsInHand(reader: Reader, steps: readonly number[]): Promise<CallRow[]> {
  return reader.all<CallRow>`
    select d.execution_step, d.execution, d.workspace, d.origin, d.payload, d.tries, d.attempts, d.by_hand, s.id, s.step,
      e.version, e.workflow
    from webhook_deliveries d
    join execution_steps s on s.seq = d.execution_step
    join executions e on e.seq = d.execution
    join contacts c on c.seq = e.contact and ${PRESENT}
    where d.execution_step in (${list(steps)})`;
}

export function putOffCalls(tx: Tx, steps: readonly number[], dueAt: string): Promise<number> {
  return tx.run`
    update webhook_deliveries set due_at = ${dueAt} where execution_step in (${list(steps)}) and due_at is not null`;
}

/** Those of workflows that are disabled. */
export function callsOfDisabled(
  reader: Reader,
  steps: readonly number[],
): Promise<{ execution_step: number; workflow: number }[]> {
  return reader.all`
    select d.execution_step, w.seq as workflow from webhook_deliveries d
    join executions e on e.seq = d.execution join workflows w on w.seq = e.workflow and w.enabled = 0
    where d.execution_step in (${list(steps)})`;
}

/** Those that are disabled still; nobody enables them until this transaction is over. */
export async function lockDisabled(tx: Tx, workflows: readonly number[]): Promise<number[]> {
  const rows = await tx.all<{ seq: number }>`
    select seq from workflows where seq in (${list(workflows)}) and enabled = 0 order by seq${tx.dialect.forChange}`;
  return rows.map(({ seq }) => seq);
}

export function hold(tx: Tx, workflow: number, steps: readonly number[]): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = 'DUE', due_at = null, held = ${workflow}
    where execution_step in (${list(steps)}) and due_at is not null and due_at <= ${tx.now}`;
}

/** Makes due at once what is held for these workflows, so much of it. */
export function release(tx: Tx, workflows: readonly number[], limit: number): Promise<number> {
  return tx.run`
    update webhook_deliveries set due_at = ${tx.now}, held = null
    where held is not null and execution_step in (
      select execution_step from webhook_deliveries where held in (${list(workflows)}) limit ${limit})`;
}

export async function isOfDisabled(reader: Reader, { workflow }: Pick<CallRow, "workflow">): Promise<boolean> {
  return (await reader.get`select 1 as is_disabled from workflows where seq = ${workflow} and enabled = 0`) !== null;
}

/** It was claimed and not called: the attempt is none. */
export async function giveBack(tx: Tx, { execution_step: step, attempts }: CallRow): Promise<void> {
  const given = await tx.run`
    update webhook_deliveries set state = 'DUE', due_at = ${tx.now}, attempts = attempts - 1, tries = tries - 1
    where execution_step = ${step} and attempts = ${attempts} and state = 'CALLING'`;
  if (given > 0) await tx.run`delete from webhook_attempts where execution_step = ${step} and number = ${attempts}`;
}

export type AttemptResult = {
  readonly outcome: "delivered" | "later" | "failed";
  readonly status: number | null;
  readonly durationMs: number;
  readonly answer: string | null;
};

export function setAttemptResult(tx: Tx, step: number, number: number, result: AttemptResult): Promise<number> {
  return tx.run`
    update webhook_attempts set outcome = ${result.outcome}, status = ${result.status}, duration_ms = ${result.durationMs},
      answer = ${result.answer}
    where execution_step = ${step} and number = ${number}`;
}

/** Guarded: what a late attempt says, which another has followed, counts for nothing. */
export function setCallState(
  tx: Tx,
  { execution_step: step, attempts }: Pick<CallRow, "execution_step" | "attempts">,
  state: CallState,
  dueAt: string | null,
): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = ${state}, due_at = ${dueAt}
    where execution_step = ${step} and attempts = ${attempts} and state = 'CALLING'`;
}

/** Answers 0 if another process has taken it over. */
export function renewCall(
  tx: Tx,
  { execution_step: step, attempts }: Pick<CallRow, "execution_step" | "attempts">,
  leaseUntil: string,
): Promise<number> {
  return tx.run`
    update webhook_deliveries set due_at = ${leaseUntil}
    where execution_step = ${step} and attempts = ${attempts} and state = 'CALLING'`;
}

/** All that was claimed by a process that is gone may be claimed again at once. */
export function endCallLeases(tx: Tx): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = 'DUE', due_at = ${tx.now}
    where due_at is not null and due_at > ${tx.now} and state = 'CALLING'`;
}

export function cancelCalls(tx: Tx, executions: readonly number[]): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = 'CANCELLED', due_at = null, held = null
    where state in ('DUE', 'CALLING')
      and execution_step in (select seq from execution_steps where execution in (${list(executions)}))`;
}

/** Sends again, as if for the first time, what is settled; the execution does not wait for it. Not after so many attempts. */
export function setSentByHand(tx: Tx, executionStep: number, maxAttempts: number): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = 'DUE', due_at = ${tx.now}, tries = 0, by_hand = 1
    where execution_step = ${executionStep} and state in ('DELIVERED', 'FAILED', 'CANCELLED')
      and attempts < ${maxAttempts}`;
}

/** Tries at once what waits for its next attempt. */
export function setDueNow(tx: Tx, executionStep: number): Promise<number> {
  return tx.run`
    update webhook_deliveries set due_at = ${tx.now}, held = null
    where execution_step = ${executionStep} and state = 'DUE'`;
}

export type AttemptRow = {
  readonly execution_step: number;
  readonly number: number;
  readonly at: string;
  readonly outcome: string | null;
  readonly status: number | null;
  readonly duration_ms: number | null;
  readonly answer: string | null;
};

/** Those of each step, oldest first. */
export async function attemptsOf(reader: Reader, steps: readonly number[]): Promise<AttemptRow[]> {
  if (steps.length === 0) return [];
  const rows = await reader.all<AttemptRow>`
    select execution_step, number, at, outcome, status, duration_ms, answer from webhook_attempts
    where execution_step in (${list(steps)})`;
  return rows.sort((one, other) => one.number - other.number);
}
