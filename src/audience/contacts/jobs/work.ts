// The loop of imports and bulk jobs: takes the first job of each workspace, the longest waiting first. Several
// processes share the work.
import { iso } from "../../../base/clock.ts";
import { AppError, isStoreAway } from "../../../base/errors.ts";
import type { Ground } from "../../../ground/ground.ts";
import { restUntil, SHORT_REST_MS } from "../../../base/jobs/due.ts";
import { backOffMs } from "../../../base/jobs/retry.ts";
import type { Tx } from "../../../store/store.ts";
import { beginBulk, bulkBatch, filterToBegin, type BulkHooks } from "./bulk.ts";
import { importBatch, type ImportHooks } from "./import.ts";
import { clear, fail, recordBatch, type JobBatchResult } from "./job.ts";
import { renameBatch } from "./rename.ts";
import { suppressBatch } from "./suppression-import.ts";
import { undoBatch } from "./undo.ts";
import { keepAttempt, lockDueJob, nextJobDue, setAbandoned, type ContactJob } from "./queries.ts";

type Workshop = Pick<Ground, "store" | "clock" | "log"> & { readonly hooks: JobHooks };
type JobHooks = BulkHooks & ImportHooks & MergeHooks;

export type MergeHooks = {
  /** Merges the next contacts that are the same person. */
  readonly mergeNext: (tx: Tx, job: ContactJob) => Promise<JobBatchResult>;
};

const MAX_ATTEMPTS = 5;
/** A text for people, who cannot fix the cause. */
const FAULT = "The job failed because of a fault in this server; its log has the details. Finished batches stay.";

/** Runs one batch of one job; answers for how long to rest. */
export async function jobStep(workshop: Workshop): Promise<number> {
  const { store, clock, hooks } = workshop;
  const restMs = restUntil(await store.read(nextJobDue), clock.nowMs());
  if (restMs > 0) return restMs;
  let job: ContactJob | null = null;
  try {
    const waiting = await store.write(async (tx) => {
      job = await lockDueJob(tx);
      const filter = job && filterToBegin(job);
      if (job && !filter) await workAt(tx, job, hooks);
      return job && filter && { job, filter };
    });
    if (waiting) await beginBulk(store, waiting.job, waiting.filter, hooks);
  } catch (error) {
    if (!job || isStoreAway(error)) throw error;
    await keepFault(workshop, job, error);
  }
  return job ? 0 : SHORT_REST_MS;
}

async function workAt(tx: Tx, job: ContactJob, hooks: JobHooks): Promise<void> {
  if (job.status === "STAGING") await setAbandoned(tx, job.seq);
  else if (job.status !== "PENDING" && job.status !== "PROCESSING") await clear(tx, job);
  else if (job.operation === "IMPORT") await recordBatch(tx, job, await importBatch(tx, job, hooks));
  else if (job.operation === "SUPPRESS") await recordBatch(tx, job, await suppressBatch(tx, job));
  else if (job.operation === "UNDO") await recordBatch(tx, job, await undoBatch(tx, job, hooks));
  else if (job.operation === "MERGE") await recordBatch(tx, job, await hooks.mergeNext(tx, job));
  else if (job.operation === "RENAME") await recordBatch(tx, job, await renameBatch(tx, job));
  else await recordBatch(tx, job, await bulkBatch(tx, job, hooks));
}

/** An AppError is final, such as a deleted segment. Any other error may be temporary. */
async function keepFault({ store, log }: Workshop, job: ContactJob, error: unknown): Promise<void> {
  const attempts = job.attempts + 1;
  const isOver = attempts >= MAX_ATTEMPTS || error instanceof AppError;
  await store.write(async (tx) => {
    if (isOver) await fail(tx, job, error instanceof AppError ? error.message : FAULT);
    else await keepAttempt(tx, job, iso(tx.nowMs + backOffMs(attempts)));
  });
  const what = { job: job.id, operation: job.operation, attempts, error };
  if (isOver) log.error("a contact job failed", what);
  else log.warn("a batch of a contact job failed and will be tried again", what);
}
