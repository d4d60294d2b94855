// The contacts that an export or a bulk job covers, and the SQL that reads them in bounded pieces.
import { inPieces, joined, sqlList, steadyList, sql, type Sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { CONTACT, contactOf, PRESENT, type Contact, type ContactRow } from "../queries.ts";
import { having, indexedAmong } from "./search-queries.ts";
import { soughtWords } from "./sought.ts";
import type { TopicFilter } from "../../topics/choice.ts";

/** The mail that a contact may get; each contact has exactly one standing. */
export type SubscriptionStatus = "SUBSCRIBED" | "UNSUBSCRIBED" | "PENDING" | "SUPPRESSED";

/** Standings other than SUBSCRIBED each have a partial index. */
export const STANDINGS: Readonly<Record<SubscriptionStatus, Sql>> = {
  SUBSCRIBED: sql`subscribed = 1 and suppressed is null`,
  UNSUBSCRIBED: sql`subscribed = 0 and status = 'ACTIVE' and suppressed is null`,
  PENDING: sql`status = 'PENDING' and suppressed is null`,
  SUPPRESSED: sql`suppressed is not null`,
};

export type Selection = {
  /** As in lists of contacts. */
  readonly search?: string | null;
  readonly subscribed?: boolean | null;
  readonly status?: SubscriptionStatus | null;
  /** Created at or after this moment. */
  readonly since?: string | null;
  readonly segmentId?: string | null;
  /** The public id of an import. */
  readonly importId?: string | null;
  /** Null = both added and found contacts. */
  readonly imported?: ImportEffect | null;
  /** The key of a topic, given with `choice`. */
  readonly topic?: string | null;
  readonly choice?: TopicFilter["choice"] | null;
  /** Only contacts with these public ids. */
  readonly ids?: readonly string[];
};

/** `inSegment`: a further condition on contacts `c`. */
export type SelectionQuery = {
  readonly filter: Selection;
  readonly inSegment: Sql | null;
  readonly saying: TopicFilter | null;
};

/** The effect of an import on a contact; conditions are on its rows `i`. */
export type ImportEffect = "ADDED" | "FOUND";
export const IMPORTED: Readonly<Record<ImportEffect, Sql>> = {
  ADDED: sql` and i.former is null`,
  FOUND: sql` and i.former is not null`,
};

function byImport(importId: string, imported: ImportEffect | null): Sql {
  return sql`exists (
    select 1 from contact_jobs j join import_changes i on i.job = j.seq
    where j.id = ${importId} and j.workspace = c.workspace and i.contact = c.seq${imported === null ? sql`` : IMPORTED[imported]})`;
}

/** True for contacts with this choice about the topic. */
export function saysSo({ dialect }: Reader, { topic, choice }: TopicFilter): Sql {
  return sql`coalesce(${dialect.jsonAt(sql`topics`, [topic]).text}, 'unsaid') = ${choice}`;
}

function matching(reader: Reader, { filter, inSegment, saying }: SelectionQuery): Sql {
  const { search, subscribed, status, since, importId, imported = null, ids } = filter;
  const words = soughtWords(search ?? "");
  const indexed = indexedAmong(reader, words);
  const conditions = [
    PRESENT,
    ...(words.length > 0 ? [having(words)] : []),
    ...(indexed.length > 0 ? [reader.dialect.contactsWith(indexed).isFound] : []),
    ...(typeof subscribed === "boolean" ? [sql`c.subscribed = ${subscribed ? 1 : 0}`] : []),
    ...(status ? [STANDINGS[status]] : []),
    ...(saying ? [saysSo(reader, saying)] : []),
    ...(since ? [sql`c.created_at >= ${since}`] : []),
    // An `imported` without an import matches no contact.
    ...(importId || imported ? [byImport(importId ?? "", imported)] : []),
    ...(ids ? [sql`c.id in (${steadyList(ids)})`] : []),
    ...(inSegment ? [inSegment] : []),
  ];
  return joined(conditions, " and ");
}

/** Reads all contacts of the workspace. */
export async function countMatching(reader: Reader, workspace: number, selected: SelectionQuery): Promise<number> {
  const row = await reader.get<{ count: number }>`
    select count(*) as count from contacts c where c.workspace = ${workspace} and ${matching(reader, selected)}`;
  return row?.count ?? 0;
}

/** Counts the contacts among `ids` that match. */
export async function countMatchingOf(
  reader: Reader,
  workspace: number,
  selected: SelectionQuery,
  ids: readonly string[],
): Promise<number> {
  let count = 0;
  for (const piece of inPieces(ids)) {
    const row = await reader.get<{ count: number }>`
      select count(*) as count from contacts c where c.workspace = ${workspace} and c.id in (${sqlList(piece)}) and ${matching(reader, selected)}`;
    count += row?.count ?? 0;
  }
  return count;
}

/** The seq of the newest contact; 0 = none. */
export async function lastContact(reader: Reader, workspace: number): Promise<number> {
  const row = await reader.get<{ seq: number }>`
    select seq from contacts where workspace = ${workspace} order by seq desc limit 1`;
  return row?.seq ?? 0;
}

/** Contacts whose seq is above `after`, up to and including `upTo`. */
export type Range = { readonly after: number; readonly upTo: number };

/** The seq of the `nth` contact in the range; null if there are fewer. */
export async function nthContact(
  reader: Reader,
  workspace: number,
  { after, upTo }: Range,
  nth: number,
): Promise<number | null> {
  const row = await reader.get<{ seq: number }>`
    select seq from contacts where workspace = ${workspace} and seq > ${after} and seq <= ${upTo}
    order by seq limit 1 offset ${nth - 1}`;
  return row?.seq ?? null;
}

export type SelectionRow = Pick<Contact, "seq" | "id" | "email" | "status"> & {
  /** Its topic choices as JSON text; null = none. */
  readonly topics: string | null;
};

/** Locks the first selected contacts. */
export function lockMatching(
  tx: Tx,
  workspace: number,
  range: Range & SelectionQuery,
  limit: number,
): Promise<SelectionRow[]> {
  return tx.all<SelectionRow>`
    select c.seq, c.id, c.email, c.status, c.topics from contacts c
    where c.workspace = ${workspace} and c.seq > ${range.after} and c.seq <= ${range.upTo} and ${matching(tx, range)}
    order by c.seq limit ${limit}${tx.dialect.forUpdate}`;
}

/** Locks the contacts that exist. */
export function lockContactsById(tx: Tx, workspace: number, ids: readonly string[]): Promise<SelectionRow[]> {
  return tx.all<SelectionRow>`
    select c.seq, c.id, c.email, c.status, c.topics from contacts c
    where c.workspace = ${workspace} and c.id in (${steadyList(ids)})${tx.dialect.forUpdateInOrder}`;
}

/** The first selected contacts, oldest first. */
export async function contactsInOrder(
  reader: Reader,
  workspace: number,
  range: Range & SelectionQuery,
  limit: number,
): Promise<Contact[]> {
  const rows = await reader.all<ContactRow>`
    select ${CONTACT}
    from contacts c
    where c.workspace = ${workspace} and c.seq > ${range.after} and c.seq <= ${range.upTo} and ${matching(reader, range)}
    order by c.seq limit ${limit}`;
  return rows.map(contactOf);
}
