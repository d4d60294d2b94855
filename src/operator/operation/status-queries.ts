// The SQL of the installation's status: the queue with its reasons, the current rate, and long jobs.
import { HELD, IN_TURN, IS_HELD } from "../../mail/emails/queue/holds.ts";
import { isTrulyDue } from "../../store/clock-queries.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

export type WaitingShare = {
  readonly workspace: string;
  readonly reason: string;
  readonly mails: number;
  readonly oldestAt: string;
};

/** Reads the queue as a whole. */
export function waitingByReason(reader: Reader, now: string): Promise<WaitingShare[]> {
  const reasons = (isTheirs: Sql) => sql`
    select workspace, created_at, case when status = 'SENDING' then 'handing over'
      when status = 'PERHAPS_DELIVERED' then 'perhaps delivered' when ${HELD.workspace} then 'workspace disabled'
      when ${HELD.campaign} then 'campaign held' when ${HELD.operator} then 'held by an operator' when ${HELD.pace} then 'provider pace'
      when due_at <= ${now} then case when ${isTrulyDue(sql`due_at`)} then 'due' else 'held by the clock' end
      when attempts > 0 then 'deferred' when error is not null then 'no sending route takes it' else 'scheduled' end as reason
    from emails where ${isTheirs} and due_at is not null`;
  return reader.all<WaitingShare>`
    select w.name as workspace, q.reason, count(*) as mails, min(q.created_at) as "oldestAt" from (
      ${reasons(IN_TURN)} union all ${reasons(IS_HELD)}) q
    join workspaces w on w.seq = q.workspace group by w.name, q.reason order by w.name, q.reason`;
}

/** Counts mails sent since a moment, among the latest `most` events. */
export async function countSentSince(reader: Reader, since: string, most: number): Promise<number> {
  const row = await reader.get<{ sent: number }>`
    select count(*) as sent from (select name, created_at from events order by seq desc limit ${most}) as latest
    where name = 'email.sent' and created_at >= ${since}`;
  return row?.sent ?? 0;
}

export type JobStatusRow = {
  readonly workspace: string;
  readonly what: string;
  readonly status: string;
  readonly processed: number;
  readonly total: number;
};

/** Imports, bulk changes, and mails that are sent again. */
export function unfinishedJobs(reader: Reader, most: number): Promise<JobStatusRow[]> {
  return reader.all<JobStatusRow>`
    select w.name as workspace, j.operation as what, j.status, j.processed, j.total from contact_jobs j
    join workspaces w on w.seq = j.workspace where j.status in ('STAGING', 'PENDING', 'PROCESSING')
    union all
    select w.name as workspace, 'RETRY' as what, r.status, r.processed, r.total from retries r
    join workspaces w on w.seq = r.workspace where r.due_at is not null
    limit ${most}`;
}
