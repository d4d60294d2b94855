// The SQL of lists of contacts. Each order and filter has its index, except for topic choices, and a search reads only
// one index.
import { joined, sql, steadyList, written, type Sql } from "../../../store/sql.ts";
import type { PageKey } from "../../../store/page.ts";
import type { Reader, SoughtContacts } from "../../../store/store.ts";
import { CONTACT, contactOf, PRESENT, type Contact, type ContactRow } from "../queries.ts";
import { having, indexedAmong, type SearchWords } from "../search/search-queries.ts";
import type { TopicFilter } from "../../topics/choice.ts";
import {
  IMPORTED,
  saysSo,
  STANDINGS,
  type ImportEffect,
  type SubscriptionStatus,
} from "../search/selection-queries.ts";

export type Sort = "createdAt" | "email";
export type Direction = "asc" | "desc";

/** The number of a segment with stored members, or a condition on contacts `c`. */
export type SegmentFilter = { readonly kept: number } | { readonly condition: Sql };

/** Contacts that an import added or found; null = both. */
export type ImportFilter = { readonly id: string; readonly imported: ImportEffect | null };

export type ContactList = {
  readonly workspace: number;
  readonly workspaceId: string;
  /** The keys of the workspace's topics. */
  readonly topics: readonly string[];
  /** Null = both values of the flag. */
  readonly subscribed: boolean | null;
  readonly status: SubscriptionStatus | null;
  readonly saying: TopicFilter | null;
  /** Created at or after this moment; none of these contacts has a seq below `first`. */
  readonly since: { readonly at: string; readonly first: number } | null;
  readonly inSegment: SegmentFilter | null;
  readonly byImport: ImportFilter | null;
  readonly sort: Sort;
  readonly dir: Direction;
  /** The seq or the address of the first row, by the list's order; null = from the beginning. */
  readonly from: PageKey | null;
};

/** A page as composed by the store. */
export type ContactPage = {
  /** The records as JSON, separated by `BETWEEN`; null = none. */
  readonly records: string | null;
  readonly count: number;
  /** The key of the last record; null = there are none. */
  readonly last: PageKey | null;
};

/** No record contains a line end: JSON escapes it. */
export const BETWEEN = ",\n";

/** Older contacts have lower seqs. */
const KEYS = { createdAt: sql`seq`, email: sql`email` };
const OF_MEMBERS = sql`m.contact`;

const DIRECTIONS = {
  asc: { order: sql`asc`, onward: sql`>=`, last: sql`max` },
  desc: { order: sql`desc`, onward: sql`<=`, last: sql`min` },
};

type ContactListScope = Pick<
  ContactList,
  "workspace" | "subscribed" | "status" | "saying" | "since" | "inSegment" | "byImport"
>;

function within(reader: Reader, whose: ContactListScope): Sql {
  return sql`${ofThose(reader, whose)} and ${PRESENT}`;
}

/** Leaves out contacts that are being erased, which have no address. */
function ofThose(reader: Reader, { workspace, subscribed, status, saying, since }: ContactListScope): Sql {
  const flag = subscribed === null ? sql`` : sql` and subscribed = ${subscribed ? 1 : 0}`;
  const standing = status === null ? sql`` : sql` and ${STANDINGS[status]}`;
  const said = saying === null ? sql`` : sql` and ${saysSo(reader, saying)}`;
  const young = since === null ? sql`` : sql` and seq >= ${since.first} and created_at >= ${since.at}`;
  return sql`workspace = ${workspace}${flag}${standing}${said}${young}`;
}

/** Covers all columns of a search. */
const IN_ORDER = "contacts_in_order";
const INDEXES: Readonly<Partial<Record<SubscriptionStatus, string>>> = {
  UNSUBSCRIBED: "contacts_unsubscribed",
  PENDING: "contacts_to_confirm",
  SUPPRESSED: "contacts_suppressed",
};

/** SQLite would choose the index of the flag, where contacts of other standings lie between. */
function along(reader: Reader, { status, sort }: ContactList): Sql {
  const index = status === null ? undefined : INDEXES[status];
  return index === undefined || sort === "email" ? sql`` : reader.dialect.along(index);
}

