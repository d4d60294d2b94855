// The SQL of contacts. Whatever makes one, removes one or turns its flag keeps the counts as well (count-queries.ts).
import type { Language } from "../languages/language.ts";
import { inPieces, joined, list, steadyList, sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import { addToCounts } from "./count-queries.ts";

/** A contact that is being erased has no address any more (`stripContact`); lists leave it out. */
export const PRESENT = sql`instr(email, '@') > 0`;
/** The same over contacts `c`, for statements in which there is another email. */
export const C_PRESENT = sql`instr(c.email, '@') > 0`;

export type ContactRow = {
  readonly seq: number;
  readonly id: string;
  readonly email: string;
  readonly subscribed: 0 | 1;
  readonly status: "ACTIVE" | "PENDING";
  readonly suppressed: "bounce" | "complaint" | null;
  /** JSON text. */
  readonly data: string;
  readonly expires_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

/** What every statement that answers contacts reads of one; over `contacts`, and whatever has no column of these names. */
export const CONTACT = sql`seq, id, email, subscribed, status, suppressed, json(data) as data, expires_at, created_at, updated_at`;

/** What a transaction then adds to the contact's history finds it still there. */
export function contactByEmail(reader: Reader, workspace: number, email: string): Promise<ContactRow | null> {
  return reader.get<ContactRow>`
    select ${CONTACT}
    from contacts where workspace = ${workspace} and email = ${email}${reader.dialect.forReference}`;
}

/** As it is now, and nobody else's to change or refer to until this transaction is over. */
export function lockContact(tx: Tx, seq: number): Promise<ContactRow | null> {
  return tx.get<ContactRow>`select ${CONTACT} from contacts where seq = ${seq}${tx.dialect.forUpdate}`;
}

/** As `lockContact`, but for its data and its flags alone: others may go on to refer to it. */
export function lockContactToChange(tx: Tx, seq: number): Promise<ContactRow | null> {
  return tx.get<ContactRow>`select ${CONTACT} from contacts where seq = ${seq}${tx.dialect.forChange}`;
}

export function contactById(reader: Reader, workspace: number, id: string): Promise<ContactRow | null> {
  return reader.get<ContactRow>`
    select ${CONTACT}
    from contacts where workspace = ${workspace} and id = ${id}`;
}

export type ContactOfSomeWorkspace = ContactRow & {
  readonly workspace: number;
  readonly workspace_name: string;
  readonly workspace_language: Language;
};

/** For signed links, which name the contact alone. */
export function contactAnywhere(reader: Reader, id: string): Promise<ContactOfSomeWorkspace | null> {
  return reader.get<ContactOfSomeWorkspace>`
    select c.*, w.name as workspace_name, w.language as workspace_language
    from (select ${CONTACT}, workspace from contacts where id = ${id}) as c join workspaces w on w.seq = c.workspace`;
}

export type NewContact = {
  readonly id: string;
  readonly workspace: number;
  readonly email: string;
  readonly subscribed: boolean;
  readonly status: ContactRow["status"];
  readonly suppressed: ContactRow["suppressed"];
  readonly data: string;
};

/** Answers null if somebody else made the contact at the same moment. */
export async function insertContact(tx: Tx, contact: NewContact): Promise<ContactRow | null> {
  const made = await tx.get<ContactRow>`
    insert into contacts (id, workspace, email, subscribed, status, suppressed, data, created_at, updated_at)
    values (${contact.id}, ${contact.workspace}, ${contact.email}, ${contact.subscribed ? 1 : 0}, ${contact.status},
      ${contact.suppressed}, jsonb(${contact.data}), ${tx.now}, ${tx.now})
    on conflict (workspace, email) do nothing
    returning ${CONTACT}`;
  if (made) await addToCounts(tx, contact.workspace, { total: 1, subscribed: made.subscribed });
  return made;
}

/** Those of these addresses that are there, as they are now, and nobody else's to change until this transaction is over. */
export function lockContactsByEmail(tx: Tx, workspace: number, emails: readonly string[]): Promise<ContactRow[]> {
  return tx.all<ContactRow>`
    select ${CONTACT}
    from contacts where workspace = ${workspace} and email in (${steadyList(emails)}) order by email${tx.dialect.forUpdate}`;
}

type Made = { readonly seq: number; readonly email: string; readonly subscribed: 0 | 1 };

/** Leaves out those whose address somebody else has taken at the same moment. */
export async function insertContacts(tx: Tx, workspace: number, contacts: readonly NewContact[]): Promise<Made[]> {
  const made: Made[] = [];
  for (const piece of inPieces(contacts)) {
    const rows = piece.map(
      ({ id, email, subscribed, status, suppressed, data }) =>
        sql`(${id}, ${workspace}, ${email}, ${subscribed ? 1 : 0}, ${status}, ${suppressed}, jsonb(${data}), ${tx.now}, ${tx.now})`,
    );
    const inserted = await tx.all<Made>`
      insert into contacts (id, workspace, email, subscribed, status, suppressed, data, created_at, updated_at)
      values ${joined(rows, ", ")}
      on conflict (workspace, email) do nothing
      returning seq, email, subscribed`;
    made.push(...inserted);
  }
  const subscribed = made.filter((contact) => contact.subscribed === 1).length;
  if (made.length > 0) await addToCounts(tx, workspace, { total: made.length, subscribed });
  return made;
}

export function setData(tx: Tx, seq: number, data: string): Promise<number> {
  return tx.run`update contacts set data = jsonb(${data}), updated_at = ${tx.now} where seq = ${seq}`;
}

export function setEmail(tx: Tx, seq: number, email: string): Promise<number> {
  return tx.run`update contacts set email = ${email}, updated_at = ${tx.now} where seq = ${seq}`;
}

/** Guarded: answers 0 if the flag stood so already, or may not be set yet. Subscribing again lifts a suppression. */
export async function setSubscribed(tx: Tx, seq: number, subscribed: boolean): Promise<number> {
  const turned = await (subscribed
    ? tx.get<{ workspace: number }>`
        update contacts set subscribed = 1, suppressed = null, updated_at = ${tx.now}
        where seq = ${seq} and subscribed = 0 and status = 'ACTIVE' and ${PRESENT} returning workspace`
    : tx.get<{ workspace: number }>`
        update contacts set subscribed = 0, updated_at = ${tx.now} where seq = ${seq} and subscribed = 1
        returning workspace`);
  if (turned) await addToCounts(tx, turned.workspace, { total: 0, subscribed: subscribed ? 1 : -1 });
  return turned ? 1 : 0;
}

/** Guarded: who has complained has done so, whatever bounces later. */
export function setSuppressed(tx: Tx, seq: number, reason: "bounce" | "complaint"): Promise<number> {
  return tx.run`
    update contacts set suppressed = ${reason}, updated_at = ${tx.now}
    where seq = ${seq} and coalesce(suppressed, '') not in (${reason}, 'complaint')`;
}

/** ISO texts. */
type Term = { readonly expiresAt: string; readonly unlessAfter: string };

/** Guarded: answers null if the contact waits for nothing, or has a term that ends after `unlessAfter`. */
export function setTerm(tx: Tx, seq: number, { expiresAt, unlessAfter }: Term): Promise<ContactRow | null> {
  return tx.get<ContactRow>`
    update contacts set expires_at = ${expiresAt}, updated_at = ${tx.now}
    where seq = ${seq} and status = 'PENDING' and (expires_at is null or expires_at <= ${unlessAfter})
    returning ${CONTACT}`;
}

/** Guarded: answers 0 if it was ACTIVE already, has expired, or has another address by now. */
export function activate(tx: Tx, seq: number, email: string): Promise<number> {
  return tx.run`
    update contacts set status = 'ACTIVE', expires_at = null, updated_at = ${tx.now}
    where seq = ${seq} and email = ${email} and status = 'PENDING' and expires_at > ${tx.now}`;
}

/** Sign-ups that have expired, with their mails and events. None of them is subscribed. */
export async function deleteExpired(tx: Tx, seqs: readonly number[]): Promise<void> {
  const gone = await tx.all<{ workspace: number }>`
    delete from contacts where status = 'PENDING' and seq in (${list(seqs)}) returning workspace`;
  const byWorkspace = Map.groupBy(gone, ({ workspace }) => workspace);
  // In one order, so that no two transactions wait for each other.
  for (const workspace of [...byWorkspace.keys()].sort((one, other) => one - other))
    await addToCounts(tx, workspace, { total: -(byWorkspace.get(workspace)?.length ?? 0), subscribed: 0 });
}

/**
 * Takes everything personal off a contact: it is not counted, and found by nobody but by its seq. `id`: one that nobody
 * has seen.
 */
export async function stripContact(tx: Tx, workspace: number, contact: ContactRow, id: string): Promise<void> {
  await tx.run`
    update contacts set id = ${id}, email = ${String(contact.seq)}, subscribed = 0, status = 'ACTIVE', suppressed = null,
      data = jsonb('{}'), expires_at = null, updated_at = ${tx.now}
    where seq = ${contact.seq}`;
  await addToCounts(tx, workspace, { total: -1, subscribed: -contact.subscribed });
}

/** One that has been stripped. What is left of its history goes with it. */
export function deleteStripped(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from contacts where seq = ${seq}`;
}

/** A part of a workspace's contacts; answers how many. */
export async function deleteContactsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  const gone = await tx.all<{ email: string; subscribed: 0 | 1 }>`
    delete from contacts where seq in (select seq from contacts where workspace = ${workspace} order by seq limit ${most})
    returning email, subscribed`;
  const counted = gone.filter(({ email }) => email.includes("@"));
  const subscribed = counted.filter((contact) => contact.subscribed === 1).length;
  if (counted.length > 0) await addToCounts(tx, workspace, { total: -counted.length, subscribed: -subscribed });
  return gone.length;
}
