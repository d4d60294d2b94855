// The SQL that makes mails due after a fast clock is set back: mails that were due immediately would wait. Scheduled
// mails keep their time.
import type { Tx } from "../../../store/store.ts";
import { IN_TURN, MARKETING, TRANSACTIONAL } from "./holds.ts";

/** Reads the workspaces' queues, and of them only mails that are due later. */
export function recallMails(tx: Tx): Promise<number> {
  return tx.run`
    update emails set due_at = ${tx.now} where seq in (
      select e.seq from turns t
      join emails e on e.workspace = t.workspace and ${IN_TURN}
        and e.lane = case t.queue when 'transactional' then cast(${TRANSACTIONAL} as smallint) else cast(${MARKETING} as smallint) end
      where t.queue in ('transactional', 'marketing') and e.due_at > ${tx.now} and e.status = 'QUEUED'
        and (e.attempted_at > ${tx.now} or (e.created_at > ${tx.now} and e.due_at <= e.created_at)))`;
}
