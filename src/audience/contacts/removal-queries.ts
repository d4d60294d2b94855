// The SQL that removes contacts, and keeps their counts (count-queries.ts).
import { flag } from "../../store/columns.ts";
import { sqlList } from "../../store/sql.ts";
import type { Tx } from "../../store/store.ts";
import { addToCounts } from "./count-queries.ts";
import type { Contact, ContactRow } from "./queries.ts";

/** Deletes expired sign-ups with their mails and events. None of them is subscribed. */
export async function deleteExpired(tx: Tx, seqs: readonly number[]): Promise<void> {
  const gone = await tx.all<{ workspace: number }>`
    delete from contacts where status = 'PENDING' and seq in (${sqlList(seqs)}) returning workspace`;
  await Promise.all(gone.map(({ workspace }) => addToCounts(tx, workspace, { total: -1, subscribed: 0 })));
}

/** Removes all personal data from a contact: only its seq finds it. `id`: a new one that was never answered. */
export async function hideContact(tx: Tx, workspace: number, contact: Contact, id: string): Promise<void> {
  await tx.run`
    update contacts set id = ${id}, email = ${String(contact.seq)}, subscribed = 0, status = 'ACTIVE', suppressed = null,
      topics = null, paused_until = null, data = ${tx.dialect.json("{}")}, sought = '', expires_at = null, updated_at = ${tx.now}
    where seq = ${contact.seq}`;
  await addToCounts(tx, workspace, { total: -1, subscribed: contact.subscribed ? -1 : 0 });
}

type ContactRestoration = Pick<Contact, "seq" | "id" | "email" | "data" | "subscribed" | "topics" | "pausedUntil"> & {
  readonly sought: string;
};

/** Restores a contact after hideContact. The suppression of its address is set afterwards. */
export async function restoreContact(tx: Tx, workspace: number, one: ContactRestoration): Promise<void> {
  const { seq, id, email, subscribed, sought } = one;
  const topics = Object.keys(one.topics).length === 0 ? null : JSON.stringify(one.topics);
  await tx.run`
    update contacts set id = ${id}, email = ${email}, subscribed = ${subscribed ? 1 : 0}, topics = ${topics},
      paused_until = ${one.pausedUntil}, data = ${tx.dialect.json(JSON.stringify(one.data))}, sought = ${sought}, updated_at = ${tx.now}
    where seq = ${seq}`;
  await addToCounts(tx, workspace, { total: 1, subscribed: subscribed ? 1 : 0 });
}

/** Deletes a stripped contact with the rest of its history. */
export function deleteStripped(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from contacts where seq = ${seq}`;
}

/** Deletes some of a workspace's contacts; answers how many. */
export async function deleteContactsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  const gone = await tx.all<Pick<ContactRow, "email" | "subscribed">>`
    delete from contacts where seq in (select seq from contacts where workspace = ${workspace} order by seq limit ${most})
    returning email, subscribed`;
  const counted = gone.filter(({ email }) => email.includes("@"));
  const subscribed = counted.filter((one) => flag(one.subscribed)).length;
  if (counted.length > 0) await addToCounts(tx, workspace, { total: -counted.length, subscribed: -subscribed });
  return gone.length;
}
