// The SQL of imports and bulk jobs. The rows of a file stay JSON text once they are read: its length determines where a
// batch ends.
import { json, jsonOrNull } from "../../../store/columns.ts";
import { sql, type Sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { ChangeAuthor } from "../../../tenant/access/caller.ts";
import type { ChoiceChanges } from "../../../audience/topics/choice.ts";
import type { CsvRow } from "../../../audience/csv/row.ts";
import type { Selection } from "../../../audience/contacts/search/selection-queries.ts";
import type { ImportTerms } from "../terms.ts";

export type BulkOperation = "SUBSCRIBE" | "UNSUBSCRIBE" | "TOPICS" | "JOIN" | "LEAVE" | "DELETE";
export type JobOperation = "IMPORT" | "SUPPRESS" | BulkOperation | "UNDO" | "RENAME" | "MERGE";
export type JobStatus = "STAGING" | "ABANDONED" | "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";

/** Changes of topic choices, for the operation TOPICS. */
export type TopicAssignment = { readonly topics?: ChoiceChanges };
/** The public id of a STATIC segment to join or leave, for JOIN and LEAVE. */
export type SegmentMove = { readonly segment?: string };

export type SelectionById = TopicAssignment & { readonly contactIds: readonly string[] };
export type SelectionByFilter = TopicAssignment &
  SegmentMove & {
    readonly filter: Selection;
    /** Leaves out contacts that are created later. Null behind an import, whose contacts are included. */
    readonly lastSeq: number | null;
    readonly excludeIds: readonly string[];
    /** Jobs were waiting before this one, so its contacts are selected when its turn comes. */
    readonly isToBegin: boolean;
  };

/** The seq of the import to undo. */
export type ImportUndo = { readonly importSeq: number };

/** Renames a key of data. `lastSeq`: newer contacts keep the key. */
export type KeyRename = { readonly from: string; readonly to: string; readonly lastSeq: number };

type JobProgress = {
  readonly status: JobStatus;
  readonly position: number;
  readonly total: number;
  readonly processed: number;
  readonly created: number;
  readonly updated: number;
  /** Rows of an import, counted as updated, whose address occurred earlier in the file. */
  readonly repeated: number;
  readonly failed: number;
  /** Cells that an import left out. */
  readonly skipped: number;
};

export type ContactJob = JobProgress & {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly operation: JobOperation;
  /** For an import, its terms; null until its file has been read to the end. MERGE has none. */
  readonly selection: SelectionById | SelectionByFilter | ImportUndo | KeyRename | ImportTerms | null;
  readonly attempts: number;
  /** A text for people; null unless FAILED. */
  readonly failure: string | null;
  /** The author of the job; null = the command line, or the job has not begun. */
  readonly madeBy: ChangeAuthor | null;
  /** Only for an import, like `undoneBy`. */
  readonly fileName: string | null;
  /** The public id of the job that undoes the import. */
  readonly undoneBy: string | null;
  readonly createdAt: string;
};

export type NewJob = Pick<ContactJob, "workspace" | "operation" | "selection" | "total"> & {
  readonly status: "STAGING" | "PENDING";
  readonly madeBy?: ChangeAuthor;
};

export type JobRow = Omit<ContactJob, "selection" | "madeBy"> & {
  readonly selection: string | null;
  readonly madeBy: string | null;
};

export const JOB = sql`seq, id, workspace, operation, status, selection, position, total, processed, created, updated, repeated, failed, skipped,
  attempts, failure, file_name as "fileName", made_by as "madeBy", undone_by as "undoneBy", created_at as "createdAt"`;

async function jobIn(row: Promise<JobRow | null>): Promise<ContactJob | null> {
  const found = await row;
  return found && jobOf(found);
}

export function jobOf(row: JobRow): ContactJob {
  return { ...row, selection: jsonOrNull(row.selection), madeBy: jsonOrNull(row.madeBy) };
}

const WAITS = sql`status in ('PENDING', 'PROCESSING')`;

/** The turn after all unfinished jobs of the workspace. */
function nextTurn(workspace: number): Sql {
  return sql`(select coalesce(max(turn), 0) + 1 from contact_jobs where workspace = ${workspace} and ${WAITS})`;
}

/** Jobs `j` that are the first unfinished one of their workspace, or finished with something left to clear. */
const HAS_ITS_TURN = sql`(j.status not in ('PENDING', 'PROCESSING') or not exists (
  select 1 from contact_jobs earlier
  where earlier.workspace = j.workspace and earlier.status in ('PENDING', 'PROCESSING') and (earlier.turn, earlier.seq) < (j.turn, j.seq)))`;

export type OpenedJob = Pick<ContactJob, "seq" | "id">;

export async function insertJob(tx: Tx, id: string, job: NewJob, dueAt: string): Promise<OpenedJob> {
  const row = await tx.get<OpenedJob>`
    insert into contact_jobs (id, workspace, operation, status, due_at, selection, total, made_by, turn, created_at)
    values (${id}, ${job.workspace}, ${job.operation}, ${job.status}, ${dueAt}, ${job.selection && JSON.stringify(job.selection)},
      ${job.total}, ${job.madeBy ? JSON.stringify(job.madeBy) : null}, ${nextTurn(job.workspace)}, ${tx.now})
    returning seq, id`;
  return row as OpenedJob;
}

export async function countUnfinished(reader: Reader, workspace: number): Promise<number> {
  const row = await reader.get<{ count: number }>`
    select count(*) as count from contact_jobs
    where workspace = ${workspace} and status in ('STAGING', 'PENDING', 'PROCESSING')`;
  return row?.count ?? 0;
}

/** Answers 0 if the job was abandoned. */
export function keepStaging(tx: Tx, job: number, dueAt: string): Promise<number> {
  return tx.run`update contact_jobs set due_at = ${dueAt} where seq = ${job} and status = 'STAGING'`;
}

export function setAbandoned(tx: Tx, job: number): Promise<number> {
  return tx.run`update contact_jobs set status = 'ABANDONED', due_at = ${tx.now} where seq = ${job} and status = 'STAGING'`;
}

/** For the only process of a store, at its start. */
export function abandonAllStaging(tx: Tx): Promise<number> {
  return tx.run`update contact_jobs set status = 'ABANDONED', due_at = ${tx.now} where status = 'STAGING'`;
}

export type FileJob = {
  readonly total: number;
  readonly terms: ImportTerms | SelectionById;
  readonly fileName: string | null;
  readonly madeBy: ChangeAuthor;
};

/** Sets the job's turn from now on. Answers 0 if the job was abandoned. */
export function endStaging(
  tx: Tx,
  workspace: number,
  job: number,
  { total, terms, fileName, madeBy }: FileJob,
): Promise<number> {
  return tx.run`
    update contact_jobs set status = 'PENDING', due_at = ${tx.now}, total = ${total}, turn = ${nextTurn(workspace)},
      selection = ${JSON.stringify(terms)}, file_name = ${fileName}, made_by = ${JSON.stringify(madeBy)}
    where seq = ${job} and status = 'STAGING'`;
}

/** The operations of the workspace's unfinished jobs. */
export async function operationsAhead(reader: Reader, workspace: number): Promise<JobOperation[]> {
  const rows = await reader.all<{ operation: JobOperation }>`
    select operation from contact_jobs where workspace = ${workspace} and ${WAITS}`;
  return rows.map(({ operation }) => operation);
}

/** `rows`: each as JSON text. */
export function insertBatch(tx: Tx, job: number, number: number, rows: readonly string[]): Promise<number> {
  return tx.run`insert into contact_job_batches (job, number, content) values (${job}, ${number}, ${`[${rows.join(",")}]`})`;
}

/** Deletes and answers the next batch; null if none is left. */
export async function takeBatch<Taken = CsvRow>(tx: Tx, job: number): Promise<readonly Taken[] | null> {
  const row = await tx.get<{ content: string }>`
    delete from contact_job_batches
    where job = ${job} and number = (select min(number) from contact_job_batches where job = ${job})
    returning content`;
  return row && json(row.content);
}

export async function nextJobDue(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ due_at: string }>`
    select due_at from contact_jobs j where ${HAS_ITS_TURN} order by due_at, seq limit 1`;
  return row?.due_at ?? null;
}

