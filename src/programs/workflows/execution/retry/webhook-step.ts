// WEBHOOK: how an execution goes on when its webhook is settled, and how a webhook is sent again by hand.
import { AppError } from "../../../../base/errors.ts";
import type { Tx } from "../../../../store/store.ts";
import type { WebhookConfig } from "../../definition/definition.ts";
import { setDueNow, setGivenUpSent, setSentByHand } from "../../../webhooks/sending/step-queries.ts";
import { givenUpAt } from "../../webhook/repeat-queries.ts";
import type { AttemptResult } from "../../../webhooks/sending/call.ts";
import { WEBHOOK_DUE } from "../../../webhooks/sending/queue.ts";
import type { SentStep } from "../../webhook/sender.ts";
import { endState } from "../advance.ts";
import { EXECUTION_DUE, findExecution, type ExecutionIds } from "../execution.ts";
import { setExecutionStates, setGoingOn } from "../queries.ts";
import type { RetryBatch, RetryRange } from "./retry-queries.ts";
import { setStepResult, traceOf } from "../trace-queries.ts";

/** Gives the step its result and moves the execution on, which does not wait for a webhook that was sent by hand. */
export async function afterWebhook(
  tx: Tx,
  call: SentStep,
  { outcome, status: statusCode, answer: response }: AttemptResult,
  { onFailure }: WebhookConfig,
): Promise<void> {
  const [success, attempts] = [outcome === "delivered", call.attempts];
  const output = { success, statusCode, response, attempts };
  await setStepResult(tx, call.step, { status: success ? "COMPLETED" : "FAILED", output });
  if (call.isByHand) return;
  if (!success && onFailure === "stop") {
    const reason = `The webhook was given up after ${attempts} ${attempts === 1 ? "attempt" : "attempts"}.`;
    return setExecutionStates(tx, [{ seq: call.execution, ...endState("FAILED", call.stepId, reason) }]);
  }
  if ((await setGoingOn(tx, call.execution, call.stepId)) > 0) tx.signal(EXECUTION_DUE);
}

/** The limit of attempts at one webhook, after which it can no longer be sent by hand: the trace shows all of them. */
const MAX_ATTEMPTS = 100;
const NOT_SENT_AGAIN = `The step is not a webhook, it is being sent right now, or it has been sent ${MAX_ATTEMPTS} times.`;

/**
 * Sends a webhook again by hand, under the same id, or tries one now that waits for its next attempt. The execution
 * does not go back. `step`: the record of the execution there, or the step of the workflow.
 * @throws AppError WORKFLOW_NOT_FOUND, EXECUTION_NOT_FOUND, STEP_NOT_FOUND, WORKFLOW_STATE for a step that is not a
 * webhook, is being sent, or has been sent too often
 */
export async function retryWebhook(
  tx: Tx,
  workspace: number,
  ids: ExecutionIds & { readonly step: string },
): Promise<void> {
  const { seq } = await findExecution(tx, workspace, ids);
  const step = (await traceOf(tx, seq)).find(({ id, step: of }) => id === ids.step || of === ids.step);
  if (!step) throw new AppError("STEP_NOT_FOUND", `There is no step ${ids.step} in this execution.`);
  if ((await setDueNow(tx, step.seq)) === 0 && (await setSentByHand(tx, step.seq, MAX_ATTEMPTS)) === 0)
    throw new AppError("WORKFLOW_STATE", NOT_SENT_AGAIN);
  tx.signal(WEBHOOK_DUE);
}

/** Sends webhooks of a step again that were given up. `step`: its public id. */
export async function retryGivenUp(tx: Tx, step: string, terms: RetryRange): Promise<RetryBatch> {
  const found = await givenUpAt(tx, step, { ...terms, maxAttempts: MAX_ATTEMPTS });
  if (found.length === 0) return { retried: 0, next: null };
  const retried = await setGivenUpSent(
    tx,
    found.map(({ seq }) => seq),
  );
  tx.signal(WEBHOOK_DUE);
  return { retried, next: found.length < terms.limit ? null : (found.at(-1)?.execution ?? null) };
}
