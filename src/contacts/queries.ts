// The SQL of contacts. Every statement that creates or removes contacts, or changes their flag, also keeps their counts
// (count-queries.ts).
import type { Language } from "../languages/language.ts";
import { flag, json } from "../store/columns.ts";
import { loader } from "../store/loads.ts";
import { changing, insertion } from "../store/row-statement.ts";
import { list, sql, steadyList, type Sql } from "../store/sql.ts";
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

export type Place = { readonly workspace: number; readonly email: string };

/** As `contactByEmail`, with all who are looked for at the same time. */
export const contactAt = loader<Place, Contact | null>({
  stage: "find",
  name: nameOf,
  ask: async (tx, places) => {
    const workspaces = [...Map.groupBy(places, ({ workspace }) => workspace)];
    const found = await Promise.all(workspaces.map(([workspace, theirs]) => contactsAt(tx, workspace, theirs)));
    const byName = new Map(found.flat());
    return places.map((place) => byName.get(nameOf(place)) ?? null);
  },
});

/** In no order, since to keep one PostgreSQL would walk along the whole index. */
async function contactsAt(tx: Tx, workspace: number, places: readonly Place[]): Promise<[string, Contact][]> {
  const emails = places.map(({ email }) => email);
  const rows = await tx.all<ContactRow>`
    select ${CONTACT} from contacts
    where workspace = ${workspace} and ${tx.dialect.isOneOf(sql`email`, emails)}${tx.dialect.forReference}`;
  return rows.map((row) => [nameOf({ workspace, email: row.email }), contactOf(row)]);
}

/** As `lockContact`, to change data and flags only: others may still refer to it. Several go in order of seq. */
export const lockContactToChange = loader<number, Contact | null>({
  stage: "lock",
  name: String,
  ask: async (tx, seqs) => {
    const rows = await tx.all<ContactRow>`
      select ${CONTACT} from contacts where ${tx.dialect.isAmong(sql`seq`, seqs)} order by seq${tx.dialect.forChange}`;
    const locked = new Map(rows.map((row) => [row.seq, contactOf(row)]));
    return seqs.map((seq) => locked.get(seq) ?? null);
  },
});

/** Locks the contacts that have one of these addresses. */
export async function lockContactsByEmail(tx: Tx, workspace: number, emails: readonly string[]): Promise<Contact[]> {
  const rows = await tx.all<ContactRow>`
    select ${CONTACT}
    from contacts where workspace = ${workspace} and email in (${steadyList(emails)})${tx.dialect.forUpdateInOrder}`;
  return rows.map(contactOf);
}

export type NewContact = Omit<Contact, "seq" | "expiresAt" | "createdAt" | "updatedAt"> & Place;

/** Leaves out those whose address somebody else has taken at the same moment. */
const CONTACTS = insertion(
  "contacts",
  {
    id: "text",
    workspace: "bigint",
    email: "text",
    subscribed: "smallint",
    status: "text",
    suppressed: "text",
    data: "json",
    created_at: "text",
    updated_at: "text",
  },
  "on conflict (workspace, email) do nothing returning seq, workspace, email",
);

export function nameOf({ workspace, email }: Place): string {
  return `${workspace} ${email}`;
}

/** Answers null if another transaction has created the contact at the same moment. */
export const insertContact = loader<NewContact, Contact | null>({
  stage: "change",
  name: nameOf,
  ask: async (tx, contacts) => {
    const rows = contacts.map(({ id, workspace, email, subscribed, status, suppressed, data }) => [
      id,
      workspace,
      email,
      subscribed ? 1 : 0,
      status,
      suppressed,
      JSON.stringify(data),
      tx.now,
      tx.now,
    ]);
    const made = await tx.runEach<Place & Pick<Contact, "seq">>(CONTACTS, rows);
    const seqs = new Map(made.map(({ seq, ...place }) => [nameOf(place), seq]));
    for (const [workspace, theirs] of Map.groupBy(contacts, (contact) => contact.workspace)) {
      const created = theirs.filter((contact) => seqs.has(nameOf(contact)));
      const subscribed = created.filter((contact) => contact.subscribed).length;
      if (created.length > 0) tx.deferred(addToCounts(tx, workspace, { total: created.length, subscribed }));
    }
    return contacts.map(({ workspace, ...contact }) => {
      const seq = seqs.get(nameOf({ workspace, email: contact.email }));
      return seq === undefined ? null : { ...contact, seq, expiresAt: null, createdAt: tx.now, updatedAt: tx.now };
    });
  },
});

function subscribedAmong(rows: readonly Pick<ContactRow, "subscribed">[]): number {
  return rows.filter(({ subscribed }) => flag(subscribed)).length;
}

const DATA = changing("contacts", { seq: "bigint", data: "json", now: "text" }, ({ seq, data, now }) => ({
  set: `data = ${data}, updated_at = ${now}`,
  where: `contacts.seq = ${seq}`,
  returning: "contacts.seq",
}));

export const setData = loader<Pick<Contact, "seq" | "data">, void>({
  stage: "change",
  ask: async (tx, contacts) => {
    await tx.runEach(
      DATA,
      contacts.map(({ seq, data }) => [seq, JSON.stringify(data), tx.now]),
    );
    return [];
  },
});

export function setEmail(tx: Tx, seq: number, email: string): Promise<number> {
  return tx.run`update contacts set email = ${email}, updated_at = ${tx.now} where seq = ${seq}`;
}

type Flag = { readonly workspace: number; readonly seq: number; readonly subscribed: boolean };

/** Guarded: false = the flag was set so already, or may not be set. Subscribing again lifts a suppression. */
export const setSubscribed = loader<Flag, boolean>({
  stage: "change",
  ask: async (tx, flags) => {
    const { on = [], off = [] } = Object.groupBy(flags, ({ subscribed }) => (subscribed ? "on" : "off"));
    const changed = new Set([...(await switchOn(tx, on)), ...(await switchOff(tx, off))].map(({ seq }) => seq));
    for (const { seq, workspace, subscribed } of flags)
      if (changed.has(seq)) tx.deferred(addToCounts(tx, workspace, { total: 0, subscribed: subscribed ? 1 : -1 }));
    return flags.map(({ seq }) => changed.has(seq));
  },
});

type Switched = Promise<Pick<Flag, "seq">[]>;

async function switchOn(tx: Tx, those: readonly Flag[]): Switched {
  if (those.length === 0) return [];
  return tx.all`
    update contacts set subscribed = 1, suppressed = null, updated_at = ${tx.now}
    where ${among(tx, those)} and subscribed = 0 and status = 'ACTIVE' and ${PRESENT} returning seq`;
}

async function switchOff(tx: Tx, those: readonly Flag[]): Switched {
  if (those.length === 0) return [];
  return tx.all`
    update contacts set subscribed = 0, updated_at = ${tx.now} where ${among(tx, those)} and subscribed = 1 returning seq`;
}

function among(tx: Tx, those: readonly Flag[]): Sql {
  return tx.dialect.isAmong(
    sql`seq`,
    those.map(({ seq }) => seq),
  );
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
  await Promise.all(gone.map(({ workspace }) => addToCounts(tx, workspace, { total: -1, subscribed: 0 })));
}

/** Removes all that is personal from a contact: only its seq finds it. `id`: one nobody has seen. */
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
