// Work on many contacts: asked for at once, done batch by batch, each in one transaction with its progress. A process that
// dies leaves nothing half done, and any process goes on. A workspace's jobs follow each other in the order of their 202.
import { DAY_MS, iso, MINUTE_MS } from "../../clock.ts";
import { AppError, limitReached } from "../../errors.ts";
import { newId } from "../../ids.ts";
import type { Reader, Tx } from "../../store/store.ts";
import {
  callNext,
  countUnfinished,
  deleteBatches,
  deleteJob,
  insertErrors,
  insertJob,
  jobById,
  keepFailure,
  keepProgress,
  setDue,
  type JobError,
  type JobRow,
  type NewJob,
  type Operation,
} from "./queries.ts";

/** Signalled when there may be a job to work at. */
export const CONTACT_JOB = "contact job";

/** So many are listed; all are counted. */
const MAX_LISTED_ERRORS = 1_000;
/** Of a workspace. */
const MAX_UNFINISHED_JOBS = 50;
/** An upload that says nothing for so long is given up. */
const STAGING_MS = 10 * MINUTE_MS;
const KEPT_MS = 30 * DAY_MS;
const BATCHES_A_CLEARING = 20;

export type Job = { readonly seq: number; readonly id: string };

/** What one batch has done. `position`: how far the selection has been gone through. */
export type Done = {
  readonly position: number;
  readonly processed: number;
  readonly created: number;
  readonly updated: number;
  readonly errors: readonly JobError[];
  readonly isLast: boolean;
};

/** @throws AppError CONFLICT if the workspace has too many jobs that are not finished */
export async function openJob(
  tx: Tx,
  wish: Pick<NewJob, "workspace" | "operation" | "status" | "selection" | "total">,
): Promise<Job> {
  if ((await countUnfinished(tx, wish.workspace)) >= MAX_UNFINISHED_JOBS)
    throw limitReached(
      `The workspace has ${MAX_UNFINISHED_JOBS} imports and bulk jobs that are not finished.`,
      "Wait until one of them has finished.",
    );
  const id = newId(tx.nowMs);
  const dueAt = wish.status === "STAGING" ? stagingEndsAt(tx) : tx.now;
  const seq = await insertJob(tx, { ...wish, id, dueAt });
  if (wish.status === "PENDING") tx.signal(CONTACT_JOB);
  return { seq, id };
}

export function stagingEndsAt(tx: Tx): string {
  return iso(tx.nowMs + STAGING_MS);
}

/** @throws AppError JOB_NOT_FOUND, also for another workspace's job and for one of another kind */
export async function findJob(
  reader: Reader,
  workspace: number,
  id: string,
  kinds: readonly Operation[],
): Promise<JobRow> {
  const job = await jobById(reader, workspace, id);
  if (!job || !kinds.includes(job.operation)) throw new AppError("JOB_NOT_FOUND", `There is no such job ${id}.`);
  return job;
}

/** Keeps what a batch has done with the batch itself. */
export async function record(tx: Tx, job: JobRow, done: Done): Promise<void> {
  const shown = done.errors.slice(0, Math.max(0, MAX_LISTED_ERRORS - job.failed));
  if (shown.length > 0) await insertErrors(tx, job.seq, shown);
  const processed = job.processed + done.processed;
  await keepProgress(tx, job.seq, {
    status: done.isLast ? "COMPLETED" : "PROCESSING",
    dueAt: tx.now,
    position: done.position,
    // Jobs before it may have made more of those whom it is about than there were when they were counted.
    total: Math.max(job.total, processed),
    processed,
    created: job.created + done.created,
    updated: job.updated + done.updated,
    failed: job.failed + done.errors.length,
  });
  if (done.isLast) await callNext(tx, job.workspace);
}

/** What it has done until now stands. `reason`: for people. */
export async function fail(tx: Tx, job: JobRow, reason: string): Promise<void> {
  if ((await keepFailure(tx, job, reason)) > 0) await callNext(tx, job.workspace);
}

/** Removes what is left of a job that is over, a piece at a time; the job itself when it is old, or was never accepted. */
export async function clear(tx: Tx, job: JobRow): Promise<void> {
  if ((await deleteBatches(tx, job.seq, BATCHES_A_CLEARING)) > 0) return;
  const keptUntilMs = Date.parse(job.created_at) + KEPT_MS;
  if (job.status === "ABANDONED" || keptUntilMs <= tx.nowMs) await deleteJob(tx, job.seq);
  else await setDue(tx, job.seq, iso(keptUntilMs));
}
