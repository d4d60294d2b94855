// Retries a step for all for whom it failed: webhooks that were given up are sent again, mails that could not be
// created are created.
import { AppError } from "../../../../base/errors.ts";
import type { Reader, Store, Tx } from "../../../../store/store.ts";
import { findStep } from "../../definition/step.ts";
import { findWorkflow } from "../../definition/workflow.ts";
import { retryMails } from "./mail-retry.ts";
import type { RetryBatch, RetryRange } from "./retry-queries.ts";
import { retryGivenUp } from "./webhook-step.ts";

/** Retries the next batch. */
export type RetryInBatches = (tx: Tx, terms: RetryRange) => Promise<RetryBatch>;

/**
 * Public ids. @throws AppError WORKFLOW_NOT_FOUND, STEP_NOT_FOUND, WORKFLOW_STATE for a step that neither calls nor
 * sends
 */
export async function retryingOf(
  reader: Reader,
  workspace: number,
  ids: { readonly workflow: string; readonly step: string },
): Promise<RetryInBatches> {
  const { seq: workflow } = await findWorkflow(reader, workspace, ids.workflow);
  const { id: step, type } = await findStep(reader, workflow, ids.step);
  if (type === "WEBHOOK") return (tx, terms) => retryGivenUp(tx, step, terms);
  if (type === "SEND_EMAIL") return (tx, terms) => retryMails(tx, { workspace, workflow: ids.workflow, step }, terms);
  throw new AppError("WORKFLOW_STATE", "The step calls no webhook and sends no email: there is nothing to try again.");
}

const RETRIED_A_BATCH = 200;
/** The limit of one call, so that it ends. */
const MOST_RETRIED = 10_000;

/** Up to ten thousand, some in each transaction. */
export async function retryAll(
  store: Store,
  retrying: RetryInBatches,
): Promise<{ readonly retried: number; readonly hasMore: boolean }> {
  let [retried, before]: [number, number | null] = [0, null];
  while (retried < MOST_RETRIED) {
    const terms: RetryRange = { before, limit: RETRIED_A_BATCH };
    const batch = await store.write((tx) => retrying(tx, terms));
    retried += batch.retried;
    before = batch.next;
    if (before === null) return { retried, hasMore: false };
  }
  return { retried, hasMore: true };
}
