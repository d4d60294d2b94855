// Pages of contacts, and lookup of contacts by address.
import { parseAddress } from "../../../base/addresses.ts";
import { iso, MINUTE_MS } from "../../../base/clock.ts";
import { uuidAt } from "../../../base/ids.ts";
import { cursorOf, keyInCursor, type PageKey } from "../../../store/page.ts";
import type { Reader, Store } from "../../../store/store.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { formerAmong, type Contact } from "../queries.ts";
import { keptCount } from "../count-queries.ts";
import { soughtWords } from "../search/sought.ts";
import type { TopicFilter } from "../../topics/choice.ts";
import type { SubscriptionStatus } from "../search/selection-queries.ts";
import {
  BETWEEN,
  contactsByEmail,
  contactsBySeq,
  contactsFound,
  contactsNear,
  contactsPage,
  countFound,
  countSuppressed,
  lastBefore,
  type ImportFilter,
  type ContactList,
  type ContactPage,
  type Direction,
  type SegmentFilter,
  type Sort,
} from "./queries.ts";

export type ListInput = {
  readonly limit: number;
  /** Null = the first page. */
  readonly cursor: string | null;
  readonly subscribed: boolean | null;
  readonly status: SubscriptionStatus | null;
  readonly saying: TopicFilter | null;
  /** In milliseconds since 1970. */
  readonly sinceMs: number | null;
  readonly inSegment: SegmentFilter | null;
  readonly byImport: ImportFilter | null;
  /** Parts of the address, names and chosen fields (sought.ts); empty = all contacts. */
  readonly search: string;
  readonly sort: Sort;
  readonly dir: Direction;
};

/**
 * One page: `contacts` has its records as JSON, separated by commas; `cursor` is that of the next page; `total` counts
 * all pages and comes with the first; `isLeast`: a search finds more contacts than it counts. A cursor names the first
 * row of the next page, so each contact comes once, unless it is created, deleted or renamed between two pages.
 * @throws AppError INVALID_PARAMETERS for a cursor of another list or order
 */
export async function listContacts(
  store: Store,
  { workspace, workspaceId, topics }: Pick<Caller, "workspace" | "workspaceId" | "topics">,
  input: ListInput,
) {
  const { sort, dir, saying, inSegment, byImport } = input;
  const since = input.sinceMs === null ? null : await sinceMoment(store, input.sinceMs);
  const whose = { workspace, workspaceId, topics, ...flagOf(input), saying, since, inSegment, byImport };
  const list = { ...whose, sort, dir, from: keyOfPage(input) };
  const words = soughtWords(input.search);
  const { records, count, last } = await readPage(store, list, words, input.limit + 1);
  const contacts = records ?? "";
  const hasMore = count > input.limit;
  const found = input.cursor !== null ? null : hasMore ? await totalOf(store, list, words) : { total: count };
  const counted = { total: null, isLeast: false, ...found };
  if (!hasMore || last === null) return { contacts, cursor: null, ...counted };
  return {
    contacts: contacts.slice(0, contacts.lastIndexOf(BETWEEN)),
    cursor: cursorOf(cursorName(input), last),
    ...counted,
  };
}

/** Uses the index of the flag for subscribed contacts. */
function flagOf({ subscribed, status }: ListInput): Pick<ContactList, "subscribed" | "status"> {
  return { subscribed: status === "SUBSCRIBED" && subscribed !== false ? true : subscribed, status };
}

/** Contacts are numbered in the order of their creation, except for those created concurrently. */
const OVERLAP_MS = 10 * MINUTE_MS;

async function sinceMoment(store: Store, ms: number): Promise<NonNullable<ContactList["since"]>> {
  const first = await store.read((reader) => lastBefore(reader, uuidAt(Math.max(0, ms - OVERLAP_MS))));
  return { at: iso(ms), first };
}

