// The SQL of executions that stopped at a step, and return to the one before it.
import { sqlList, sql } from "../../../../store/sql.ts";
import type { Tx } from "../../../../store/store.ts";

/** `before`: the seq of an execution; null = begins with the newest. */
export type RetryRange = { readonly before: number | null; readonly limit: number };

/** `next`: where the next batch begins; null = none. */
export type RetryBatch = { readonly retried: number; readonly next: number | null };

export type RetryExecutionRow = {
  readonly seq: number;
  readonly version: number;
  readonly contact: number;
  readonly entry: string;
};

/**
 * Newest first, locked. Without executions of people who are in the workflow again: a contact is not in it twice by the
 * same entry. `step`: its public id.
 */
export function lockStopped(
  tx: Tx,
  { workflow, step }: { readonly workflow: number; readonly step: string },
  { before, limit }: RetryRange,
): Promise<RetryExecutionRow[]> {
  const older = before === null ? sql`` : sql` and e.seq < ${before}`;
  return tx.all<RetryExecutionRow>`
    select e.seq, e.version, e.contact, e.entry from executions e
    where e.workflow = ${workflow} and e.step = ${step} and e.status = 'FAILED' and e.is_bare = 0${older} and not exists (
      select 1 from executions o
      where o.workflow = ${workflow} and o.contact = e.contact and o.status in ('RUNNING', 'WAITING')
        and (e.entry = '' or o.entry = e.entry))
    order by e.seq desc limit ${limit}${tx.dialect.forUpdate}`;
}

export type RetryStepRow = {
  readonly seq: number;
  readonly execution: number;
  readonly step: string;
  readonly branch: string | null;
  readonly status: string;
};

/** The step records of these executions, in their order. */
export function recordsOf(tx: Tx, executions: readonly number[]): Promise<RetryStepRow[]> {
  return tx.all<RetryStepRow>`
    select seq, execution, step, branch, status from execution_steps where execution in (${sqlList(executions)})
    order by execution, seq`;
}

export function deleteFailedRecords(tx: Tx, records: readonly number[]): Promise<number> {
  return tx.run`delete from execution_steps where seq in (${sqlList(records)}) and status = 'FAILED'`;
}

/** They leave `step` by `branch` again, immediately. */
export function setBack(
  tx: Tx,
  executions: readonly number[],
  { step, branch }: { readonly step: string; readonly branch: string | null },
): Promise<number> {
  return tx.run`
    update executions set status = 'RUNNING', step = ${step}, branch = ${branch}, due_at = ${tx.now}, reason = null, ended_at = null
    where seq in (${sqlList(executions)}) and status = 'FAILED'`;
}
