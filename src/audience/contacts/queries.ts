// The SQL that finds and locks contacts.
import type { Language } from "../../base/languages/language.ts";
import { flag, json } from "../../store/columns.ts";
import { loader } from "../../store/loads.ts";
import { sql, steadyList, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { NO_CHOICES } from "../topics/choice.ts";
import type { TopicChoices } from "../topics/queries.ts";
import type { SuppressionReason } from "../suppressions/queries.ts";
import type { WorkspaceAddress } from "../suppressions/standing.ts";
import type { Variables } from "./data.ts";

/** False for a contact that is being erased, which has lost its address (`hideContact`); lists leave it out. */
export const PRESENT = sql`instr(email, '@') > 0`;

/** The same for contacts `c`, for statements with another email column. */
export const C_PRESENT = sql`instr(c.email, '@') > 0`;

/** The reason for which returned mail stops further mail to an address. */
export type ReturnReason = "bounce" | "complaint";

export type Contact = {
  readonly seq: number;
  readonly id: string;
  readonly email: string;
  readonly subscribed: boolean;
  readonly status: "ACTIVE" | "PENDING";
  /** The reason for the suppression of its address; its domain may also be suppressed (src/audience/suppressions). */
  readonly suppressed: SuppressionReason | null;
  /** Its topic choices, by key. */
  readonly topics: TopicChoices;
  /** Marketing mail waits until then; a past time is no pause (pause.ts). */
  readonly pausedUntil: string | null;
  readonly data: Variables;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** JSON texts. */
type ContactTexts = { readonly data: string; /** Null = none. */ readonly topics: string | null };
type ContactColumns = ContactTexts & { readonly subscribed: 0 | 1 };

export type ContactRow = Omit<Contact, keyof ContactColumns> & ContactColumns;

/** The columns of a contact, for statements in which no other table has columns of these names. */
export const CONTACT = sql`seq, id, email, subscribed, status, suppressed, topics, paused_until as "pausedUntil", "json"(data) as data, expires_at as "expiresAt",
  created_at as "createdAt", updated_at as "updatedAt"`;

export function contactOf<Row extends ContactColumns>(
  row: Row,
): Omit<Row, keyof ContactColumns> & Pick<Contact, keyof ContactColumns> {
  return { ...row, subscribed: flag(row.subscribed), data: json(row.data), topics: choicesIn(row.topics) };
}

export function choicesIn(topics: string | null): TopicChoices {
  return topics === null ? NO_CHOICES : json(topics);
}

export async function contactIn(row: Promise<ContactRow | null>): Promise<Contact | null> {
  const found = await row;
  return found && contactOf(found);
}

/** The contact is locked against removal, so the transaction can add to its history. */
export function contactByEmail(reader: Reader, workspace: number, email: string): Promise<Contact | null> {
  return contactIn(reader.get`
    select ${CONTACT} from contacts where workspace = ${workspace} and email = ${email}${reader.dialect.forReference}`);
}

/** The last contact that had the address and now has another one. */
function formerlyAt(workspace: number, email: string): Sql {
  return sql`select f.contact from former_addresses f join contacts c on c.seq = f.contact
    where f.workspace = ${workspace} and f.address = ${email} and ${C_PRESENT} order by f.left_at desc limit 1`;
}

/** Like `contactByEmail`; for a former address, the last contact that had it. */
export function contactByAddress(reader: Reader, workspace: number, email: string): Promise<Contact | null> {
  return contactIn(reader.get`
    select ${CONTACT} from contacts
    where seq = coalesce((select p.seq from contacts p where p.workspace = ${workspace} and p.email = ${email}),
      (${formerlyAt(workspace, email)}))${reader.dialect.forReference}`);
}

/** Locks the contact against changes and references until this transaction ends. */
export function lockContact(tx: Tx, seq: number): Promise<Contact | null> {
  return contactIn(tx.get`select ${CONTACT} from contacts where seq = ${seq}${tx.dialect.forUpdate}`);
}

export function contactById(reader: Reader, workspace: number, id: string): Promise<Contact | null> {
  return contactIn(reader.get`select ${CONTACT} from contacts where workspace = ${workspace} and id = ${id}`);
}

export type ContactOfSomeWorkspace = Contact & {
  /** The contact has had another address. */
  readonly hasFormer: boolean;
  readonly workspace: number;
  readonly workspaceName: string;
  readonly workspaceLanguage: Language;
};

/** For signed links, which name only the contact: for a merged contact, the one that it was merged into. */
export async function contactAnywhere(reader: Reader, id: string): Promise<ContactOfSomeWorkspace | null> {
  const merged = sql`(select m.contact from merged_contacts m where m.id = ${id})`;
  const row = (await contactWhere(reader, sql`id = ${id}`)) ?? (await contactWhere(reader, sql`seq = ${merged}`));
  return row && { ...contactOf(row), hasFormer: flag(row.hasFormer) };
}

type SomeRow = Omit<ContactOfSomeWorkspace, keyof ContactColumns | "hasFormer"> &
  ContactColumns & { readonly hasFormer: 0 | 1 };

function contactWhere(reader: Reader, isIt: Sql) {
  return reader.get<SomeRow>`
    select c.*, case when exists (select 1 from former_addresses f where f.contact = c.seq) then 1 else 0 end as "hasFormer", w.name as "workspaceName", w.language as "workspaceLanguage"
    from (select ${CONTACT}, workspace from contacts where ${isIt}) as c join workspaces w on w.seq = c.workspace`;
}

export function addressKey({ workspace, email }: WorkspaceAddress): string {
  return `${workspace} ${email}`;
}

/** The last contact that had a former address. */
export function contactFormerlyAt(tx: Tx, { workspace, email }: WorkspaceAddress): Promise<Contact | null> {
  return contactIn(tx.get`
    select ${CONTACT} from contacts where seq = (${formerlyAt(workspace, email)})${tx.dialect.forReference}`);
}

/** As `contactByEmail`, by address. Unordered: to keep an order, PostgreSQL would scan the whole index. */
export async function contactsAt(
  tx: Tx,
  workspace: number,
  emails: readonly string[],
): Promise<ReadonlyMap<string, Contact>> {
  const rows = await tx.all<ContactRow>`
    select ${CONTACT} from contacts
    where workspace = ${workspace} and ${tx.dialect.isOneOf(sql`email`, emails)}${tx.dialect.forReference}`;
  return new Map(rows.map((row) => [row.email, contactOf(row)]));
}

/**
 * Like `lockContact`, for changes of data and flags only: other transactions may still refer to the contact. Several
 * contacts are locked in the order of their seqs.
 */
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

/** Locks the contacts that have or had one of these addresses. */
export async function lockContactsByEmail(tx: Tx, workspace: number, emails: readonly string[]): Promise<Contact[]> {
  const rows = await tx.all<ContactRow>`
    select ${CONTACT} from contacts where seq in (
      select p.seq from contacts p where p.workspace = ${workspace} and p.email in (${steadyList(emails)})
      union all
      select f.contact from former_addresses f join contacts c on c.seq = f.contact
      where f.workspace = ${workspace} and f.address in (${steadyList(emails)}) and ${C_PRESENT}
        and not exists (select 1 from contacts p where p.workspace = f.workspace and p.email = f.address)
    )${tx.dialect.forUpdateInOrder}`;
  return rows.map(contactOf);
}

/** By former address, the number of the last contact that had it. */
export async function formerAmong(
  reader: Reader,
  workspace: number,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.all<{ address: string; contact: number }>`
    select f.address, f.contact from former_addresses f join contacts c on c.seq = f.contact
    where f.workspace = ${workspace} and f.address in (${steadyList(addresses)}) and ${C_PRESENT} order by f.left_at`;
  return new Map(rows.map(({ address, contact }) => [address, contact]));
}
