// Working through jobs, the first of each workspace, whichever has waited longest; several processes share them.
import { iso, type Clock } from "../../clock.ts";
import { AppError, isStoreAway } from "../../errors.ts";
import { restUntil, SHORT_REST_MS } from "../../jobs/due.ts";
import { backOffMs } from "../../jobs/retry.ts";
import type { Log } from "../../log.ts";
import type { Store, Tx } from "../../store/store.ts";
import { beginBulk, bulkBatch, isToBegin, type Above } from "./bulk.ts";
import { importBatch } from "./import.ts";
import { clear, fail, record } from "./job.ts";
import { keepAttempt, lockDueJob, nextJobDue, setAbandoned, type JobRow } from "./queries.ts";

type ContactJobsOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly above: Above;
};

const MAX_ATTEMPTS = 5;
/** For people, who cannot do anything about it. */
const FAULT = "Something is wrong with this server, and its log says what. What was done until then stands.";

export class ContactJobs {
  readonly #options: ContactJobsOptions;

  constructor(options: ContactJobsOptions) {
    this.#options = options;
  }

  /** One batch of one job; answers how long there will be nothing to do. */
  async step(): Promise<number> {
    const { store, clock, above } = this.#options;
    const restMs = restUntil(await store.read(nextJobDue), clock.nowMs());
    if (restMs > 0) return restMs;
    let job: JobRow | null = null;
    try {
      const unbegun = await store.write(async (tx) => {
        job = await lockDueJob(tx);
        if (job && isToBegin(job)) return job;
        if (job) await this.#workAt(tx, job);
        return null;
      });
      if (unbegun) await beginBulk(store, unbegun, above);
    } catch (error) {
      if (!job || isStoreAway(error)) throw error;
      await this.#failed(job, error);
    }
    return job ? 0 : SHORT_REST_MS;
  }

  async #workAt(tx: Tx, job: JobRow): Promise<void> {
    if (job.status === "STAGING") await setAbandoned(tx, job.seq);
    else if (job.status !== "PENDING" && job.status !== "PROCESSING") await clear(tx, job);
    else if (job.operation === "IMPORT") await record(tx, job, await importBatch(tx, job));
    else await record(tx, job, await bulkBatch(tx, job, this.#options.above));
  }

  /** What a caller may know of is known for good: the segment is gone. Anything else may pass. */
  async #failed(job: JobRow, error: unknown): Promise<void> {
    const { store, log } = this.#options;
    const attempts = job.attempts + 1;
    const isOver = attempts >= MAX_ATTEMPTS || error instanceof AppError;
    await store.write(async (tx) => {
      if (isOver) await fail(tx, job, error instanceof AppError ? error.message : FAULT);
      else await keepAttempt(tx, job, iso(tx.nowMs + backOffMs(attempts)));
    });
    const what = { job: job.id, operation: job.operation, attempts, error };
    if (isOver) log.error("a job on contacts failed", what);
    else log.warn("a batch of a job on contacts failed and will be tried again", what);
  }
}
