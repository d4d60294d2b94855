// The SQL that deletes old executions: their traces, and the rows of deleted workflows.
import { sqlList } from "../../../store/sql.ts";
import type { Tx } from "../../../store/store.ts";

/** The earliest that still have their trace, without executions that another process has locked. */
export function endedBefore(tx: Tx, before: string, most: number): Promise<{ seq: number }[]> {
  return tx.all`
    select seq from executions where ended_at is not null and is_bare = 0 and ended_at < ${before}
    order by ended_at limit ${most}${tx.dialect.skipLocked}`;
}

/** Webhooks and their attempts are deleted with them. */
export function deleteExecutionSteps(tx: Tx, executions: readonly number[]): Promise<number> {
  return tx.run`delete from execution_steps where execution in (${sqlList(executions)})`;
}

/** Deletes executions after which the same contact was in the same workflow again. */
export function deleteSuperseded(tx: Tx, executions: readonly number[]): Promise<number> {
  return tx.run`
    delete from executions where seq in (${sqlList(executions)}) and exists (
      select 1 from executions later
      where later.contact = executions.contact and later.workflow = executions.workflow
        and later.started_at >= executions.started_at and later.seq > executions.seq)`;
}

export function stripExecutions(tx: Tx, executions: readonly number[]): Promise<number> {
  return tx.run`update executions set is_bare = 1, context = '{}' where seq in (${sqlList(executions)})`;
}

/** A deleted workflow that still has rows; null = none. */
export function deletedWorkflow(tx: Tx): Promise<{ seq: number } | null> {
  return tx.get<{ seq: number }>`select seq from workflows where deleted_at is not null order by seq limit 1`;
}

export function deleteExecutionsOf(tx: Tx, workflow: number, most: number): Promise<number> {
  return tx.run`
    delete from executions where seq in (select seq from executions where workflow = ${workflow} order by seq limit ${most})`;
}

export function deleteWorkflow(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from workflows where seq = ${seq}`;
}
