// The SQL of verifying the ledger: from its newest row back to the first.
import { sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";
import type { LedgerHead } from "./chain-queries.ts";

export type Ledger = {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  /** The recorded end of the chain; null = no row is chained. */
  readonly tip: LedgerHead | null;
  /** The number of the last row; null = there are no rows. */
  readonly newest: number | null;
};

type LedgerHeadRow = Omit<Ledger, "tip"> & { readonly [Field in keyof LedgerHead]: LedgerHead[Field] | null };

/** The ledgers of all workspaces at one moment, or that of one, also while it comes in. */
export async function ledgers(reader: Reader, only: number | null = null): Promise<Ledger[]> {
  const rows = await reader.all<LedgerHeadRow>`
    select w.seq, w.id, w.name, t.number, t.hash, t.at, t.signature,
      (select max(c.number) from consents c where c.workspace = w.seq and c.number is not null) as newest
    from workspaces w left join consent_tips t on t.workspace = w.seq and t.number > 0
    where ${only === null ? sql`w.arriving_until is null` : sql`w.seq = ${only}`} order by w.seq`;
  return rows.map(({ number, hash, at, signature, ...ledger }) => ({
    ...ledger,
    tip: number && hash && at && signature ? { number, hash, at, signature } : null,
  }));
}

export type LedgerLink = {
  readonly seq: number;
  readonly number: number;
  readonly contact: number | null;
  readonly content: string | null;
  readonly salt: Uint8Array | null;
  readonly digest: Uint8Array | null;
  readonly hash: Uint8Array | null;
};

/** Downward from this number. */
export function linksFrom(reader: Reader, workspace: number, number: number, most: number): Promise<LedgerLink[]> {
  return reader.all<LedgerLink>`
    select seq, number, contact, content, salt, digest, hash from consents
    where workspace = ${workspace} and number <= ${number} order by number desc limit ${most}`;
}

export function headsFrom(reader: Reader, workspace: number, number: number, most: number): Promise<LedgerHead[]> {
  return reader.all<LedgerHead>`
    select number, hash, at, signature from consent_heads
    where workspace = ${workspace} and number <= ${number} order by number desc limit ${most}`;
}

/** The contents of unchained rows and of rows above this number. */
export async function contentsAbove(reader: Reader, workspace: number, number: number): Promise<string[]> {
  const rows = await reader.all<{ content: string | null }>`
    select content from consents where workspace = ${workspace} and number is null
    union all select content from consents where workspace = ${workspace} and number > ${number}`;
  return rows.flatMap(({ content }) => content ?? []);
}

/** Null = there is no such row. */
export async function hashAt(reader: Reader, workspaceId: string, number: number): Promise<Uint8Array | null> {
  const row = await reader.get<{ hash: Uint8Array }>`
    select c.hash from consents c join workspaces w on w.seq = c.workspace
    where w.id = ${workspaceId} and c.number = ${number}`;
  return row?.hash ?? null;
}

export type LedgerContentRow = {
  readonly seq: number;
  readonly number: number;
  readonly contact: number | null;
  readonly content: string;
};

/** These rows in their current state, each with its contact; without rows that have no content. */
export function standingWith(reader: Reader, seqs: readonly number[]): Promise<LedgerContentRow[]> {
  return reader.all<LedgerContentRow>`
    select seq, number, contact, content from consents
    where ${reader.dialect.isAmong(sql`seq`, seqs)} and content is not null`;
}

/** By number of contact, the contact's current and former addresses. */
export async function addressesOfEach(
  reader: Reader,
  contacts: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const rows = await reader.all<{ contact: number; address: string }>`
    select seq as contact, email as address from contacts where ${reader.dialect.isAmong(sql`seq`, contacts)}
    union all
    select contact, address from former_addresses where ${reader.dialect.isAmong(sql`contact`, contacts)}`;
  const byContact = Map.groupBy(rows, ({ contact }) => contact);
  return new Map([...byContact].map(([contact, theirs]) => [contact, new Set(theirs.map(({ address }) => address))]));
}

/** True if a contact without any row in the ledger gets marketing mail. */
export async function hasUnknown(reader: Reader, workspace: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as found from contacts c
    where c.workspace = ${workspace} and c.subscribed = 1 and instr(c.email, '@') > 0
      and not exists (select 1 from consents r where r.contact = c.seq) limit 1`;
  return row !== null;
}
