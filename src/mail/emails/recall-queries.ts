// After a clock that was ahead is set back, mails that were due at once would wait: they are made due now. Scheduled
// mails keep their time.
import type { Tx } from "../../store/store.ts";

/** By the workspaces' queues, so that nothing is read but what is due later. */
export function recallMails(tx: Tx): Promise<number> {
  return tx.run`
    update emails set due_at = ${tx.now} where seq in (
      select e.seq from turns t
      join emails e on e.workspace = t.workspace and e.lane = case t.queue when 'transactional' then 0 else 1 end
      where t.queue in ('transactional', 'marketing') and e.due_at > ${tx.now} and e.status = 'QUEUED'
        and (e.attempted_at > ${tx.now} or (e.created_at > ${tx.now} and e.due_at <= e.created_at)))`;
}
