// The SQL of erasing contacts with their mails.
import { sqlList, steadyList } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { COUNTED_BY, type CancelledMail } from "../../mail/emails/cancel-queries.ts";
import type { EmailStatus } from "../../mail/emails/shape.ts";

/** The contact's history is to be erased, piece by piece. The row is deleted with the contact. */
export function insertErasure(tx: Tx, contact: number): Promise<number> {
  return tx.run`insert into erasures (contact, begun_at) values (${contact}, ${tx.now})`;
}

/** The ids of contacts that were merged into it. */
export async function formerIdsOf(reader: Reader, contact: number): Promise<string[]> {
  const rows = await reader.all<{ id: string }>`select id from merged_contacts where contact = ${contact}`;
  return rows.map(({ id }) => id);
}

/** The next contact after `after` whose history no other process is erasing; null = none. */
export async function takeErasure(tx: Tx, after: number): Promise<number | null> {
  const row = await tx.get<{ contact: number }>`
    select contact from erasures where contact > ${after} order by contact limit 1${tx.dialect.skipLocked}`;
  return row?.contact ?? null;
}

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
  await tx.run`delete from attempts where email in (${seqs})`;
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

/** The audiences of campaigns whose condition may name an address. */
export function audiencesWithAddresses(tx: Tx, workspace: number): Promise<{ seq: number; condition: string }[]> {
  return tx.all`
    select seq, audience_condition as condition from campaigns
    where workspace = ${workspace} and instr(audience_condition, '@') > 0 order by seq${tx.dialect.forUpdate}`;
}

/** `condition`: JSON. */
export function setAudience(tx: Tx, campaign: number, condition: string): Promise<number> {
  return tx.run`update campaigns set audience_condition = ${condition} where seq = ${campaign}`;
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

/** Without contacts whose mail has not left yet: an accepted mail is sent. */
export function expiredSignUps(tx: Tx, most: number): Promise<{ seq: number; workspace: number; email: string }[]> {
  return tx.all`
    select seq, workspace, email from contacts c where c.status = 'PENDING' and c.expires_at <= ${tx.now}
      and not exists (select 1 from emails e where e.contact = c.seq and e.due_at is not null)
    order by c.expires_at limit ${most}${tx.dialect.skipLocked}`;
}

export function contentsOfContacts(reader: Reader, contacts: readonly number[]): Promise<{ content: number }[]> {
  return reader.all`select content from emails where contact in (${sqlList(contacts)})`;
}
