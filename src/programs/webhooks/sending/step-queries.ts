// The SQL of webhooks that steps of executions send.
import { sqlList } from "../../../store/sql.ts";
import type { Tx } from "../../../store/store.ts";

export type NewCall = {
  readonly executionStep: number;
  readonly execution: number;
  readonly workspace: number;
  readonly origin: string;
  readonly payload: object;
};

export function insertCall(tx: Tx, { executionStep, execution, workspace, origin, payload }: NewCall): Promise<number> {
  return tx.run`
    insert into webhook_deliveries (id, execution_step, execution, workspace, origin, payload, state, due_at)
    select id, seq, ${execution}, ${workspace}, ${origin}, ${JSON.stringify(payload)}, 'DUE', ${tx.now}
    from execution_steps where seq = ${executionStep}`;
}

export function hold(tx: Tx, workflow: number, deliveries: readonly number[]): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = 'DUE', due_at = null, held = ${workflow}
    where seq in (${sqlList(deliveries)}) and due_at is not null and due_at <= ${tx.now}`;
}

/** Makes up to `limit` held calls of these workflows due. */
export function release(tx: Tx, workflows: readonly number[], limit: number): Promise<number> {
  return tx.run`
    update webhook_deliveries set due_at = ${tx.now}, held = null
    where held is not null and seq in (
      select seq from webhook_deliveries where held in (${sqlList(workflows)}) limit ${limit})`;
}

export function cancelCalls(tx: Tx, executions: readonly number[]): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = 'CANCELLED', due_at = null, held = null
    where state in ('DUE', 'CALLING')
      and execution_step in (select seq from execution_steps where execution in (${sqlList(executions)}))`;
}

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
