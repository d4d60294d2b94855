// The SQL of erasing contacts.
import { sqlList } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

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
