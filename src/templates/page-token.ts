// Pages of templates by `cursor`: the token names a page, so that it goes together with `page` and the totals (interface.md "GET /templates").
import { notOfThisList, type Page } from "../store/page.ts";

/** The opaque token of the page after this one; null on the last. */
export function nextPageToken({ page, totalPages }: Page<unknown>): string | null {
  return page < totalPages ? Buffer.from(`page:${page + 1}`).toString("base64url") : null;
}

/** @throws AppError INVALID_PARAMETERS if the token is not one of ours */
export function pageOfToken(token: string): number {
  const page = /^page:([1-9]\d{0,8})$/.exec(Buffer.from(token, "base64url").toString())?.[1];
  if (page) return Number(page);
  throw notOfThisList();
}
