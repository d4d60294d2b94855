// The SQL of executions that a clock ahead has deferred (recall.ts).
import type { Tx } from "../../../store/store.ts";

/** Executions between two steps were not deferred on purpose; a failed one is tried sooner. */
export function callRunning(tx: Tx): Promise<number> {
  return tx.run`
    update executions set due_at = ${tx.now} where due_at is not null and due_at > ${tx.now} and status = 'RUNNING'`;
}

type BegunWait = { readonly seq: number; readonly dueAt: string; readonly startedAt: string };

export function waitsBegunAfter(tx: Tx, moment: string): Promise<BegunWait[]> {
  return tx.all<BegunWait>`
    select e.seq, e.due_at as "dueAt", s.started_at as "startedAt" from executions e
    join execution_steps s on s.execution = e.seq and s.step = e.step
    where e.due_at is not null and e.due_at > ${moment} and e.status = 'WAITING' and s.started_at > ${moment} order by e.seq`;
}

export function setDueAt(tx: Tx, seq: number, dueAt: string): Promise<number> {
  return tx.run`update executions set due_at = ${dueAt} where seq = ${seq}`;
}
