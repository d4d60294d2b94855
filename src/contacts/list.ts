// A page of contacts (interface.md "GET /contacts", interface-gaps.md §3).
import { soughtInAddresses } from "../addresses.ts";
import { cursorOf, keyInCursor, type Key } from "../store/page.ts";
import type { Reader, Store } from "../store/store.ts";
import type { Caller } from "../workspaces/key-set.ts";
import { keptCount } from "./count-queries.ts";
import {
  BETWEEN,
  contactsFound,
  contactsNear,
  contactsPage,
  countFound,
  type ContactList,
  type ContactPage,
  type Direction,
  type Sort,
} from "./list-queries.ts";

export type ListWish = {
  readonly limit: number;
  /** Null = the first page. */
  readonly cursor: string | null;
  readonly subscribed: boolean | null;
  /** Part of an address, in any case; empty = every address. */
  readonly search: string;
  readonly sort: Sort;
  readonly dir: Direction;
};

type Listed = {
  /** As many of the interface's records as there are on the page, as JSON with commas between them. */
  readonly contacts: string;
  /** Of the next page; null on the last. */
  readonly cursor: string | null;
  /** How many there are on all pages; null but for the first. */
  readonly total: number | null;
};

/**
 * One page. Cursors name the row that the next page begins with, so that rows which are neither made, removed nor renamed
 * meanwhile come once each.
 * @throws AppError INVALID_PARAMETERS for a cursor of another list or order
 */
export async function listContacts(
  store: Store,
  { workspace, workspaceId }: Pick<Caller, "workspace" | "workspaceId">,
  wish: ListWish,
): Promise<Listed> {
  const { subscribed, sort, dir } = wish;
  const list = { workspace, workspaceId, subscribed, sort, dir, from: placeOf(wish) };
  const text = soughtInAddresses(wish.search);
  const { records, count, last } = await readPage(store, list, text, wish.limit + 1);
  const contacts = records ?? "";
  const hasMore = count > wish.limit;
  const total = wish.cursor !== null ? null : hasMore ? await totalOf(store, list, text) : count;
  if (!hasMore || last === null) return { contacts, cursor: null, total };
  return { contacts: contacts.slice(0, contacts.lastIndexOf(BETWEEN)), cursor: cursorOf(nameOf(wish), last), total };
}

function readPage(store: Store, list: ContactList, text: string, limit: number): Promise<ContactPage> {
  if (text === "") return store.read((reader) => contactsPage(reader, list, limit), { inTurn: true });
  const search = async (reader: Reader) => {
    const near = await contactsNear(reader, list, text, limit);
    return near.count === limit ? near : contactsFound(reader, list, text, limit);
  };
  return store.read(search, { longFor: list.workspace });
}

function totalOf(store: Store, list: ContactList, text: string): Promise<number> {
  if (text === "") return store.read((reader) => keptCount(reader, list.workspace, list.subscribed));
  return store.read((reader) => countFound(reader, list, text), { longFor: list.workspace });
}

function placeOf(wish: ListWish): Key | null {
  if (wish.cursor === null) return null;
  return wish.sort === "email"
    ? keyInCursor(nameOf(wish), "string", wish.cursor)
    : keyInCursor(nameOf(wish), "number", wish.cursor);
}

function nameOf({ sort, dir }: ListWish): string {
  return `contacts.${sort}.${dir}`;
}
