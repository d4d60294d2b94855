// The SQL of mails that are sent at another time. Only those that are not claimed are changed.
import type { Tx } from "../../store/store.ts";

export function setDue(tx: Tx, seq: number, dueAt: string): Promise<number> {
  return tx.run`update emails set due_at = ${dueAt} where seq = ${seq} and status = 'QUEUED'`;
}

/** Of all mails of a group but repeats. */
export function setGroupDue(tx: Tx, content: number, dueAt: string): Promise<number> {
  return tx.run`
    update emails set due_at = ${dueAt}
    where content = ${content} and status = 'QUEUED' and role is not null and resent_from is null`;
}
