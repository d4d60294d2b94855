// The SQL of retries: many mails that are sent again.
import { json, jsonOrNull } from "../../../store/columns.ts";
import { inPieces, joined, sql, steadyList } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";

export type RetryStatus = "PENDING" | "PROCESSING" | "COMPLETED" | "CANCELLED" | "FAILED";

export type Retry = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly status: RetryStatus;
  /** Sender domains of the caller's key; null = all of the workspace. */
  readonly domains: readonly string[] | null;
  readonly total: number;
  readonly processed: number;
  readonly resent: number;
  readonly attempts: number;
  readonly failure: string | null;
};

/** With the numbers of its mails. */
export type DueRetry = Retry & { readonly mails: readonly number[] };

type RetryRow = Omit<Retry, "domains"> & { readonly domains: string | null };

const RETRY = sql`seq, id, workspace, status, domains, total, processed, resent, attempts, failure`;

function retryOf(row: RetryRow): Retry {
  return { ...row, domains: jsonOrNull(row.domains) };
}

type NewRetry = Pick<DueRetry, "id" | "workspace" | "domains" | "mails">;

/** Answers 0 if the workspace has an unfinished retry. */
export function insertRetry(tx: Tx, { id, workspace, domains, mails }: NewRetry): Promise<number> {
  return tx.run`
    insert into retries (id, workspace, status, domains, mails, total, due_at, created_at)
    values (${id}, ${workspace}, 'PENDING', ${domains && JSON.stringify(domains)}, ${JSON.stringify(mails)}, ${mails.length},
      ${tx.now}, ${tx.now})
    on conflict do nothing`;
}

export async function retryById(reader: Reader, workspace: number, id: string): Promise<Retry | null> {
  const row = await reader.get<RetryRow>`select ${RETRY} from retries where workspace = ${workspace} and id = ${id}`;
  return row && retryOf(row);
}

export async function nextRetryDue(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ dueAt: string }>`
    select due_at as "dueAt" from retries where due_at is not null order by due_at, seq limit 1`;
  return row?.dueAt ?? null;
}

/** The retry that has waited longest; null = none is due, or other processes have all of them in hand. */
export async function lockDueRetry(tx: Tx): Promise<DueRetry | null> {
  const row = await tx.get<RetryRow & { readonly mails: string }>`
    select ${RETRY}, mails from retries where due_at is not null and due_at <= ${tx.now}
    order by due_at, seq limit 1${tx.dialect.skipLocked}`;
  return row && { ...retryOf(row), mails: json<number[]>(row.mails) };
}

/** The mails of a batch: no other process sends them again until this transaction ends. */
export async function lockMails(tx: Tx, workspace: number, seqs: readonly number[]): Promise<void> {
  await tx.all`
    select seq from emails where seq in (${steadyList(seqs)}) and +workspace = ${workspace} order by seq${tx.dialect.forUpdate}`;
}

type RetryProgress = Pick<Retry, "status" | "processed" | "resent">;

export function keepRetried(tx: Tx, seq: number, { status, processed, resent }: RetryProgress): Promise<number> {
  return tx.run`
    update retries set status = ${status}, processed = ${processed}, resent = ${resent}, attempts = 0,
      due_at = ${status === "PROCESSING" ? tx.now : null}
    where seq = ${seq}`;
}

/**
 * Records a failed batch. Guarded: progress of another process stays. `failure` null = the batch is retried at `dueAt`.
 */
export function keepFault(tx: Tx, retry: Retry, dueAt: string | null, failure: string | null): Promise<number> {
  return tx.run`
    update retries set attempts = attempts + 1, due_at = ${dueAt}, failure = ${failure},
      status = case when cast(${failure} as text) is null then status else 'FAILED' end
    where seq = ${retry.seq} and attempts = ${retry.attempts} and processed = ${retry.processed} and due_at is not null`;
}

/** Answers 0 if the retry is over. */
export function setCancelled(tx: Tx, seq: number): Promise<number> {
  return tx.run`update retries set status = 'CANCELLED', due_at = null where seq = ${seq} and due_at is not null`;
}

export type RetryError = { readonly emailId: string; readonly error: string };

export async function insertRetryErrors(tx: Tx, retry: number, errors: readonly RetryError[]): Promise<void> {
  for (const piece of inPieces(errors)) {
    const rows = piece.map(({ emailId, error }) => sql`(${retry}, ${emailId}, ${error})`);
    await tx.run`insert into retry_errors (retry, email_id, error) values ${joined(rows, ", ")}`;
  }
}

export function retryErrors(reader: Reader, retry: number): Promise<RetryError[]> {
  return reader.all<RetryError>`
    select email_id as "emailId", error from retry_errors where retry = ${retry} order by email_id limit 1000`;
}

/** Deletes a part of the retries that were over long ago; answers their number. */
export function deleteRetriesBefore(tx: Tx, createdBefore: string, most: number): Promise<number> {
  return tx.run`
    delete from retries where seq in (
      select seq from retries where due_at is null and created_at <= ${createdBefore} order by created_at limit ${most})`;
}

/** A mail is worth another attempt if it was not sent again yet, and the recipient has not refused it for good. */
export const WORTH_RETRYING = [sql`e.resent_at is null`, sql`(e.status <> 'BOUNCED' or e.bounce_type = 'Transient')`];