function onward({ dir, from }: ContactList, key: Sql): Sql {
  return from === null ? sql`` : sql` and ${key} ${DIRECTIONS[dir].onward} ${from}`;
}

/**
 * `contactRecord` (record.ts) as JSON text, built from a row of `contacts`. Fields that most contacts lack share one
 * constant text: each piece costs as much as a short text does.
 */
function contactJson(reader: Reader, { workspaceId, topics }: Pick<ContactList, "workspaceId" | "topics">): Sql {
  return sql`concat(
    '{"id":"', id, '","email":', json_quote(email), case subscribed when 1 then ',"subscribed":true,"data":' else ',"subscribed":false,"data":' end,
    "json"(data), ',"status":"', status,
    case when suppressed is null then '","suppressed":null,"topics":{' else concat('","suppressed":', json_quote(suppressed), ',"topics":{') end,
    ${choicesJson(reader, topics)},
    case when paused_until is null and expires_at is null then '},"pausedUntil":null,"expiresAt":null,"projectId":"'
      else concat('},"pausedUntil":', json_quote(paused_until), ',"expiresAt":', json_quote(expires_at), ',"projectId":"') end,
    cast(${workspaceId} as text), '","createdAt":"', created_at, '","updatedAt":"', updated_at, '"}')`;
}

/** A key has no character that JSON escapes. */
function choicesJson({ dialect }: Reader, keys: readonly string[]): Sql {
  const said = keys.map(
    (key) => sql`cast(${`"${key}":`} as text) || json_quote(${dialect.jsonAt(sql`topics`, [key]).text})`,
  );
  return said.length === 0 ? sql`''` : joined(said, " || ',' || ");
}

/**
 * The rows of `contacts` that the rest of a statement selects, ordered by the key. The store composes the JSON: over
 * HTTP, building pages of 100 from rows takes an eighth more processor time, for an eighth fewer pages a second.
 */
async function pageOf(reader: Reader, { sort, dir, ...list }: ContactList, rest: Sql): Promise<ContactPage> {
  const page = await reader.get<ContactPage>`
    select string_agg(record, ${BETWEEN}) as records, count(*) as count, ${DIRECTIONS[dir].last}(place) as last
    from (select ${KEYS[sort]} as place, ${contactJson(reader, list)} as record from contacts${rest}) as page`;
  return page ?? { records: null, count: 0, last: null };
}

export function contactsPage(reader: Reader, page: ContactList, limit: number): Promise<ContactPage> {
  const key = KEYS[page.sort];
  const { order } = DIRECTIONS[page.dir];
  const rest = sql`${along(reader, page)} where ${within(reader, page)}${onward(page, key)} order by ${key} ${order} limit ${written(limit)}`;
  return pageOf(reader, page, rest);
}

/** Enough to fill a page with a text that most contacts have. */
const NEAR = 2_000;

/** Contacts that contain all of `words`, among the first 2,000 of the list. */
export function contactsNear(
  reader: Reader,
  page: ContactList,
  words: SearchWords,
  limit: number,
): Promise<ContactPage> {
  const key = KEYS[page.sort];
  const { order } = DIRECTIONS[page.dir];
  const rest = sql` where seq in (
      select seq from (
        select seq, ${key} as place, sought from contacts${along(reader, page)} where ${ofThose(reader, page)}${onward(page, key)} order by ${key} ${order} limit ${NEAR}
      ) as near
      where ${having(words)} order by place ${order} limit ${limit})
    order by ${key} ${order}`;
  return pageOf(reader, page, rest);
}

/**
 * Contacts that contain all of `words`, by the search index: in the list's own order, a rare word would mean reading
 * all rows. Without a word, the members of a segment are read in the list's own order.
 */
export function contactsFound(
  reader: Reader,
  page: ContactList,
  words: SearchWords,
  limit: number,
): Promise<ContactPage> {
  const { from, seq } = searchScopeOf(reader, page, words);
  const key = page.sort === "email" ? KEYS.email : seq;
  const { order } = DIRECTIONS[page.dir];
  const rest = sql` where seq in (
      select ${seq} from ${from}${onward(page, key)} order by ${key} ${order} limit ${limit})
    order by ${KEYS[page.sort]} ${order}`;
  return pageOf(reader, page, rest);
}

