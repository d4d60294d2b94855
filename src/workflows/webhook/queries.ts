// The SQL of webhooks and of the attempts to deliver them.
import { PRESENT } from "../../contacts/queries.ts";
import { flag, json } from "../../store/columns.ts";
import { joined, list, sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Payload } from "./record.ts";

type CallState = "DUE" | "CALLING" | "DELIVERED" | "FAILED" | "CANCELLED";

export type NewCall = {
  readonly executionStep: number;
  readonly execution: number;
  readonly workspace: number;
  readonly origin: string;
  readonly payload: Payload;
};

export function insertCall(tx: Tx, { executionStep, execution, workspace, origin, payload }: NewCall): Promise<number> {
  return tx.run`
    insert into webhook_deliveries (execution_step, execution, workspace, origin, payload, state, due_at)
    values (${executionStep}, ${execution}, ${workspace}, ${origin}, ${JSON.stringify(payload)}, 'DUE', ${tx.now})`;
}

/** `step`: the row of the trace, which is the webhook's. */
export type Candidate = { readonly step: number; readonly origin: string };

export function dueCalls(reader: Reader, workspace: number, now: string, limit: number): Promise<Candidate[]> {
  return reader.all<Candidate>`
    select execution_step as step, origin from webhook_deliveries
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
      select execution_step as step, origin from webhook_deliveries
      where workspace = ${workspace} and origin = ${origin} and due_at is not null and due_at <= ${now} order by due_at limit ${limit}) as place`,
  );
  return reader.all<Candidate>`${joined(each, " union all ")}`;
}

/**
 * Where a workspace has something due, but for `full`. Goes from origin to origin along the index, however much is due
 * at one.
 */
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

/** Counts the attempt. Those that another process has claimed are left out. */
export function claimCalls(
  tx: Tx,
  steps: readonly number[],
  leaseUntil: string,
): Promise<{ step: number; attempts: number }[]> {
  return tx.all`
    update webhook_deliveries set state = 'CALLING', due_at = ${leaseUntil}, attempts = attempts + 1, tries = tries + 1
    where execution_step in (${list(steps)}) and due_at is not null and due_at <= ${tx.now}
    returning execution_step as step, attempts`;
}

export type Call = {
  /** The row of the trace. */
  readonly step: number;
  readonly execution: number;
  readonly workspace: number;
  readonly workflow: number;
  readonly version: number;
  readonly origin: string;
  readonly payload: Payload;
  /** Since it was queued, or last sent by hand. */
  readonly tries: number;
  readonly attempts: number;
  readonly isByHand: boolean;
  /** The public id of the row of the trace: the webhook's id. */
  readonly id: string;
  /** The public id of the step in the workflow. */
  readonly stepId: string;
};

type CallRow = Omit<Call, "payload" | "isByHand"> & { readonly payload: string; readonly isByHand: 0 | 1 };

/** Without those of people who are being erased: they go with them. */
export async function callsInHand(reader: Reader, steps: readonly number[]): Promise<Call[]> {
  const rows = await reader.all<CallRow>`
    select d.execution_step as step, d.execution, d.workspace, e.workflow, e.version, d.origin, d.payload, d.tries,
      d.attempts, d.by_hand as "isByHand", s.id, s.step as "stepId"
    from webhook_deliveries d
    join execution_steps s on s.seq = d.execution_step
    join executions e on e.seq = d.execution
    join contacts c on c.seq = e.contact and ${PRESENT}
    where d.execution_step in (${list(steps)})`;
  return rows.map((row) => ({ ...row, payload: json<Payload>(row.payload), isByHand: flag(row.isByHand) }));
}

export function putOffCalls(tx: Tx, steps: readonly number[], dueAt: string): Promise<number> {
  return tx.run`
    update webhook_deliveries set due_at = ${dueAt} where execution_step in (${list(steps)}) and due_at is not null`;
}

/** Those of workflows that are disabled. */
export function callsOfDisabled(
  reader: Reader,
  steps: readonly number[],
): Promise<{ step: number; workflow: number }[]> {
  return reader.all`
    select d.execution_step as step, w.seq as workflow from webhook_deliveries d
    join executions e on e.seq = d.execution join workflows w on w.seq = e.workflow and w.enabled = 0
    where d.execution_step in (${list(steps)})`;
}

/** Those that are still disabled. Nobody can enable them until this transaction ends. */
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

/** Makes due at once what is held for these workflows, up to `limit`. */
export function release(tx: Tx, workflows: readonly number[], limit: number): Promise<number> {
  return tx.run`
    update webhook_deliveries set due_at = ${tx.now}, held = null
    where held is not null and execution_step in (
      select execution_step from webhook_deliveries where held in (${list(workflows)}) limit ${limit})`;
}

export async function isOfDisabled(reader: Reader, { workflow }: Call): Promise<boolean> {
  return (await reader.get`select 1 as is_disabled from workflows where seq = ${workflow} and enabled = 0`) !== null;
}

/** Claimed, but not called: the attempt does not count. */
export async function giveBack(tx: Tx, { step, attempts }: Call): Promise<void> {
  const given = await tx.run`
    update webhook_deliveries set state = 'DUE', due_at = ${tx.now}, attempts = attempts - 1, tries = tries - 1
    where execution_step = ${step} and attempts = ${attempts} and state = 'CALLING'`;
  if (given > 0) await tx.run`delete from webhook_attempts where execution_step = ${step} and number = ${attempts}`;
}

/** Guarded: the outcome of a late attempt counts for nothing if another has followed it. */
export function setCallState(
  tx: Tx,
  { step, attempts }: Call,
  state: CallState,
  dueAt: string | null,
): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = ${state}, due_at = ${dueAt}
    where execution_step = ${step} and attempts = ${attempts} and state = 'CALLING'`;
}

/** Answers 0 if another process has taken it over. */
export function renewCall(tx: Tx, { step, attempts }: Call, leaseUntil: string): Promise<number> {
  return tx.run`
    update webhook_deliveries set due_at = ${leaseUntil}
    where execution_step = ${step} and attempts = ${attempts} and state = 'CALLING'`;
}

/** What was claimed by a process that is gone may be claimed again at once. */
export function endCallLeases(tx: Tx): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = 'DUE', due_at = ${tx.now}
    where due_at is not null and due_at > ${tx.now} and state = 'CALLING'`;
}

/** Those that were never tried were never meant for later. */
export function recallCalls(tx: Tx): Promise<number> {
  return tx.run`
    update webhook_deliveries set due_at = ${tx.now}
    where due_at is not null and due_at > ${tx.now} and state = 'DUE' and tries = 0`;
}

export function cancelCalls(tx: Tx, executions: readonly number[]): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = 'CANCELLED', due_at = null, held = null
    where state in ('DUE', 'CALLING')
      and execution_step in (select seq from execution_steps where execution in (${list(executions)}))`;
}
