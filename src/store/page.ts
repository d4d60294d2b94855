// Both kinds of pagination: `page` and `pageSize` in, rows and totals out; and cursors.
import { invalidParameter, type AppError } from "../base/errors.ts";
import type { ReadOptions } from "./store.ts";

export type PageInput = { readonly page: number; readonly pageSize: number };

export type Page<Item> = {
  readonly data: readonly Item[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  readonly totalPages: number;
};

/** The source of a page: the total, and the items of the page. */
export type PageSource<Item> = {
  readonly total: () => Promise<number>;
  readonly items: (limit: number, offset: number) => Promise<readonly Item[]>;
};

/** The page of a query that names none. */
export const FIRST_PAGE: PageInput = { page: 1, pageSize: 20 };

/** The page that a query asks for. */
export async function pageFrom<Item>(
  query: Partial<PageInput>,
  { total, items }: PageSource<Item>,
): Promise<Page<Item>> {
  const { page = FIRST_PAGE.page, pageSize = FIRST_PAGE.pageSize } = query;
  const count = await total();
  const data = await items(pageSize, (page - 1) * pageSize);
  return { data, total: count, page, pageSize, totalPages: Math.ceil(count / pageSize) };
}

/** Rows that can be skipped in less than a millisecond. */
const NEAR_ROWS = 1_000;

/** How to read a page of a list that has its index: in turn, or as a long read if it is far down. */
export function readingOf(workspace: number, offset: number): ReadOptions {
  return offset <= NEAR_ROWS ? { inTurn: true } : { longFor: workspace };
}

/** A single template or campaign may have four million. */
const MAX_PAGE_CHARS = 32_000_000;

/**
 * @throws AppError INVALID_PARAMETERS on `pageSize` if the records, of so many characters each, are too many for one
 * answer
 */
export function refuseLargePage(records: readonly { readonly chars: number }[]): void {
  const totalChars = records.reduce((sum, { chars }) => sum + chars, 0);
  if (totalChars > MAX_PAGE_CHARS)
    throw invalidParameter("pageSize", "These records are too large for one page: ask for fewer at a time.", "too_big");
}

/** The sort key of a list; unique in the list. */
export type PageKey = string | number;

/**
 * The opaque cursor of the row with this key. `list` names the list and its order, and knows whether a page begins with
 * the row or after it.
 */
export function cursorOf(list: string, key: PageKey): string {
  return Buffer.from(JSON.stringify([list, key])).toString("base64url");
}

/**
 * The key in a cursor of this list; `kind` is the type of the list's keys.
 * @throws AppError INVALID_PARAMETERS if the cursor is not one of ours, or of another list or order
 */
export function keyInCursor(list: string, kind: "string", cursor: string): string;
export function keyInCursor(list: string, kind: "number", cursor: string): number;
export function keyInCursor(list: string, kind: "string" | "number", cursor: string): PageKey {
  const [name, key] = cursorValues(cursor);
  if (name !== list || typeof key !== kind || !isKey(key)) throw notOfThisList();
  return key;
}

function cursorValues(cursor: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(content) && content.length === 2 ? content : [];
  } catch {
    return [];
  }
}

/** A value that a store can compare with: a cursor may be forged. */
function isKey(key: unknown): key is PageKey {
  if (typeof key === "number") return Number.isSafeInteger(key) && key >= 0;
  return typeof key === "string" && !key.includes("\0") && key.isWellFormed();
}

export function notOfThisList(): AppError {
  return invalidParameter("cursor", "This cursor does not belong to this list.");
}
