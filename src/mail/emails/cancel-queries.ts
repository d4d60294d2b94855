// The SQL of cancelled mails.
import type { ChangeAuthor } from "../../tenant/access/caller.ts";
import type { CountedMail } from "../statistics/counting.ts";
import { sql, steadyList } from "../../store/sql.ts";
import type { Tx } from "../../store/store.ts";
import type { MailAttempt } from "./queue/queue-queries.ts";

export type CancelledMail = CountedMail & { readonly createdAt: string };
/** The columns of a changed or deleted mail, as `CancelledMail`. */
export const COUNTED_BY = sql`
  workspace, source_type as "sourceType", to_address as "toAddress", created_at as "createdAt",
  (select c.from_address from contents c where c.seq = emails.content) as "fromAddress",
  (select c.template_id from contents c where c.seq = emails.content) as "templateId",
  (select c.tags from contents c where c.seq = emails.content) as tags,
  (select k.id from campaigns k where k.seq = emails.campaign) as "campaignId"`;

/** Changes only mails that are not claimed. */
export function setCancelled(tx: Tx, seqs: readonly number[], by: ChangeAuthor): Promise<CancelledMail[]> {
  return tx.all<CancelledMail>`
    update emails set status = 'CANCELLED', due_at = null, cancelled_at = ${tx.now}, cancelled_by = ${JSON.stringify(by)}
    where seq in (${steadyList(seqs)}) and status = 'QUEUED'
    returning ${COUNTED_BY}, (select c.private from contents c where c.seq = emails.content) as "isPrivate"`;
}

const BY_ITS_CAMPAIGN = (now: string) => sql`status = 'CANCELLED', due_at = null, cancelled_at = ${now},
      cancelled_by = (select k.cancelled_by from campaigns k where k.seq = emails.campaign)`;

/** Changes only mails that are not claimed. */
export function cancelQueuedOf(tx: Tx, campaign: number, limit: number): Promise<CancelledMail[]> {
  return tx.all<CancelledMail>`
    update emails set ${BY_ITS_CAMPAIGN(tx.now)} where seq in (
      select seq from emails where campaign = ${campaign} and due_at is not null and status = 'QUEUED'
      limit ${limit}${tx.dialect.forUpdate})
    returning ${COUNTED_BY}`;
}

/** Does not count the attempt. */
export function cancelClaimed(tx: Tx, { seq, attempts }: MailAttempt): Promise<number> {
  return tx.run`
    update emails set ${BY_ITS_CAMPAIGN(tx.now)}, attempts = attempts - 1, hop = null
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts}`;
}

export function deleteClaimed(tx: Tx, { seq, attempts }: MailAttempt): Promise<number> {
  return tx.run`delete from emails where seq = ${seq} and status = 'SENDING' and attempts = ${attempts}`;
}
