// The SQL of work on many contacts.
import { inPieces, joined, list, sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

export type Operation = "IMPORT" | "SUBSCRIBE" | "UNSUBSCRIBE" | "DELETE";
type JobStatus = "STAGING" | "ABANDONED" | "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";

export type JobRow = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly operation: Operation;
  readonly status: JobStatus;
  /** JSON text (bulk.ts); null for an import. */
  readonly selection: string | null;
  readonly position: number;
  readonly total: number;
  readonly processed: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
  readonly attempts: number;
  /** For people; null unless FAILED. */
  readonly failure: string | null;
  readonly created_at: string;
};

export type NewJob = {
  readonly id: string;
  readonly workspace: number;
  readonly operation: Operation;
  readonly status: "STAGING" | "PENDING";
  readonly dueAt: string;
  readonly selection: string | null;
  readonly total: number;
};

const WAITS = sql`status in ('PENDING', 'PROCESSING')`;

/** For a job that is accepted: behind those that are not over. */
function nextTurn(workspace: number): Sql {
  return sql`(select coalesce(max(turn), 0) + 1 from contact_jobs where workspace = ${workspace} and ${WAITS})`;
}

/** Of the jobs `j` of a workspace that are not over, the first; and whatever is left to clear. */
const HAS_ITS_TURN = sql`(j.status not in ('PENDING', 'PROCESSING') or not exists (
  select 1 from contact_jobs earlier
  where earlier.workspace = j.workspace and earlier.status in ('PENDING', 'PROCESSING') and (earlier.turn, earlier.seq) < (j.turn, j.seq)))`;

export async function insertJob(tx: Tx, job: NewJob): Promise<number> {
  const row = await tx.get<{ seq: number }>`
    insert into contact_jobs (id, workspace, operation, status, due_at, selection, total, turn, created_at)
    values (${job.id}, ${job.workspace}, ${job.operation}, ${job.status}, ${job.dueAt}, ${job.selection}, ${job.total},
      ${nextTurn(job.workspace)}, ${tx.now})
    returning seq`;
  return (row as { seq: number }).seq;
}

export async function countUnfinished(reader: Reader, workspace: number): Promise<number> {
  const row = await reader.get<{ count: number }>`
    select count(*) as count from contact_jobs
    where workspace = ${workspace} and status in ('STAGING', 'PENDING', 'PROCESSING')`;
  return row?.count ?? 0;
}

/** Answers 0 if the job was abandoned meanwhile. */
export function keepStaging(tx: Tx, job: number, dueAt: string): Promise<number> {
  return tx.run`update contact_jobs set due_at = ${dueAt} where seq = ${job} and status = 'STAGING'`;
}

export function setAbandoned(tx: Tx, job: number): Promise<number> {
  return tx.run`update contact_jobs set status = 'ABANDONED', due_at = ${tx.now} where seq = ${job} and status = 'STAGING'`;
}

/** For a store whose uploads have ended with the process that took them in. */
export function abandonAllStaging(tx: Tx): Promise<number> {
  return tx.run`update contact_jobs set status = 'ABANDONED', due_at = ${tx.now} where status = 'STAGING'`;
}

/** Its turn counts from now. Answers 0 if the job was abandoned meanwhile. */
export function endStaging(tx: Tx, workspace: number, job: number, total: number): Promise<number> {
  return tx.run`
    update contact_jobs set status = 'PENDING', due_at = ${tx.now}, total = ${total}, turn = ${nextTurn(workspace)}
    where seq = ${job} and status = 'STAGING'`;
}

/** What the workspace's jobs that are not over do. */
export async function operationsAhead(reader: Reader, workspace: number): Promise<Operation[]> {
  const rows = await reader.all<{ operation: Operation }>`
    select operation from contact_jobs where workspace = ${workspace} and ${WAITS}`;
  return rows.map(({ operation }) => operation);
}

export function insertBatch(tx: Tx, job: number, number: number, content: string): Promise<number> {
  return tx.run`insert into contact_job_batches (job, number, content) values (${job}, ${number}, ${content})`;
}

/** Takes the next batch out; null if none is left. */
export async function takeBatch(tx: Tx, job: number): Promise<string | null> {
  const row = await tx.get<{ content: string }>`
    delete from contact_job_batches
    where job = ${job} and number = (select min(number) from contact_job_batches where job = ${job})
    returning content`;
  return row?.content ?? null;
}

export async function nextJobDue(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ due_at: string }>`
    select due_at from contact_jobs j where ${HAS_ITS_TURN} order by due_at, seq limit 1`;
  return row?.due_at ?? null;
}

