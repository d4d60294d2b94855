// The SQL of webhooks sent again by hand.
import { sqlList, sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";

/**
 * Sends a settled webhook again, with a new retry schedule; the execution does not wait for it. Answers 0 after
 * `maxAttempts`.
 */
export function setSentByHand(tx: Tx, executionStep: number, maxAttempts: number): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = 'DUE', due_at = ${tx.now}, tries = 0, by_hand = 1
    where execution_step = ${executionStep} and state in ('DELIVERED', 'FAILED', 'CANCELLED')
      and attempts < ${maxAttempts}`;
}

type StepCallRow = { readonly seq: number; readonly execution: number };

/** Records of a step whose webhook was given up, newest first; not ones that have been sent too often. */
export function givenUpAt(
  reader: Reader,
  step: string,
  {
    before,
    limit,
    maxAttempts,
  }: { readonly before: number | null; readonly limit: number; readonly maxAttempts: number },
): Promise<StepCallRow[]> {
  const older = before === null ? sql`` : sql` and s.execution < ${before}`;
  return reader.all<StepCallRow>`
    select s.seq, s.execution from execution_steps s
    join webhook_deliveries d on d.execution_step = s.seq and d.state = 'FAILED' and d.attempts < ${maxAttempts}
    where s.step = ${step} and s.status = 'FAILED'${older} order by s.execution desc limit ${limit}`;
}

/** As `setSentByHand`, for webhooks that were given up. */
export function setGivenUpSent(tx: Tx, executionSteps: readonly number[]): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = 'DUE', due_at = ${tx.now}, tries = 0, by_hand = 1
    where execution_step in (${sqlList(executionSteps)}) and state = 'FAILED'`;
}

/** Makes a webhook due now that waits for its next attempt. */
export function setDueNow(tx: Tx, executionStep: number): Promise<number> {
  return tx.run`
    update webhook_deliveries set due_at = ${tx.now}, held = null
    where execution_step = ${executionStep} and state = 'DUE'`;
}
