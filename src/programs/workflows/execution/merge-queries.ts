// The SQL of executions that decide if others may run.
import { flag } from "../../../store/columns.ts";
import { sql } from "../../../store/sql.ts";
import type { Tx } from "../../../store/store.ts";

export type EntryExecution = {
  readonly seq: number;
  readonly workflow: number;
  readonly workflowId: string;
  readonly entry: string;
  /** The execution runs or waits. */
  readonly isActive: boolean;
  /** The contact never enters again. */
  readonly once: boolean;
};

type DecisiveRow = Omit<EntryExecution, "isActive" | "once"> & { readonly isActive: 0 | 1; readonly once: 1 | null };

/** Executions that run or wait, and ones after which the contact does not enter again; locked. */
export async function lockDecisive(tx: Tx, contact: number): Promise<EntryExecution[]> {
  const rows = await tx.all<DecisiveRow>`
    select seq, workflow, (select w.id from workflows w where w.seq = executions.workflow) as "workflowId", entry, once,
      case when status in ('RUNNING', 'WAITING') then 1 else 0 end as "isActive"
    from executions where contact = ${contact} and (once = 1 or status in ('RUNNING', 'WAITING'))
    order by seq${tx.dialect.forUpdate}`;
  return rows.map((row) => ({ ...row, once: row.once === 1, isActive: flag(row.isActive) }));
}

export function setContact(tx: Tx, seqs: readonly number[], contact: number): Promise<number> {
  return tx.run`update executions set contact = ${contact} where ${tx.dialect.isAmong(sql`seq`, seqs)}`;
}

export function setOnce(tx: Tx, seqs: readonly number[], once: 1 | null): Promise<number> {
  return tx.run`update executions set once = ${once} where ${tx.dialect.isAmong(sql`seq`, seqs)}`;
}