const JOB = sql`seq, id, workspace, operation, status, selection, position, total, processed, created, updated, failed, attempts,
  failure, created_at`;

/**
 * The job that has waited longest of those whose turn it is, for this transaction alone; null if none is due that no other
 * process has in hand.
 */
export function lockDueJob(tx: Tx): Promise<JobRow | null> {
  return tx.get<JobRow>`
    select ${JOB} from contact_jobs j where due_at <= ${tx.now} and ${HAS_ITS_TURN}
    order by due_at, seq limit 1${tx.dialect.skipLocked}`;
}

/** After a job that is over: the workspace's next one waits from now, behind what other workspaces have waiting. */
export function callNext(tx: Tx, workspace: number): Promise<number> {
  return tx.run`
    update contact_jobs set due_at = ${tx.now} where seq = (
      select seq from contact_jobs where workspace = ${workspace} and ${WAITS} order by turn, seq limit 1)`;
}

/** Before its first batch. */
export function keepSelection(tx: Tx, job: number, selection: string): Promise<number> {
  return tx.run`update contact_jobs set selection = ${selection} where seq = ${job} and status = 'PENDING'`;
}

/** Null also for what was not accepted: nobody has been told of it. */
export function jobById(reader: Reader, workspace: number, id: string): Promise<JobRow | null> {
  return reader.get<JobRow>`
    select ${JOB} from contact_jobs where workspace = ${workspace} and id = ${id} and status not in ('STAGING', 'ABANDONED')`;
}

type Progress = {
  readonly status: JobStatus;
  readonly dueAt: string;
  readonly position: number;
  readonly total: number;
  readonly processed: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
};

export function keepProgress(tx: Tx, job: number, to: Progress): Promise<number> {
  return tx.run`
    update contact_jobs set status = ${to.status}, due_at = ${to.dueAt}, position = ${to.position}, attempts = 0,
      total = ${to.total}, processed = ${to.processed}, created = ${to.created}, updated = ${to.updated}, failed = ${to.failed}
    where seq = ${job}`;
}

/** After a batch that threw. Guarded: what another process has done meanwhile stands. */
export function keepAttempt(tx: Tx, job: JobRow, dueAt: string): Promise<number> {
  return tx.run`
    update contact_jobs set attempts = attempts + 1, due_at = ${dueAt}
    where seq = ${job.seq} and attempts = ${job.attempts} and processed = ${job.processed}`;
}

/** After the last attempt; guarded alike. */
export function keepFailure(tx: Tx, job: JobRow, failure: string): Promise<number> {
  return tx.run`
    update contact_jobs set attempts = attempts + 1, due_at = ${tx.now}, status = 'FAILED', failure = ${failure}
    where seq = ${job.seq} and attempts = ${job.attempts} and processed = ${job.processed}`;
}

export function setDue(tx: Tx, job: number, dueAt: string): Promise<number> {
  return tx.run`update contact_jobs set due_at = ${dueAt} where seq = ${job}`;
}

export function deleteBatches(tx: Tx, job: number, most: number): Promise<number> {
  return tx.run`
    delete from contact_job_batches where job = ${job} and number in (
      select number from contact_job_batches where job = ${job} order by number limit ${most})`;
}

/** A part of what a workspace has waiting to be imported; answers how many batches. */
export function deleteBatchesOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from contact_job_batches where (job, number) in (
      select b.job, b.number from contact_jobs j join contact_job_batches b on b.job = j.seq
      where j.workspace = ${workspace} limit ${most})`;
}

export function deleteJob(tx: Tx, job: number): Promise<number> {
  return tx.run`delete from contact_jobs where seq = ${job}`;
}

export type JobError = { readonly place: number; readonly about: string; readonly error: string };

export async function insertErrors(tx: Tx, job: number, errors: readonly JobError[]): Promise<void> {
  for (const piece of inPieces(errors)) {
    const rows = piece.map(({ place, about, error }) => sql`(${job}, ${place}, ${about}, ${error})`);
    await tx.run`insert into contact_job_errors (job, place, about, error) values ${joined(rows, ", ")}`;
  }
}

/** `about`: an address in its stored form, or a contact's id. */
export function deleteErrorsAbout(tx: Tx, workspace: number, about: readonly string[]): Promise<number> {
  return tx.run`
    delete from contact_job_errors
    where lower(about) in (${list(about)}) and job in (select seq from contact_jobs where workspace = ${workspace})`;
}

export function errorsOf(reader: Reader, job: number): Promise<JobError[]> {
  return reader.all<JobError>`
    select place, about, error from contact_job_errors where job = ${job} order by place limit 1000`;
}
