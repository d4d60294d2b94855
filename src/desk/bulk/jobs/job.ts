// Jobs: work on many contacts, accepted immediately and done in batches, each in one transaction with its progress. If
// a process dies, nothing is half done, and any process continues the job.
//
// A workspace's jobs run in the order of their 202, so only the first unfinished one is claimed; a filter that waits
// behind an import is evaluated when its job's turn comes. A loop takes the job that has waited longest and locks its
// row: there are no leases.
import { DAY_MS, iso, MINUTE_MS } from "../../../base/clock.ts";
import { AppError, limitReached } from "../../../base/errors.ts";
import type { FactData } from "../../../tenant/events/catalog.ts";
import { happened } from "../../../tenant/events/happened.ts";
import { newId } from "../../../base/ids.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { UNDONE_WITHIN_MS } from "../imported.ts";
import { deleteImported } from "../../../audience/contacts/past/imported-queries.ts";
import { errorsOf, insertErrors, type JobError } from "./error-queries.ts";
import {
  callNext,
  countUnfinished,
  deleteBatches,
  deleteJob,
  insertJob,
  jobById,
  keepFailure,
  keepProgress,
  setDue,
  type ContactJob,
  type NewJob,
  type OpenedJob,
  type JobOperation,
} from "./queries.ts";

/** Signalled when a job may be due. */
export const CONTACT_JOB = "contact job";

/** The most errors that are listed; all are counted. */
const MAX_LISTED_ERRORS = 1_000;
/** The most for one workspace. */
const MAX_UNFINISHED_JOBS = 50;
/** An upload that stalls for this long is abandoned. */
const STAGING_MS = 10 * MINUTE_MS;
const KEPT_MS = 30 * DAY_MS;
const BATCHES_A_CLEARING = 20;
const NOTES_A_CLEARING = 1_000;

/** The result of one batch. `position`: the progress through the selection. */
export type JobBatchResult = {
  readonly position: number;
  readonly processed: number;
  readonly created: number;
  readonly updated: number;
  readonly repeated?: number;
  /** Rows imported without some of their cells. */
  readonly skipped?: readonly JobError[];
  readonly errors: readonly JobError[];
  readonly isLast: boolean;
};

/** @throws AppError CONFLICT if the workspace has too many unfinished jobs */
export async function openJob(tx: Tx, job: NewJob): Promise<OpenedJob> {
  if ((await countUnfinished(tx, job.workspace)) >= MAX_UNFINISHED_JOBS)
    throw limitReached(
      "jobs",
      MAX_UNFINISHED_JOBS,
      `The workspace has ${MAX_UNFINISHED_JOBS} unfinished imports and bulk jobs.`,
      "Wait until one of them has finished.",
    );
  if (job.status === "PENDING") tx.signal(CONTACT_JOB);
  return insertJob(tx, newId(tx.nowMs), job, job.status === "STAGING" ? stagingEndsAt(tx) : tx.now);
}

export function stagingEndsAt(tx: Tx): string {
  return iso(tx.nowMs + STAGING_MS);
}

/** @throws AppError JOB_NOT_FOUND, also for another workspace's job and for another kind of job */
export async function findJob(
  reader: Reader,
  workspace: number,
  id: string,
  kinds: readonly JobOperation[],
): Promise<ContactJob> {
  const job = await jobById(reader, workspace, id);
  if (!job || !kinds.includes(job.operation))
    throw new AppError("JOB_NOT_FOUND", `There is no job ${id} of this kind.`);
  return job;
}

/** Saves the progress in the transaction of the batch. */
export async function recordBatch(tx: Tx, job: ContactJob, done: JobBatchResult): Promise<void> {
  const { skipped = [] } = done;
  const listed = Math.max(0, MAX_LISTED_ERRORS - job.failed - job.skipped);
  const shown = [...done.errors, ...skipped].slice(0, listed);
  if (shown.length > 0) await insertErrors(tx, job.seq, shown);
  const processed = job.processed + done.processed;
  await keepProgress(tx, job.seq, {
    status: done.isLast ? "COMPLETED" : "PROCESSING",
    position: done.position,
    // Earlier jobs may have created further matching contacts since the count.
    total: Math.max(job.total, processed),
    processed,
    created: job.created + done.created,
    updated: job.updated + done.updated,
    repeated: job.repeated + (done.repeated ?? 0),
    failed: job.failed + done.errors.length,
    skipped: job.skipped + skipped.reduce((sum, { cells = [] }) => sum + cells.length, 0),
  });
  if (!done.isLast) return;
  const [created, updated] = [job.created + done.created, job.updated + done.updated];
  await tellFinished(tx, job, { status: "COMPLETED", created, updated, failed: job.failed + done.errors.length });
  await callNext(tx, job.workspace);
}

type ImportSummary = Omit<FactData<"import.finished">, "jobId">;

async function tellFinished(tx: Tx, { id, workspace, operation }: ContactJob, outcome: ImportSummary): Promise<void> {
  if (operation !== "IMPORT") return;
  await happened(tx, "import.finished", { workspace }, { jobId: id, ...outcome });
}

/** Finished batches stay in effect. `reason`: a text for people. */
export async function fail(tx: Tx, job: ContactJob, reason: string): Promise<void> {
  if ((await keepFailure(tx, job, reason)) === 0) return;
  const { created, updated, failed } = job;
  await tellFinished(tx, job, { status: "FAILED", created, updated, failed });
  await callNext(tx, job.workspace);
}

/**
 * Clears a finished job piece by piece: its batches, then an import's changes once it can no longer be undone, and the
 * job itself once it is old or if it was never accepted.
 */
export async function clear(tx: Tx, job: ContactJob): Promise<void> {
  if ((await deleteBatches(tx, job.seq, BATCHES_A_CLEARING)) > 0) return;
  const endsAt = (keptMs: number) => Date.parse(job.createdAt) + keptMs;
  const isUndoable = job.operation === "IMPORT" && job.status !== "ABANDONED";
  if (isUndoable && endsAt(UNDONE_WITHIN_MS) > tx.nowMs) await setDue(tx, job.seq, iso(endsAt(UNDONE_WITHIN_MS)));
  else if ((await deleteImported(tx, job.seq, NOTES_A_CLEARING)) > 0) return;
  else if (job.status === "ABANDONED" || endsAt(KEPT_MS) <= tx.nowMs) await deleteJob(tx, job.seq);
  else await setDue(tx, job.seq, iso(endsAt(KEPT_MS)));
}

export async function progress(
  reader: Reader,
  workspace: number,
  id: string,
  kinds: readonly JobOperation[],
): Promise<[ContactJob, JobError[]]> {
  const job = await findJob(reader, workspace, id, kinds);
  return [job, await errorsOf(reader, job.seq)];
}
