// The SQL of traces: the result of each step that an execution has reached.
import { list } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";

export type StepStatus = "WAITING" | "COMPLETED" | "SKIPPED" | "FAILED" | "CANCELLED";

type NewExecutionStep = {
  readonly id: string;
  readonly execution: number;
  readonly step: string;
  readonly status: StepStatus;
  /** JSON text. */
  readonly output: string | null;
};

/** @throws if the execution has reached this step before: no effect happens twice */
export async function insertExecutionStep(tx: Tx, step: NewExecutionStep): Promise<number> {
  const row = await tx.get<{ seq: number }>`
    insert into execution_steps (id, execution, step, status, output, started_at, ended_at)
    values (${step.id}, ${step.execution}, ${step.step}, ${step.status}, ${step.output}, ${tx.now},
      ${step.status === "WAITING" ? null : tx.now})
    returning seq`;
  return (row as { seq: number }).seq;
}

type StepEnd = {
  readonly status: StepStatus;
  /** JSON text; null = as it was. */ readonly output: string | null;
};

export function endExecutionStep(
  tx: Tx,
  execution: number,
  step: string,
  { status, output }: StepEnd,
): Promise<number> {
  return tx.run`
    update execution_steps set status = ${status}, output = coalesce(${output}, output), ended_at = ${tx.now}
    where execution = ${execution} and step = ${step} and status = 'WAITING'`;
}

export function setStepResult(tx: Tx, seq: number, { status, output }: StepEnd): Promise<number> {
  return tx.run`
    update execution_steps set status = ${status}, output = coalesce(${output}, output), ended_at = ${tx.now}
    where seq = ${seq}`;
}

export type ExecutionStepRow = {
  readonly seq: number;
  readonly id: string;
  readonly step: string;
  readonly status: StepStatus;
  readonly output: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
};

/** In the order in which the execution reached them. */
export async function traceOf(reader: Reader, execution: number): Promise<ExecutionStepRow[]> {
  const rows = await reader.all<ExecutionStepRow>`
    select seq, id, step, status, output, started_at, ended_at from execution_steps where execution = ${execution}`;
  return rows.sort((one, other) => one.seq - other.seq);
}

export function cancelSteps(tx: Tx, executions: readonly number[]): Promise<number> {
  return tx.run`
    update execution_steps set status = 'CANCELLED', ended_at = ${tx.now}
    where execution in (${list(executions)}) and status = 'WAITING'`;
}