/** The due job that has waited longest among those whose turn it is; null = none, or all are locked elsewhere. */
export function lockDueJob(tx: Tx): Promise<ContactJob | null> {
  return jobIn(tx.get`
    select ${JOB} from contact_jobs j where due_at <= ${tx.now} and ${HAS_ITS_TURN}
    order by due_at, seq limit 1${tx.dialect.skipLocked}`);
}

/** After a job ends, the workspace's next one is due now, behind waiting jobs of other workspaces. */
export function callNext(tx: Tx, workspace: number): Promise<number> {
  return tx.run`
    update contact_jobs set due_at = ${tx.now} where seq = (
      select seq from contact_jobs where workspace = ${workspace} and ${WAITS} order by turn, seq limit 1)`;
}

/** Saves the selection before the job's first batch. */
export function keepSelection(tx: Tx, job: number, selection: SelectionByFilter): Promise<number> {
  return tx.run`update contact_jobs set selection = ${JSON.stringify(selection)} where seq = ${job} and status = 'PENDING'`;
}

/** Null also for a job that was not accepted: its id was never answered. */
export function jobById(reader: Reader, workspace: number, id: string): Promise<ContactJob | null> {
  return jobIn(reader.get`
    select ${JOB} from contact_jobs where workspace = ${workspace} and id = ${id} and status not in ('STAGING', 'ABANDONED')`);
}

export function keepProgress(tx: Tx, job: number, to: JobProgress): Promise<number> {
  return tx.run`
    update contact_jobs set status = ${to.status}, due_at = ${tx.now}, position = ${to.position}, attempts = 0,
      total = ${to.total}, processed = ${to.processed}, created = ${to.created}, updated = ${to.updated}, repeated = ${to.repeated}, failed = ${to.failed},
      skipped = ${to.skipped}
    where seq = ${job}`;
}

/** Records a failed batch. Guarded: progress of another process stays. */
export function keepAttempt(tx: Tx, job: ContactJob, dueAt: string): Promise<number> {
  return tx.run`
    update contact_jobs set attempts = attempts + 1, due_at = ${dueAt}
    where seq = ${job.seq} and attempts = ${job.attempts} and processed = ${job.processed}`;
}

/** Records the last failed attempt; guarded in the same way. */
export function keepFailure(tx: Tx, job: ContactJob, failure: string): Promise<number> {
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

/** Deletes some batches of a workspace; answers how many. */
export function deleteBatchesOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from contact_job_batches where (job, number) in (
      select b.job, b.number from contact_jobs j join contact_job_batches b on b.job = j.seq
      where j.workspace = ${workspace} limit ${most})`;
}

export function deleteJob(tx: Tx, job: number): Promise<number> {
  return tx.run`delete from contact_jobs where seq = ${job}`;
}
