// The SQL of contacts. Every statement that creates or removes contacts, or changes their flag, also keeps their counts
// (count-queries.ts).
import type { Language } from "../languages/language.ts";
import { flag, json } from "../store/columns.ts";
import { changing, insertion } from "../store/row-statement.ts";
import { list, sql, steadyList } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { Variables } from "./data.ts";
import { addToCounts } from "./count-queries.ts";

/** A contact that is being erased has lost its address (`stripContact`); lists leave it out. */
export const PRESENT = sql`instr(email, '@') > 0`;

/** The same over contacts `c`, for statements with another email column. */
export const C_PRESENT = sql`instr(c.email, '@') > 0`;

/** Why no marketing mail may go to an address. */
export type Reason = "bounce" | "complaint";

export type Contact = {
  readonly seq: number;
  readonly id: string;
  readonly email: string;
  readonly subscribed: boolean;
  readonly status: "ACTIVE" | "PENDING";
  readonly suppressed: Reason | null;
  readonly data: Variables;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

type Stored = { readonly subscribed: 0 | 1; /** JSON text. */ readonly data: string };

export type ContactRow = Omit<Contact, keyof Stored> & Stored;

/** The columns of a contact, for statements over `contacts` whose other tables have no column of these names. */
export const CONTACT = sql`seq, id, email, subscribed, status, suppressed, "json"(data) as data, expires_at as "expiresAt",
  created_at as "createdAt", updated_at as "updatedAt"`;

export function contactOf<Row extends Stored>(row: Row): Omit<Row, keyof Stored> & Pick<Contact, keyof Stored> {
  return { ...row, subscribed: flag(row.subscribed), data: json(row.data) };
}

async function one(row: Promise<ContactRow | null>): Promise<Contact | null> {
  const found = await row;
  return found && contactOf(found);
}

/** What a transaction then adds to the contact's history finds it still there. */
export function contactByEmail(reader: Reader, workspace: number, email: string): Promise<Contact | null> {
  return one(reader.get`
    select ${CONTACT} from contacts where workspace = ${workspace} and email = ${email}${reader.dialect.forReference}`);
}

/** Nobody else can change the contact, or refer to it, until this transaction ends. */
export function lockContact(tx: Tx, seq: number): Promise<Contact | null> {
  return one(tx.get`select ${CONTACT} from contacts where seq = ${seq}${tx.dialect.forUpdate}`);
}

/** As `lockContact`, to change data and flags only: others may still refer to the contact. */
export function lockContactToChange(tx: Tx, seq: number): Promise<Contact | null> {
  return one(tx.get`select ${CONTACT} from contacts where seq = ${seq}${tx.dialect.forChange}`);
}

export function contactById(reader: Reader, workspace: number, id: string): Promise<Contact | null> {
  return one(reader.get`select ${CONTACT} from contacts where workspace = ${workspace} and id = ${id}`);
}

export type ContactOfSomeWorkspace = Contact & {
  readonly workspace: number;
  readonly workspaceName: string;
  readonly workspaceLanguage: Language;
};

/** For signed links, which name only the contact. */
export async function contactAnywhere(reader: Reader, id: string): Promise<ContactOfSomeWorkspace | null> {
  const row = await reader.get<Omit<ContactOfSomeWorkspace, keyof Stored> & Stored>`
    select c.*, w.name as "workspaceName", w.language as "workspaceLanguage"
    from (select ${CONTACT}, workspace from contacts where id = ${id}) as c join workspaces w on w.seq = c.workspace`;
  return row && contactOf(row);
}

/** As `contactByEmail`, of several addresses; in no order, since to keep one PostgreSQL would walk along the whole index. */
export async function holdContactsByEmail(tx: Tx, workspace: number, emails: readonly string[]): Promise<Contact[]> {
  if (emails.length === 0) return [];
  const rows = await tx.all<ContactRow>`
    select ${CONTACT} from contacts
    where workspace = ${workspace} and ${tx.dialect.isOneOf(sql`email`, emails)}${tx.dialect.forReference}`;
  return rows.map(contactOf);
}

/** As `lockContactToChange`, of several, in the order of their numbers. */
export async function lockContactsToChange(tx: Tx, seqs: readonly number[]): Promise<Contact[]> {
  const rows = await tx.all<ContactRow>`
    select ${CONTACT} from contacts where ${tx.dialect.isAmong(sql`seq`, seqs)} order by seq${tx.dialect.forChange}`;
  return rows.map(contactOf);
}

/** Locks the contacts that have one of these addresses. */
export async function lockContactsByEmail(tx: Tx, workspace: number, emails: readonly string[]): Promise<Contact[]> {
  const rows = await tx.all<ContactRow>`
    select ${CONTACT}
    from contacts where workspace = ${workspace} and email in (${steadyList(emails)})${tx.dialect.forUpdateInOrder}`;
  return rows.map(contactOf);
}

export type NewContact = Omit<Contact, "seq" | "expiresAt" | "createdAt" | "updatedAt">;

/** Leaves out those whose address somebody else has taken at the same moment. */
const CONTACTS = insertion(
  "contacts",
  {
    ...{ id: "text", workspace: "bigint", email: "text", subscribed: "smallint", status: "text", suppressed: "text" },
    ...{ data: "json", created_at: "text", updated_at: "text" },
  },
  "on conflict (workspace, email) do nothing returning seq, email",
);

/** Answers null if somebody else created the contact at the same moment. */
export async function insertContact(tx: Tx, workspace: number, contact: NewContact): Promise<Contact | null> {
  const [made] = await insertContacts(tx, workspace, [contact]);
  return made ?? null;
}

/** Answers the contacts that were created. */
export async function insertContacts(tx: Tx, workspace: number, contacts: readonly NewContact[]): Promise<Contact[]> {
  const rows = contacts.map(({ id, email, subscribed, status, suppressed, data }) => [
    ...[id, workspace, email, subscribed ? 1 : 0, status, suppressed, JSON.stringify(data), tx.now, tx.now],
  ]);
  const made = await tx.runEach<Pick<Contact, "seq" | "email">>(CONTACTS, rows);
  const seqs = new Map(made.map(({ email, seq }) => [email, seq]));
  const created = contacts.flatMap((contact) => {
    const seq = seqs.get(contact.email);
    return seq === undefined ? [] : { ...contact, seq, expiresAt: null, createdAt: tx.now, updatedAt: tx.now };
  });
  const subscribed = created.filter((contact) => contact.subscribed).length;
  if (created.length > 0) tx.deferred(addToCounts(tx, workspace, { total: created.length, subscribed }));
  return created;
}

function subscribedAmong(rows: readonly Pick<ContactRow, "subscribed">[]): number {
  return rows.filter(({ subscribed }) => flag(subscribed)).length;
}

const DATA = changing("contacts", { seq: "bigint", data: "json", now: "text" }, ({ seq, data, now }) => ({
  set: `data = ${data}, updated_at = ${now}`,
  where: `contacts.seq = ${seq}`,
  returning: "contacts.seq",
}));

export async function setEachData(tx: Tx, contacts: readonly Pick<Contact, "seq" | "data">[]): Promise<void> {
  await tx.runEach(
    DATA,
    contacts.map(({ seq, data }) => [seq, JSON.stringify(data), tx.now]),
  );
}

export function setEmail(tx: Tx, seq: number, email: string): Promise<number> {
  return tx.run`update contacts set email = ${email}, updated_at = ${tx.now} where seq = ${seq}`;
}

/**
 * Guarded: answers those of a workspace's contacts whose flag was not set so already, and may be set. Subscribing again lifts a suppression.
 */
export async function setEachSubscribed(
  tx: Tx,
  workspace: number,
  seqs: readonly number[],
  subscribed: boolean,
): Promise<number[]> {
  if (seqs.length === 0) return [];
  const those = tx.dialect.isAmong(sql`seq`, seqs);
  const changed = await (subscribed
    ? tx.all<{ seq: number }>`
        update contacts set subscribed = 1, suppressed = null, updated_at = ${tx.now}
        where ${those} and subscribed = 0 and status = 'ACTIVE' and ${PRESENT} returning seq`
    : tx.all<{ seq: number }>`
        update contacts set subscribed = 0, updated_at = ${tx.now} where ${those} and subscribed = 1 returning seq`);
  const by = subscribed ? changed.length : -changed.length;
  if (by !== 0) await addToCounts(tx, workspace, { total: 0, subscribed: by });
  return seqs.filter((seq) => changed.some((one) => one.seq === seq));
}

/** Guarded: a complaint stays one, whatever bounces later. */
export function setSuppressed(tx: Tx, seq: number, reason: Reason): Promise<number> {
  return tx.run`
    update contacts set suppressed = ${reason}, updated_at = ${tx.now}
    where seq = ${seq} and coalesce(suppressed, '') not in (${reason}, 'complaint')`;
}

export function clearSuppressed(tx: Tx, seq: number): Promise<number> {
  return tx.run`update contacts set suppressed = null, updated_at = ${tx.now} where seq = ${seq}`;
}

/** Guarded: answers null if the contact is not PENDING, or its term ends after `unlessAfter`. */
export function setTerm(
  tx: Tx,
  seq: number,
  { expiresAt, unlessAfter }: { readonly expiresAt: string; readonly unlessAfter: string },
): Promise<Contact | null> {
  return one(tx.get`
    update contacts set expires_at = ${expiresAt}, updated_at = ${tx.now}
    where seq = ${seq} and status = 'PENDING' and (expires_at is null or expires_at <= ${unlessAfter})
    returning ${CONTACT}`);
}

/** Guarded: answers 0 if the contact was ACTIVE already, has expired, or has another address by now. */
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

/** Removes everything personal from a contact: it no longer counts, and only its seq finds it. `id`: one nobody has seen. */
export async function stripContact(tx: Tx, workspace: number, contact: Contact, id: string): Promise<void> {
  await tx.run`
    update contacts set id = ${id}, email = ${String(contact.seq)}, subscribed = 0, status = 'ACTIVE', suppressed = null,
      data = ${tx.dialect.json("{}")}, expires_at = null, updated_at = ${tx.now}
    where seq = ${contact.seq}`;
  await addToCounts(tx, workspace, { total: -1, subscribed: contact.subscribed ? -1 : 0 });
}

/** A contact that has been stripped, with what is left of its history. */
export function deleteStripped(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from contacts where seq = ${seq}`;
}

/** Some of a workspace's contacts; answers how many. */
export async function deleteContactsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  const gone = await tx.all<Pick<ContactRow, "email" | "subscribed">>`
    delete from contacts where seq in (select seq from contacts where workspace = ${workspace} order by seq limit ${most})
    returning email, subscribed`;
  const counted = gone.filter(({ email }) => email.includes("@"));
  if (counted.length > 0)
    await addToCounts(tx, workspace, { total: -counted.length, subscribed: -subscribedAmong(counted) });
  return gone.length;
}
