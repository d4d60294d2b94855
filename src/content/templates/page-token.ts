// Pages of templates for clients of two other services: with another name of the page size, and with a token.
import { invalidParameter } from "../../base/errors.ts";
import { FIRST_PAGE, notOfThisList, type Page, type PageInput } from "../../store/page.ts";

/** The page in a query, by either pair of names. */
type PageQuery = Partial<PageInput> & { readonly limit?: number; readonly cursor?: string };

/** The opaque token of the page after this one; null on the last. */
export function nextPageToken({ page, pageSize, totalPages }: Page<unknown>): string | null {
  return page < totalPages ? Buffer.from(`page:${page + 1}:${pageSize}`).toString("base64url") : null;
}

/**
 * The requested page: by `page` and `pageSize`, of which `limit` is another name, or by a token alone.
 * @throws AppError INVALID_PARAMETERS if the token is not ours, was made for another page size, or comes with a page
 * number
 */
export function pageByAnyName({ cursor, limit, page, pageSize }: PageQuery): PageInput {
  if (cursor === undefined)
    return { page: page ?? FIRST_PAGE.page, pageSize: pageSize ?? limit ?? FIRST_PAGE.pageSize };
  const input = pageOfToken(cursor);
  if (page !== undefined) throw invalidParameter("page", "The cursor already names the page: omit this.");
  for (const [field, size] of Object.entries({ limit, pageSize }))
    if (size !== undefined && size !== input.pageSize)
      throw invalidParameter(field, `This cursor continues with pages of ${input.pageSize}.`);
  return input;
}

function pageOfToken(token: string): PageInput {
  const [, page, pageSize] =
    /^page:([1-9]\d{0,8}):([1-9]\d?|100)$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (!page || !pageSize) throw notOfThisList();
  return { page: Number(page), pageSize: Number(pageSize) };
}
