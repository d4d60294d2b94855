// The SQL of the mails of contacts that are merged.
import { sql } from "../../../store/sql.ts";
import type { Tx } from "../../../store/store.ts";
import type { MergeDirection } from "../../../store/table.ts";
import { seqsOf } from "../../../store/row-statement.ts";

/** Waiting mail, and mail in hand. */
export async function moveWaitingMails(tx: Tx, { from, to }: MergeDirection): Promise<number[]> {
  return seqsOf(
    await tx.all<{ seq: number }>`
    update emails set contact = ${to} where contact = ${from} and due_at is not null returning seq`,
  );
}

/** Waiting mail of these workflows that is not in hand. */
export async function waitingMailsOf(tx: Tx, contact: number, workflows: readonly string[]): Promise<number[]> {
  const rows = await tx.all<{ seq: number }>`
    select seq from emails where contact = ${contact} and due_at is not null and status = 'QUEUED'
      and ${tx.dialect.isOneOf(sql`workflow_id`, workflows)}`;
  return rows.map(({ seq }) => seq);
}
