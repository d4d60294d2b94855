// Lists in Resend's shape: a piece that begins after or before an entry.
import { invalidParameter } from "../../../base/errors.ts";
import { refuseFilters } from "../fields.ts";

export type ResendPage = {
  readonly limit: number;
  /** The id of an entry; null = from the first one. */
  readonly after: string | null;
  readonly before: string | null;
};

const USUAL_LIMIT = 20;
const LARGEST_LIMIT = 100;

/** `usual`: the limit of a call that gives none. @throws AppError INVALID_PARAMETERS */
export function pieceIn({ url }: Pick<Request, "url">, usual = USUAL_LIMIT): ResendPage {
  refuseFilters({ url }, ["limit", "after", "before", "origin"]);
  const query = new URL(url).searchParams;
  const [after, before] = [query.get("after"), query.get("before")];
  if (after !== null && before !== null) throw invalidParameter("before", "Give after or before, not both.");
  return { limit: limitIn(query.get("limit"), usual), after, before };
}

function limitIn(text: string | null, usual: number): number {
  const limit = text === null ? usual : Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= LARGEST_LIMIT) return limit;
  throw invalidParameter("limit", `A page has 1 to ${LARGEST_LIMIT} entries.`);
}

export function listOf(data: readonly object[], hasMore: boolean) {
  return { object: "list", has_more: hasMore, data };
}

/** A piece of a list that is in memory as a whole. @throws AppError INVALID_PARAMETERS for an unknown entry */
export function pieceOf<Item extends { readonly id: string }>(
  all: readonly Item[],
  { limit, after, before }: ResendPage,
) {
  const near = after ?? before;
  const at = near === null ? -1 : all.findIndex(({ id }) => id === near);
  if (near !== null && at < 0)
    throw invalidParameter(after === null ? "before" : "after", "The list has no such entry.");
  const from = before === null ? at + 1 : Math.max(0, at - limit);
  const to = before === null ? from + limit : at;
  return { items: all.slice(from, to), hasMore: before === null ? to < all.length : from > 0 };
}

type PageReader<Item> = (than: number | null, isNewer: boolean, limit: number) => Promise<readonly Item[]>;

/** A piece of a list, newest first, that is read by the number of an entry. `seqOf` throws for an unknown id. */
export async function pieceBeside<Item>(
  { limit, after, before }: ResendPage,
  seqOf: (id: string) => Promise<number>,
  read: PageReader<Item>,
) {
  const near = after ?? before;
  const found = await read(near === null ? null : await seqOf(near), before !== null, limit + 1);
  const hasMore = found.length > limit;
  // The one too many is the farthest.
  return { items: before === null ? found.slice(0, limit) : found.slice(hasMore ? 1 : 0), hasMore };
}