/** The whole workspace, or the contacts with a flag, all in one index. */
function isWhole({ status, subscribed, saying, since, inSegment, byImport }: ContactList): boolean {
  const isFlag = status === null || (status === "SUBSCRIBED" && subscribed === true);
  return isFlag && saying === null && since === null && inSegment === null && byImport === null;
}

function readPage(store: Store, list: ContactList, words: readonly string[], limit: number): Promise<ContactPage> {
  if (words.length === 0 && isWhole(list))
    return store.read((reader) => contactsPage(reader, list, limit), { inTurn: true });
  const search = async (reader: Reader) => {
    if (list.inSegment !== null || list.byImport !== null) return contactsFound(reader, list, words, limit);
    if (words.length === 0) return contactsPage(reader, list, limit);
    const near = await contactsNear(reader, list, words, limit);
    return near.count === limit ? near : contactsFound(reader, list, words, limit);
  };
  return store.read(search, { longFor: list.workspace });
}

/** With more contacts than the first, a search counts at most the second: counting more keeps people waiting. */
const MAX_CONTACTS_COUNTED = 100_000;
export const MOST_COUNTED = 10_000;

async function totalOf(store: Store, list: ContactList, words: readonly string[]) {
  const kept = () =>
    store.read(async (reader) => {
      const count = await keptCount(reader, list.workspace, list.subscribed);
      return list.status === "SUBSCRIBED" ? count - (await countSuppressed(reader, list.workspace)) : count;
    });
  if (words.length === 0 && isWhole(list)) return { total: await kept() };
  const isLarge = words.length > 0 && (await kept()) > MAX_CONTACTS_COUNTED;
  const most = isLarge ? MOST_COUNTED : MAX_CONTACTS_COUNTED;
  const total = await store.read((reader) => countFound(reader, list, words, most), { longFor: list.workspace });
  return isLarge && total > most ? { total: most, isLeast: true } : { total };
}

function keyOfPage(input: ListInput): PageKey | null {
  if (input.cursor === null) return null;
  return input.sort === "email"
    ? keyInCursor(cursorName(input), "string", input.cursor)
    : keyInCursor(cursorName(input), "number", input.cursor);
}

function cursorName({ sort, dir }: ListInput): string {
  return `contacts.${sort}.${dir}`;
}

/** By address, its current contact, or else the last one that had it. */
export async function contactsByAddress(
  reader: Reader,
  workspace: number,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Contact>> {
  if (addresses.length === 0) return new Map();
  const present = await contactsByEmail(reader, workspace, addresses);
  const found = new Map(present.map((contact) => [contact.email, contact]));
  const free = addresses.filter((address) => !found.has(address));
  const former = free.length === 0 ? new Map<string, number>() : await formerAmong(reader, workspace, free);
  if (former.size === 0) return found;
  const others = await contactsBySeq(reader, [...new Set(former.values())]);
  const bySeq = new Map(others.map((contact) => [contact.seq, contact]));
  for (const [address, seq] of former) {
    const contact = bySeq.get(seq);
    if (contact) found.set(address, contact);
  }
  return found;
}

/**
 * In the order of `emails`, without duplicates; `notFound` and `former` keep the caller's spelling. Invalid addresses
 * are not found; a former address finds the last contact that had it.
 */
export async function lookUp(reader: Reader, workspace: number, emails: readonly string[]) {
  const asked = [...new Set(emails)].map((text) => ({ text, address: parseAddress(text) }));
  const addresses = [...new Set(asked.flatMap(({ address }) => address ?? []))];
  const byAddress = await contactsByAddress(reader, workspace, addresses);
  const bySeq = new Map(addresses.flatMap((address) => byAddress.get(address) ?? []).map((one) => [one.seq, one]));
  return {
    found: [...bySeq.values()],
    former: asked.flatMap(({ text, address }) => {
      const contact = byAddress.get(address ?? "");
      return contact && contact.email !== address ? [{ email: text, contactId: contact.id }] : [];
    }),
    notFound: asked.filter(({ address }) => address === null || !byAddress.has(address)).map(({ text }) => text),
  };
}
