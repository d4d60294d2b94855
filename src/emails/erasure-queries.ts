// The SQL of erasing contacts with their mails.
import { steadyList } from "../store/sql.ts";
import type { Tx } from "../store/store.ts";
import { NOT_SUBSCRIBED } from "./withheld.ts";

/** The contact's history goes piece by piece, whoever does it. The row goes with the contact. */
export function insertErasure(tx: Tx, contact: number): Promise<number> {
  return tx.run`insert into erasures (contact, begun_at) values (${contact}, ${tx.now})`;
}

/** The next contact after `after` whose history is to go, unless another process is at it; null = none. */
export async function takeErasure(tx: Tx, after: number): Promise<number | null> {
  const row = await tx.get<{ contact: number }>`
    select contact from erasures where contact > ${after} order by contact limit 1${tx.dialect.skipLocked}`;
  return row?.contact ?? null;
}

/**
 * A part of a contact's mails that campaigns have sent, or are just handing over: they stay for what is counted of them, and name nobody any more.
 * Answers how many.
 */
export async function detachCampaignMails(tx: Tx, contact: number, most: number): Promise<number> {
  const detached = await tx.all<{ seq: number }>`
    update emails set contact = null, to_address = '', to_name = null, subject = null, variables = null,
      error = case when error = ${NOT_SUBSCRIBED} then error end
    where seq in (
      select seq from emails where contact = ${contact} and campaign is not null and status <> 'QUEUED' limit ${most})
    returning seq`;
  if (detached.length === 0) return 0;
  const seqs = steadyList(detached.map(({ seq }) => seq));
  await tx.run`delete from attempts where email in (${seqs})`;
  await tx.run`delete from machine_visits where email in (${seqs})`;
  return detached.length;
}

/** A part of a contact's other mails, with what there is about them; answers their contents. */
export async function deleteMailsOfContact(tx: Tx, contact: number, most: number): Promise<number[]> {
  const rows = await tx.all<{ content: number }>`
    delete from emails where seq in (
      select seq from emails where contact = ${contact} and (campaign is null or status = 'QUEUED') limit ${most})
    returning content`;
  return rows.map(({ content }) => content);
}

/** Those of them that nobody else's mail and no campaign has. */
export function deleteUnusedContents(tx: Tx, contents: readonly number[]): Promise<number> {
  return tx.run`
    delete from contents where seq in (${steadyList(contents)})
      and not exists (select 1 from emails where content = contents.seq)
      and not exists (select 1 from campaigns where content = contents.seq)`;
}
