// The SQL of the queue of webhooks.
import { flag } from "../../../store/columns.ts";
import { joined, sqlList, sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { WebhookDelivery } from "./call.ts";

type CallState = "DUE" | "CALLING" | "DELIVERED" | "FAILED" | "CANCELLED";

/** `endpoint`: null = a step's. */
export type WebhookCandidate = { readonly seq: number; readonly origin: string; readonly endpoint: number | null };

export function dueCalls(reader: Reader, workspace: number, now: string, limit: number): Promise<WebhookCandidate[]> {
  return reader.all<WebhookCandidate>`
    select seq, origin, endpoint from webhook_deliveries
    where workspace = ${workspace} and due_at is not null and due_at <= ${now} order by due_at limit ${limit}`;
}

type OriginLimit = { readonly origin: string; readonly limit: number };

/** A workspace's oldest at each of these places. */
export function dueCallsAt(
  reader: Reader,
  workspace: number,
  places: readonly OriginLimit[],
  now: string,
): Promise<WebhookCandidate[]> {
  const each = places.map(
    ({ origin, limit }) => sql`select * from (
      select seq, origin, endpoint from webhook_deliveries
      where workspace = ${workspace} and origin = ${origin} and due_at is not null and due_at <= ${now} order by due_at limit ${limit}) as place`,
  );
  return reader.all<WebhookCandidate>`${joined(each, " union all ")}`;
}

/**
 * The origins where a workspace has due webhooks, but for `full`. Goes from origin to origin along the index, however
 * many are due at one.
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
    where origin is not null and origin not in (${sqlList(full)}) and exists (
      select 1 from webhook_deliveries d where ${theirs} and d.origin = origins.origin and d.due_at <= ${now})
    limit ${most}`;
  return rows.map(({ origin }) => origin);
}

/** In a statement on `turns`: when the first webhook of a workspace is due. */
export const FIRST_CALL_DUE = sql`(
  select d.due_at from webhook_deliveries d where d.workspace = turns.workspace and d.due_at is not null
  order by d.due_at limit 1)`;

type WebhookClaimRow = Omit<WebhookDelivery, "isByHand"> & {
  readonly endpoint: number | null;
  readonly isByHand: 0 | 1;
};

/** Counts the attempt. Calls that another process has claimed are left out. */
export async function claimCalls(
  tx: Tx,
  deliveries: readonly number[],
  leaseUntil: string,
): Promise<(WebhookDelivery & WebhookCandidate)[]> {
  const rows = await tx.all<WebhookClaimRow>`
    update webhook_deliveries set state = 'CALLING', due_at = ${leaseUntil}, attempts = attempts + 1, tries = tries + 1
    where seq in (${sqlList(deliveries)}) and due_at is not null and due_at <= ${tx.now}
    returning seq, id, workspace, origin, endpoint, tries, attempts, by_hand as "isByHand"`;
  return rows.map((row) => ({ ...row, isByHand: flag(row.isByHand) }));
}

export function deferCalls(tx: Tx, deliveries: readonly number[], dueAt: string): Promise<number> {
  return tx.run`
    update webhook_deliveries set due_at = ${dueAt} where seq in (${sqlList(deliveries)}) and due_at is not null`;
}

/** Claimed, but not called: the attempt does not count. */
export async function giveBack(tx: Tx, { seq, attempts }: WebhookDelivery): Promise<void> {
  const given = await tx.run`
    update webhook_deliveries set state = 'DUE', due_at = ${tx.now}, attempts = attempts - 1, tries = tries - 1
    where seq = ${seq} and attempts = ${attempts} and state = 'CALLING'`;
  if (given > 0) await tx.run`delete from webhook_attempts where delivery = ${seq} and number = ${attempts}`;
}

/** Guarded: the outcome of a late attempt counts for nothing if another has followed it. */
export function setCallState(
  tx: Tx,
  { seq, attempts }: WebhookDelivery,
  state: CallState,
  dueAt: string | null,
): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = ${state}, due_at = ${dueAt}
    where seq = ${seq} and attempts = ${attempts} and state = 'CALLING'`;
}

/** Answers 0 if another process has taken it over. */
export function renewCall(tx: Tx, { seq, attempts }: WebhookDelivery, leaseUntil: string): Promise<number> {
  return tx.run`
    update webhook_deliveries set due_at = ${leaseUntil}
    where seq = ${seq} and attempts = ${attempts} and state = 'CALLING'`;
}

/** The claims of a process that is gone may be claimed again immediately. */
export function endCallLeases(tx: Tx): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = 'DUE', due_at = ${tx.now}
    where due_at is not null and due_at > ${tx.now} and state = 'CALLING'`;
}

/** A webhook that was never tried was not deferred on purpose. */
export function recallCalls(tx: Tx): Promise<number> {
  return tx.run`
    update webhook_deliveries set due_at = ${tx.now}
    where due_at is not null and due_at > ${tx.now} and state = 'DUE' and tries = 0`;
}
