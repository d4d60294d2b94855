// Both kinds of pagination (interface.md "Pagination rules"): `page` and `pageSize` in, rows and totals out; and cursors.
import { invalidParameter } from "../errors.ts";

export type PageWish = { readonly page: number; readonly pageSize: number };

export type Page<Item> = {
  readonly data: readonly Item[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  readonly totalPages: number;
};

/** What a query asks for, with the defaults of every list of pages. */
export function wishedPage(query: Partial<PageWish>): PageWish {
  return { page: query.page ?? 1, pageSize: query.pageSize ?? 20 };
}

export function pageOf<Item>(data: readonly Item[], total: number, { page, pageSize }: PageWish): Page<Item> {
  return { data, total, page, pageSize, totalPages: Math.ceil(total / pageSize) };
}

export function offsetOf({ page, pageSize }: PageWish): number {
  return (page - 1) * pageSize;
}

/** The opaque token of the page after this one, for callers that pass `cursor`; null on the last. */
export function nextPageToken({ page, pageSize }: PageWish, total: number): string | null {
  return page * pageSize < total ? Buffer.from(`page:${page + 1}`).toString("base64url") : null;
}

/** @throws AppError INVALID_PARAMETERS if the token is not one of ours */
export function pageOfToken(token: string): number {
  const page = /^page:([1-9]\d{0,8})$/.exec(Buffer.from(token, "base64url").toString())?.[1];
  if (page) return Number(page);
  throw notOfThisList();
}

/** What the rows of a list are ordered by; unique in the list. */
export type Key = string | number;

/** The opaque cursor of what comes after the row with this key. `list` names the list and its order. */
export function cursorAfter(list: string, key: Key): string {
  return Buffer.from(JSON.stringify([list, key])).toString("base64url");
}

/**
 * The key in a cursor of this list; `kind` is the type of the list's keys.
 * @throws AppError INVALID_PARAMETERS if the cursor is not one of ours, or of another list or order
 */
export function keyInCursor(list: string, kind: "string", cursor: string): string;
export function keyInCursor(list: string, kind: "number", cursor: string): number;
export function keyInCursor(list: string, kind: "string" | "number", cursor: string): Key {
  const [name, key] = contentOf(cursor);
  if (name !== list || typeof key !== kind || !isKey(key)) throw notOfThisList();
  return key;
}

function contentOf(cursor: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(content) && content.length === 2 ? content : [];
  } catch {
    return [];
  }
}

/** Something that a store can compare with: anybody can write a cursor. */
function isKey(key: unknown): key is Key {
  if (typeof key === "number") return Number.isSafeInteger(key) && key >= 0;
  return typeof key === "string" && !key.includes("\0") && key.isWellFormed();
}

function notOfThisList(): Error {
  return invalidParameter("cursor", "This is not a cursor of this list.");
}
