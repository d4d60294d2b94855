// The SQL of erasing mails: of one person, or of a workspace.
import { steadyList } from "../../../store/sql.ts";
import type { Tx } from "../../../store/store.ts";
import { COUNTED_BY, type CancelledMail } from "../cancel-queries.ts";
import type { EmailStatus } from "../shape.ts";

/**
 * Detaches some of a contact's mails that campaigns have sent, or are handing over: they stay for the counters, without
 * a name. Answers how many.
 */
export async function detachCampaignMails(tx: Tx, contact: number, most: number): Promise<number> {
  const detached = await tx.all<{ seq: number }>`
    update emails set contact = null, to_address = '', to_name = null, subject = null, variables = null, reply = null,
      error = null
    where seq in (
      select seq from emails where contact = ${contact} and campaign is not null and status <> 'QUEUED' limit ${most})
    returning seq`;
  if (detached.length === 0) return 0;
  const seqs = steadyList(detached.map(({ seq }) => seq));
  await tx.run`delete from email_attempts where email in (${seqs})`;
  await tx.run`delete from machine_visits where email in (${seqs})`;
  return detached.length;
}

type DeletedMail = CancelledMail & { readonly content: number; readonly status: EmailStatus };

/** Deletes some of a contact's other mails. */
export function deleteMailsOfContact(tx: Tx, contact: number, most: number): Promise<DeletedMail[]> {
  return tx.all<DeletedMail>`
    delete from emails where seq in (
      select seq from emails where contact = ${contact} and (campaign is null or status = 'QUEUED') limit ${most})
    returning content, status, ${COUNTED_BY}`;
}

/** Deletes some of a workspace's mails; answers how many. */
export function deleteMailsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from emails where seq in (select seq from emails where workspace = ${workspace} order by seq limit ${most})`;
}

/** Deletes some of a workspace's contents, once its mails and campaigns are deleted; answers how many. */
export function deleteContentsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`delete from contents where seq in (select seq from contents where workspace = ${workspace} limit ${most})`;
}
