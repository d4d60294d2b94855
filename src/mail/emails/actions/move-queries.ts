// The SQL of changing a mail's time. Only unclaimed mails are changed.
import type { Tx } from "../../../store/store.ts";

export function setDue(tx: Tx, seq: number, dueAt: string): Promise<number> {
  return tx.run`update emails set due_at = ${dueAt} where seq = ${seq} and status = 'QUEUED'`;
}

/** For all mails of a group but repeats. */
export function setGroupDue(tx: Tx, content: number, dueAt: string): Promise<number> {
  return tx.run`
    update emails set due_at = ${dueAt}
    where content = ${content} and status = 'QUEUED' and role is not null and resent_from is null`;
}