type SearchScope = Pick<SoughtContacts, "from" | "seq">;

/** Conditions are on contacts `c`. */
function searchScopeOf(reader: Reader, page: ContactListScope, words: SearchWords): SearchScope {
  const { inSegment, byImport } = page;
  const rest = words.length === 0 ? within(reader, page) : sql`${having(words)} and ${ofThose(reader, page)}`;
  if (byImport !== null) return { from: foundInImport(page, byImport, rest), seq: OF_MEMBERS };
  // Reads from the members to the contacts: a segment may be small, and its workspace large.
  if (inSegment !== null && "kept" in inSegment)
    return {
      from: sql`segment_members m cross join contacts c where m.segment = ${inSegment.kept} and c.seq = m.contact and ${rest}`,
      seq: OF_MEMBERS,
    };
  const condition = inSegment === null ? sql`` : sql` and ${inSegment.condition}`;
  const indexed = indexedAmong(reader, words);
  if (words.length === 0) return { from: sql`contacts c where ${rest}${condition}`, seq: KEYS.createdAt };
  if (indexed.length === 0)
    return { from: sql`contacts c${reader.dialect.along(IN_ORDER)} where ${rest}${condition}`, seq: KEYS.createdAt };
  const { from, seq } = reader.dialect.contactsWith(indexed);
  return { from: sql`${from} and ${rest}${condition}`, seq };
}

/** Reads from the rows of the import to the contacts, which may also have to be in a segment. */
function foundInImport({ inSegment, ...page }: ContactListScope, { id, imported }: ImportFilter, rest: Sql): Sql {
  const job = sql`(select seq from contact_jobs where id = ${id} and workspace = ${page.workspace})`;
  const members =
    inSegment === null
      ? sql``
      : "condition" in inSegment
        ? sql` and ${inSegment.condition}`
        : sql` and exists (select 1 from segment_members s where s.segment = ${inSegment.kept} and s.contact = c.seq)`;
  return sql`(select contact from import_changes i where i.job = ${job}${imported === null ? sql`` : IMPORTED[imported]}) m cross join contacts c
    where c.seq = m.contact and ${rest}${members}`;
}

/** One more than `most` = there are more. Without a word, all contacts are counted. */
export async function countFound(reader: Reader, page: ContactList, words: SearchWords, most: number): Promise<number> {
  const isListed = words.length === 0 && page.inSegment === null && page.byImport === null;
  const limited = words.length === 0 ? sql`` : sql` limit ${most + 1}`;
  const from = isListed
    ? sql`contacts${along(reader, page)} where ${within(reader, page)}`
    : sql`(select 1 from ${searchScopeOf(reader, page, words).from}${limited}) as found`;
  const row = await reader.get<{ total: number }>`select count(*) as total from ${from}`;
  return row?.total ?? 0;
}

/** Counts subscribed contacts only. */
export async function countSuppressed(reader: Reader, workspace: number): Promise<number> {
  const row = await reader.get<{ total: number }>`
    select count(*) as total from contacts${reader.dialect.along("contacts_suppressed")}
    where workspace = ${workspace} and suppressed is not null and subscribed = 1`;
  return row?.total ?? 0;
}

/** The last contact of any workspace created before this moment, given as an id; 0 = none. */
export async function lastBefore(reader: Reader, id: string): Promise<number> {
  const row = await reader.get<{ seq: number }>`select seq from contacts where id < ${id} order by id desc limit 1`;
  return row?.seq ?? 0;
}

/** In no order. */
export async function contactsByEmail(
  reader: Reader,
  workspace: number,
  emails: readonly string[],
): Promise<Contact[]> {
  const rows = await reader.all<ContactRow>`
    select ${CONTACT} from contacts where workspace = ${workspace} and email in (${steadyList(emails)})`;
  return rows.map(contactOf);
}

/** In no order. */
export async function contactsBySeq(reader: Reader, seqs: readonly number[]): Promise<Contact[]> {
  const rows = await reader.all<ContactRow>`
    select ${CONTACT} from contacts where ${reader.dialect.isAmong(sql`seq`, seqs)}`;
  return rows.map(contactOf);
}
