// The loop that sends mails again, a batch at a time. Several processes share it.
import { iso } from "../../../base/clock.ts";
import { isStoreAway } from "../../../base/errors.ts";
import type { Ground } from "../../../ground/ground.ts";
import { restUntil, SHORT_REST_MS } from "../../../base/jobs/due.ts";
import { backOffMs } from "../../../base/jobs/retry.ts";
import { keepFault, lockDueRetry, nextRetryDue, type DueRetry } from "./queries.ts";
import { retryBatch } from "./retry.ts";

type Workshop = Pick<Ground, "store" | "clock" | "log">;

const MAX_ATTEMPTS = 5;
/** For people, who cannot mend it. */
const FAULT =
  "The job failed because of a fault in this server; its log has the details. Emails that were queued stay so.";

/** Sends one batch; answers the rest until the next. */
export async function retryStep(workshop: Workshop): Promise<number> {
  const { store, clock } = workshop;
  const restMs = restUntil(await store.read(nextRetryDue), clock.nowMs());
  if (restMs > 0) return restMs;
  let retry: DueRetry | null = null;
  try {
    await store.write(async (tx) => {
      retry = await lockDueRetry(tx);
      if (retry) await retryBatch(tx, retry);
    });
  } catch (error) {
    if (!retry || isStoreAway(error)) throw error;
    await deferRetry(workshop, retry, error);
  }
  return retry ? 0 : SHORT_REST_MS;
}

async function deferRetry({ store, log }: Workshop, retry: DueRetry, error: unknown): Promise<void> {
  const attempts = retry.attempts + 1;
  const isOver = attempts >= MAX_ATTEMPTS;
  await store.write((tx) =>
    isOver ? keepFault(tx, retry, null, FAULT) : keepFault(tx, retry, iso(tx.nowMs + backOffMs(attempts)), null),
  );
  const what = { job: retry.id, attempts, error };
  if (isOver) log.error("a job that sends emails again failed", what);
  else log.warn("a batch of emails could not be sent again and will be tried later", what);
}
