// The SQL of contacts: how they are found and locked.
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

/** A contact that is being erased has lost its address (`stripContact`); lists leave it out. */
export const PRESENT = sql`instr(email, '@') > 0`;

/** The same over contacts `c`, for statements with another email column. */
export const C_PRESENT = sql`instr(c.email, '@') > 0`;

/** Why mail says that its address gets no more. */
export type ReturnReason = "bounce" | "complaint";

export type Contact = {
  readonly seq: number;
  readonly id: string;
  readonly email: string;
  readonly subscribed: boolean;
  readonly status: "ACTIVE" | "PENDING";
  /** Why its address is suppressed; its domain may be, too (src/audience/suppressions). */
  readonly suppressed: SuppressionReason | null;
  /** What it says of topics, by key. */
  readonly topics: TopicChoices;
  /** Marketing mail waits until then; a time that has passed is no pause (pause.ts). */
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

/** The columns of a contact, for statements over `contacts` whose other tables have no column of these names. */
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

/** What a transaction then adds to the contact's history finds it still there. */
export function contactByEmail(reader: Reader, workspace: number, email: string): Promise<Contact | null> {
  return contactIn(reader.get`
    select ${CONTACT} from contacts where workspace = ${workspace} and email = ${email}${reader.dialect.forReference}`);
}

/** Of those that had an address and have another one now, the last. */
function formerlyAt(workspace: number, email: string): Sql {
  return sql`select f.contact from former_addresses f join contacts c on c.seq = f.contact
    where f.workspace = ${workspace} and f.address = ${email} and ${C_PRESENT} order by f.left_at desc limit 1`;
}

/** As `contactByEmail`; of a former address, who had it last. */
export function contactByAddress(reader: Reader, workspace: number, email: string): Promise<Contact | null> {
  return contactIn(reader.get`
    select ${CONTACT} from contacts
    where seq = coalesce((select p.seq from contacts p where p.workspace = ${workspace} and p.email = ${email}),
      (${formerlyAt(workspace, email)}))${reader.dialect.forReference}`);
}

/** Nobody else can change the contact, or refer to it, until this transaction ends. */
export function lockContact(tx: Tx, seq: number): Promise<Contact | null> {
  return contactIn(tx.get`select ${CONTACT} from contacts where seq = ${seq}${tx.dialect.forUpdate}`);
}

export function contactById(reader: Reader, workspace: number, id: string): Promise<Contact | null> {
  return contactIn(reader.get`select ${CONTACT} from contacts where workspace = ${workspace} and id = ${id}`);
}

export type ContactOfSomeWorkspace = Contact & {
  /** It had another address before. */
  readonly hasFormer: boolean;
  readonly workspace: number;
  readonly workspaceName: string;
  readonly workspaceLanguage: Language;
};

/** For signed links, which name only the contact: one that was merged is the one that it was merged into. */
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

/** As `contactByEmail`, with all who are looked for at the same time. */
export const contactAt = loader<WorkspaceAddress, Contact | null>({
  stage: "find",
  name: addressKey,
  ask: async (tx, places) => {
    const workspaces = [...Map.groupBy(places, ({ workspace }) => workspace)];
    const found = await Promise.all(workspaces.map(([workspace, theirs]) => contactsAt(tx, workspace, theirs)));
    const byName = new Map(found.flat());
    return places.map((place) => byName.get(addressKey(place)) ?? null);
  },
});

/** Who had a former address last. */
export const contactFormerlyAt = loader<WorkspaceAddress, Contact | null>({
  stage: "find",
  name: addressKey,
  ask: (tx, places) =>
    Promise.all(
      places.map(({ workspace, email }) =>
        contactIn(tx.get`
          select ${CONTACT} from contacts where seq = (${formerlyAt(workspace, email)})${tx.dialect.forReference}`),
      ),
    ),
});

/** In no order, since to keep one PostgreSQL would walk along the whole index. */
async function contactsAt(
  tx: Tx,
  workspace: number,
  places: readonly WorkspaceAddress[],
): Promise<[string, Contact][]> {
  const emails = places.map(({ email }) => email);
  const rows = await tx.all<ContactRow>`
    select ${CONTACT} from contacts
    where workspace = ${workspace} and ${tx.dialect.isOneOf(sql`email`, emails)}${tx.dialect.forReference}`;
  return rows.map((row) => [addressKey({ workspace, email: row.email }), contactOf(row)]);
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

/** Locks the contacts that have one of these addresses, or had one that is a former address now. */
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

/** By former address, the number of the contact that had it last. */
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
