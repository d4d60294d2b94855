// A page of contacts (interface.md "GET /contacts", interface-gaps.md §3).
import { cursorAfter, keyInCursor, type Key } from "../store/page.ts";
import type { Reader, Store } from "../store/store.ts";
import { keptCount } from "./count-queries.ts";
import {
  contactsFound,
  contactsNear,
  contactsPage,
  countFound,
  type ContactList,
  type Direction,
  type Sort,
} from "./list-queries.ts";
import type { ContactRow } from "./queries.ts";

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

type ContactPage = {
  readonly contacts: readonly ContactRow[];
  /** Of the next page; null on the last. */
  readonly cursor: string | null;
  /** How many there are on all pages; null but for the first. */
  readonly total: number | null;
};

/**
 * One page. Cursors name the row that a page ended with, so that rows which are neither made, removed nor renamed meanwhile
 * come once each.
 * @throws AppError INVALID_PARAMETERS for a cursor of another list or order
 */
export async function listContacts(store: Store, workspace: number, wish: ListWish): Promise<ContactPage> {
  const { subscribed, sort, dir } = wish;
  const list = { workspace, subscribed, sort, dir, after: placeOf(wish) };
  const text = wish.search.trim().toLowerCase();
  const rows = await rowsOf(store, list, text, wish.limit + 1);
  const contacts = rows.slice(0, wish.limit);
  const last = rows.length > wish.limit ? contacts.at(-1) : undefined;
  const isWhole = wish.cursor === null && !last;
  return {
    contacts,
    cursor: last ? cursorAfter(nameOf(wish), sort === "email" ? last.email : last.seq) : null,
    total: wish.cursor !== null ? null : isWhole ? contacts.length : await totalOf(store, list, text),
  };
}

function rowsOf(store: Store, list: ContactList, text: string, limit: number): Promise<ContactRow[]> {
  if (text === "") return store.read((reader) => contactsPage(reader, list, limit));
  const search = async (reader: Reader) => {
    const near = await contactsNear(reader, list, text, limit);
    return near.length === limit ? near : contactsFound(reader, list, text, limit);
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
