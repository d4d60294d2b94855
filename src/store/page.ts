// Page pagination (interface.md "Pagination rules"): `page` and `pageSize` in, rows and totals out.
import { AppError } from "../errors.ts";

export type PageWish = { readonly page: number; readonly pageSize: number };

export type Page<Item> = {
  readonly data: readonly Item[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  readonly totalPages: number;
};

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
  const errors = [{ field: "cursor", message: "This is not a cursor of this list.", code: "invalid" }];
  throw new AppError("INVALID_PARAMETERS", "cursor: This is not a cursor of this list.", { errors });
}
