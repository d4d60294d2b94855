// The SQL of the search: contacts by address and name, mails of contacts, the names of everything else.
import { formerStarting } from "../../audience/contacts/past/former-queries.ts";
import { C_PRESENT } from "../../audience/contacts/queries.ts";
import { having, indexedAmong, type SearchWords } from "../../audience/contacts/search/search-queries.ts";
import { personName } from "../../audience/contacts/search/sought.ts";
import { flag, json } from "../../store/columns.ts";
import { literal, sql, steadyList, type Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

export type FoundContact = {
  readonly seq: number;
  readonly id: string;
  readonly email: string;
  readonly subscribed: boolean;
  /** The name in the contact's data; null = none. */
  readonly name: string | null;
  /** The former address that matched; null = its present address does. */
  readonly formerEmail: string | null;
};

type SearchContactRow = Omit<FoundContact, "subscribed" | "name" | "formerEmail"> & {
  readonly subscribed: 0 | 1;
  /** JSON text. */
  readonly data: string;
};

/** Enough for words that most contacts have. */
const NEAR = 2_000;

/** Some contacts whose address begins with the text. */
export async function contactsStarting(
  reader: Reader,
  workspace: number,
  address: string,
  most: number,
): Promise<FoundContact[]> {
  const those = sql`contacts c where c.workspace = ${workspace} and ${reader.dialect.startsWith(sql`c.email`, address)}`;
  return contactsIn(reader, those, most);
}

/** Some contacts with all of these words, the newest first where they are many. */
export async function contactsWith(
  reader: Reader,
  workspace: number,
  words: SearchWords,
  most: number,
): Promise<FoundContact[]> {
  // The index on contacts_in_order has the search text: only those found are read from the table.
  const near = sql`(select seq, sought from contacts where workspace = ${workspace} order by seq desc limit ${NEAR}) as near where ${having(words)}`;
  const found = await contactsIn(
    reader,
    sql`(select seq from ${near}) as found join contacts c on c.seq = found.seq where 1 = 1`,
    most,
  );
  const indexed = indexedAmong(reader, words);
  if (found.length === most || indexed.length === 0) return found;
  const { from } = reader.dialect.contactsWith(indexed);
  return contactsIn(reader, sql`${from} and c.workspace = ${workspace} and ${having(words)}`, most);
}

/** Over contacts `c`. */
async function contactsIn(reader: Reader, from: Sql, most: number): Promise<FoundContact[]> {
  const rows = await reader.all<SearchContactRow>`
    select c.seq, c.id, c.email, c.subscribed, "json"(c.data) as data from ${from} and ${C_PRESENT} limit ${most}`;
  return rows.map((row) => contactOf(row, null));
}

function contactOf({ data, ...row }: SearchContactRow, formerEmail: string | null): FoundContact {
  return { ...row, subscribed: flag(row.subscribed), name: personName(json(data)), formerEmail };
}

/** Some contacts with a former address that begins with the text. */
export async function contactsFormerly(
  reader: Reader,
  workspace: number,
  address: string,
  most: number,
): Promise<FoundContact[]> {
  const formers = await formerStarting(reader, workspace, address, most);
  if (formers.length === 0) return [];
  const rows = await reader.all<SearchContactRow>`
    select seq, id, email, subscribed, "json"(data) as data from contacts where seq in (${steadyList(formers.map(({ contact }) => contact))})`;
  const addresses = new Map(formers.map(({ contact, address: former }) => [contact, former]));
  return rows.map((row) => contactOf(row, addresses.get(row.seq) ?? null));
}

/** The newest. */
export async function mailsOfContact(reader: Reader, contact: number, most: number): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`
    select seq from emails where contact = ${contact} order by seq desc limit ${most}`;
  return rows.map(({ seq }) => seq);
}

/** `state`: the further field that a kind has besides its name. */
export type SearchHit = { readonly id: string; readonly name: string; readonly state: string | number | null };

const KINDS = {
  campaigns: "status as state from campaigns where deleted_at is null and",
  templates: "type as state from templates where",
  segments: "type as state from segments where",
  forms: "enabled as state from forms where",
  workflows: "enabled as state from workflows where deleted_at is null and",
  keys: "null as state from key_sets where revoked_at is null and name is not null and",
} as const;

/** The newest of a kind. */
export function namesOf(
  reader: Reader,
  kind: keyof typeof KINDS,
  workspace: number,
  most: number,
): Promise<SearchHit[]> {
  const those = literal(KINDS[kind]);
  return reader.all<SearchHit>`select id, name, ${those} workspace = ${workspace} order by seq desc limit ${most}`;
}

export function domainNames(reader: Reader, workspace: number, most: number): Promise<SearchHit[]> {
  return reader.all<SearchHit>`
    select id, domain as name, case when verified_at is null then 0 else 1 end as state from domains
    where workspace = ${workspace} and removed_at is null order by seq desc limit ${most}`;
}
