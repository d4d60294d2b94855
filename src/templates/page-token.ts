// Pages of templates by `cursor`: the token names a page and its size, so that it goes together with the totals (interface.md "GET /templates").
import { invalidParameter } from "../errors.ts";
import { FIRST_PAGE, notOfThisList, type Page, type PageWish } from "../store/page.ts";

/** What a query says of its page, by either pair of names. */
type PageQuery = Partial<PageWish> & { readonly limit?: number; readonly cursor?: string };

/** The opaque token of the page after this one; null on the last. */
export function nextPageToken({ page, pageSize, totalPages }: Page<unknown>): string | null {
  return page < totalPages ? Buffer.from(`page:${page + 1}:${pageSize}`).toString("base64url") : null;
}

/**
 * The page asked for: by `page` and `pageSize`, of which `limit` is another name, or by a token alone.
 * @throws AppError INVALID_PARAMETERS if the token is not one of ours, or goes with another size or a page
 */
export function pageByAnyName({ cursor, limit, page, pageSize }: PageQuery): PageWish {
  if (cursor === undefined)
    return { page: page ?? FIRST_PAGE.page, pageSize: pageSize ?? limit ?? FIRST_PAGE.pageSize };
  const wish = pageOfToken(cursor);
  if (page !== undefined) throw invalidParameter("page", "A cursor names the page already: leave this out.");
  for (const [field, size] of Object.entries({ limit, pageSize }))
    if (size !== undefined && size !== wish.pageSize)
      throw invalidParameter(field, `This cursor goes on with pages of ${wish.pageSize}.`);
  return wish;
}

function pageOfToken(token: string): PageWish {
  const [, page, pageSize] =
    /^page:([1-9]\d{0,8}):([1-9]\d?|100)$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (!page || !pageSize) throw notOfThisList();
  return { page: Number(page), pageSize: Number(pageSize) };
}
