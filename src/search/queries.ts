// The SQL of the search: contacts by the beginning of their addresses, mails of contacts, the names of everything else.
import { formerStarting } from "../contacts/former-queries.ts";
import { C_PRESENT } from "../contacts/queries.ts";
import { flag } from "../store/columns.ts";
import { literal, sql, steadyList } from "../store/sql.ts";
import type { Reader } from "../store/store.ts";

export type FoundContact = {
  readonly seq: number;
  readonly id: string;
  readonly email: string;
  readonly subscribed: boolean;
  /** That it was found by; null = its present address begins so. */
  readonly formerEmail: string | null;
};

type ContactRow = Omit<FoundContact, "subscribed" | "formerEmail"> & { readonly subscribed: 0 | 1 };

/** Some of those whose address begins so. */
export async function contactsStarting(
  reader: Reader,
  workspace: number,
  address: string,
  most: number,
): Promise<FoundContact[]> {
  const rows = await reader.all<ContactRow>`
    select c.seq, c.id, c.email, c.subscribed from contacts c
    where c.workspace = ${workspace} and ${reader.dialect.startsWith(sql`c.email`, address)} and ${C_PRESENT} limit ${most}`;
  return rows.map((row) => ({ ...row, subscribed: flag(row.subscribed), formerEmail: null }));
}

/** Some of those who had an address that begins so. */
export async function contactsFormerly(
  reader: Reader,
  workspace: number,
  address: string,
  most: number,
): Promise<FoundContact[]> {
  const formers = await formerStarting(reader, workspace, address, most);
  if (formers.length === 0) return [];
  const rows = await reader.all<ContactRow>`
    select seq, id, email, subscribed from contacts where seq in (${steadyList(formers.map(({ contact }) => contact))})`;
  const addresses = new Map(formers.map(({ contact, address: former }) => [contact, former]));
  return rows.map((row) => ({
    ...row,
    subscribed: flag(row.subscribed),
    formerEmail: addresses.get(row.seq) ?? null,
  }));
}

/** The newest. */
export async function mailsOfContact(reader: Reader, contact: number, most: number): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`
    select seq from emails where contact = ${contact} order by seq desc limit ${most}`;
  return rows.map(({ seq }) => seq);
}

/** `state`: what a kind has besides its name. */
export type Named = { readonly id: string; readonly name: string; readonly state: string | number | null };

const KINDS = {
  campaigns: "status as state from campaigns where deleted_at is null and",
  templates: "type as state from templates where",
  segments: "type as state from segments where",
  workflows: "enabled as state from workflows where deleted_at is null and",
  keys: "null as state from key_sets where revoked_at is null and name is not null and",
} as const;

/** The newest of a kind. */
export function namesOf(reader: Reader, kind: keyof typeof KINDS, workspace: number, most: number): Promise<Named[]> {
  const those = literal(KINDS[kind]);
  return reader.all<Named>`select id, name, ${those} workspace = ${workspace} order by seq desc limit ${most}`;
}

export function domainNames(reader: Reader, workspace: number, most: number): Promise<Named[]> {
  return reader.all<Named>`
    select id, domain as name, case when verified_at is null then 0 else 1 end as state from domains
    where workspace = ${workspace} and removed_at is null order by seq desc limit ${most}`;
}
