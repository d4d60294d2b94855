// The contacts that an export or a bulk job covers, and the SQL that goes through them in bounded pieces.
import { invalidField } from "../../base/errors.ts";
import type { CatchUp } from "../../tenant/events/dispatch.ts";
import { inPieces, joined, sqlList, steadyList, sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { CONTACT, contactOf, PRESENT, type Contact, type ContactRow } from "./queries.ts";
import { having, indexedAmong } from "./search-queries.ts";
import { soughtWords } from "./sought.ts";
import { sayingOf, type TopicFilter } from "../topics/choice.ts";
import { topicsOf } from "../topics/queries.ts";

/** What mail somebody may get; each contact has one of them. */
export type ContactStanding = "SUBSCRIBED" | "UNSUBSCRIBED" | "PENDING" | "SUPPRESSED";

/** Those that are not subscribed have a partial index each. */
export const STANDINGS: Readonly<Record<ContactStanding, Sql>> = {
  SUBSCRIBED: sql`subscribed = 1 and suppressed is null`,
  UNSUBSCRIBED: sql`subscribed = 0 and status = 'ACTIVE' and suppressed is null`,
  PENDING: sql`status = 'PENDING' and suppressed is null`,
  SUPPRESSED: sql`suppressed is not null`,
};

export type Selection = {
  /** As in lists of contacts. */
  readonly search?: string | null;
  readonly subscribed?: boolean | null;
  readonly status?: ContactStanding | null;
  /** Created then or later. */
  readonly since?: string | null;
  readonly segmentId?: string | null;
  /** The public id of an import. */
  readonly importId?: string | null;
  /** Null = whether it added them or found them. */
  readonly imported?: ImportEffect | null;
  /** The key of a topic, with `choice`. */
  readonly topic?: string | null;
  readonly choice?: TopicFilter["choice"] | null;
  /** Only those of these public ids. */
  readonly ids?: readonly string[];
};

/** What the segments above this room do for it. */
export type SegmentHooks = {
  /** The condition on the contacts `c` that are in a segment. @throws AppError SEGMENT_NOT_FOUND */
  readonly segmentCondition: (reader: Reader, workspace: number, segmentId: string) => Promise<Sql>;
  /** Called before a segment is asked for its members. */
  readonly catchUp: CatchUp;
};

/** `inSegment`: one more condition on the contacts `c`. */
export type SelectionQuery = {
  readonly filter: Selection;
  readonly inSegment: Sql | null;
  readonly saying: TopicFilter | null;
};

/** @throws AppError SEGMENT_NOT_FOUND; VALIDATION_ERROR for a topic that does not exist */
export async function selectedBy(
  reader: Reader,
  workspace: number,
  filter: Selection,
  { segmentCondition }: Pick<SegmentHooks, "segmentCondition">,
): Promise<SelectionQuery> {
  const { segmentId = null } = filter;
  const keys = filter.topic ? (await topicsOf(reader, workspace)).map(({ key }) => key) : [];
  const saying = sayingOf(filter, keys, (field, ...why) => invalidField(`filter.${field}`, ...why));
  return {
    filter,
    saying,
    inSegment: segmentId === null ? null : await segmentCondition(reader, workspace, segmentId),
  };
}

/** Whom an import added, and whom it found; of its rows `i`. */
export type ImportEffect = "ADDED" | "FOUND";
export const IMPORTED: Readonly<Record<ImportEffect, Sql>> = {
  ADDED: sql` and i.former is null`,
  FOUND: sql` and i.former is not null`,
};

function byImport(importId: string, imported: ImportEffect | null): Sql {
  return sql`exists (
    select 1 from contact_jobs j join imported i on i.job = j.seq
    where j.id = ${importId} and j.workspace = c.workspace and i.contact = c.seq${imported === null ? sql`` : IMPORTED[imported]})`;
}

/** Those who say so of a topic. */
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
    // What no import did was done to nobody.
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

/** How many of `ids` match. */
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
  /** What it says of topics: JSON text; null = nothing. */
  readonly topics: string | null;
};

/** Locks the first of those that are selected. */
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

/** Locks those that exist. */
export function lockContactsById(tx: Tx, workspace: number, ids: readonly string[]): Promise<SelectionRow[]> {
  return tx.all<SelectionRow>`
    select c.seq, c.id, c.email, c.status, c.topics from contacts c
    where c.workspace = ${workspace} and c.id in (${steadyList(ids)})${tx.dialect.forUpdateInOrder}`;
}

/** The first of those that are selected, oldest first. */
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
