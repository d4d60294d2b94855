// The SQL of deleting mails with those whom they belong to.
import { list } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";

/** A part of a workspace's mails, with what there is about them; answers how many. */
export function deleteMailsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from emails where seq in (select seq from emails where workspace = ${workspace} order by seq limit ${most})`;
}

/** A part of a workspace's contents, once its mails and campaigns are gone; answers how many. */
export function deleteContentsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`delete from contents where seq in (select seq from contents where workspace = ${workspace} limit ${most})`;
}

/** Those whose mail is still to leave stay until it has: what was accepted is sent. */
export function expiredSignUps(tx: Tx, most: number): Promise<{ seq: number }[]> {
  return tx.all`
    select seq from contacts c where c.status = 'PENDING' and c.expires_at <= ${tx.now}
      and not exists (select 1 from emails e where e.contact = c.seq and e.due_at is not null)
    order by c.expires_at limit ${most}${tx.dialect.skipLocked}`;
}

export function contentsOfContacts(reader: Reader, contacts: readonly number[]): Promise<{ content: number }[]> {
  return reader.all`select content from emails where contact in (${list(contacts)})`;
}
