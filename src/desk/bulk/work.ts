// The loop of imports and bulk jobs: takes the first job of each workspace, the longest waiting first. Several
// processes share the work.
import { iso } from "../../base/clock.ts";
import { AppError, isStoreAway } from "../../base/errors.ts";
import type { Ground } from "../../ground/ground.ts";
import { restUntil, SHORT_REST_MS } from "../../base/jobs/due.ts";
import { backOffMs } from "../../base/jobs/retry.ts";
import type { Tx } from "../../store/store.ts";
import { beginBulk, bulkBatch, filterToBegin } from "./bulk.ts";
import { importBatch } from "./imports/import.ts";
import { mergeNext } from "./duplicates/merge-all.ts";
import { clear, fail, recordBatch, type JobBatchResult } from "./jobs/job.ts";
import { renameBatch } from "./rename.ts";
import { suppressBatch } from "./imports/suppression-import.ts";
import { undoBatch } from "./imports/undo.ts";
import {
  keepAttempt,
  lockDueJob,
  nextJobDue,
  setAbandoned,
  type ContactJob,
  type JobOperation,
} from "./jobs/queries.ts";
import type { SelectionServices } from "./selection.ts";

type Workshop = SelectionServices & Pick<Ground, "log">;

/** The verb that does one batch, by operation. */
const BATCHES: Readonly<Record<JobOperation, (tx: Tx, job: ContactJob) => Promise<JobBatchResult>>> = {
  IMPORT: importBatch,
  UNDO: undoBatch,
  SUPPRESS: suppressBatch,
  MERGE: mergeNext,
  RENAME: renameBatch,
  SUBSCRIBE: bulkBatch,
  UNSUBSCRIBE: bulkBatch,
  TOPICS: bulkBatch,
  JOIN: bulkBatch,
  LEAVE: bulkBatch,
  DELETE: bulkBatch,
};

const MAX_ATTEMPTS = 5;
/** A text for people, who cannot fix the cause. */
const FAULT = "The job failed because of a fault in this server; its log has the details. Finished batches stay.";

/** Runs one batch of one job; answers for how long to rest. */
export async function jobStep(workshop: Workshop): Promise<number> {
  const { store, clock } = workshop;
  const restMs = restUntil(await store.read(nextJobDue), clock.nowMs());
  if (restMs > 0) return restMs;
  let job: ContactJob | null = null;
  try {
    const waiting = await store.write(async (tx) => {
      job = await lockDueJob(tx);
      const filter = job && filterToBegin(job);
      if (job && !filter) await workAt(tx, job);
      return job && filter && { job, filter };
    });
    if (waiting) await beginBulk(workshop, waiting.job, waiting.filter);
  } catch (error) {
    if (!job || isStoreAway(error)) throw error;
    await keepFault(workshop, job, error);
  }
  return job ? 0 : SHORT_REST_MS;
}

async function workAt(tx: Tx, job: ContactJob): Promise<void> {
  if (job.status === "STAGING") await setAbandoned(tx, job.seq);
  else if (job.status !== "PENDING" && job.status !== "PROCESSING") await clear(tx, job);
  else await recordBatch(tx, job, await BATCHES[job.operation](tx, job));
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
