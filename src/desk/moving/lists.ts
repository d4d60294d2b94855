// Lists of other products, page by page: where each has what, and the ways in which they page.
import type { SourceCalls } from "./calls.ts";
import { itemsIn, numberOf, StrangeAnswerError, textOf, valueAt, type AnswerFields } from "./fields.ts";
import { membersOf, type SourcePage, type SourcePart, type SourceRecord } from "./source.ts";

type Query = Readonly<Record<string, string>>;

/** `items`, `total`: where they are in an answer, such as `data.results`. */
export type ProductList = {
  readonly path: string;
  readonly query?: Query;
  readonly items: string;
  readonly total?: string;
  readonly paging: Pagination;
};

type ReadPage = {
  readonly at: string;
  readonly answer: unknown;
  readonly items: readonly AnswerFields[];
  readonly total: number | undefined;
};

/** `query`: asks for the page at `at`; "" is the first. `next`: where the next page begins; null after the last. */
type Pagination = { readonly query: (at: string) => Query; readonly next: (read: ReadPage) => string | null };

export const ONE_PAGE: Pagination = { query: () => ({}), next: () => null };

/** By the number, from 1. A product may send smaller pages than requested, and its total may be out of date. */
export function byNumber(sizeName: string, size: number): Pagination {
  return {
    query: (at) => ({ page: at || "1", [sizeName]: `${size}` }),
    next: ({ at, items: { length: read }, total }) => {
      const page = Number(at || 1);
      const isLast = read === 0 || (read < size && (total === undefined || page * read >= total));
      return isLast ? null : `${page + 1}`;
    },
  };
}

/** By how many items are before it. */
export function byOffset(sizeName: string, size: number): Pagination {
  return {
    query: (at) => ({ [sizeName]: `${size}`, offset: at || "0" }),
    next: ({ at, items: { length: read }, total }) => {
      const end = Number(at) + read;
      return read === 0 || (total !== undefined && end >= total) ? null : `${end}`;
    },
  };
}

/** By what the page before it says. */
export function byCursor(name: string, size: number, next: Pagination["next"]): Pagination {
  return { query: (at) => ({ limit: `${size}`, ...(at === "" ? {} : { [name]: at }) }), next };
}

async function readPage(list: ProductList, at: string, ask: (path: string) => Promise<unknown>) {
  const answer = await ask(`${list.path}?${new URLSearchParams({ ...list.query, ...list.paging.query(at) })}`);
  const total = list.total === undefined ? undefined : numberOf(valueAt(answer, list.total));
  // Some leave out an empty list.
  const items = total === 0 && valueAt(answer, list.items) == null ? [] : itemsIn(answer, list.items);
  return { items, total, next: list.paging.next({ at, answer, items, total }) };
}

type Records = readonly SourceRecord[];
type RecordsOf = (item: AnswerFields, calls: SourceCalls) => Records | Promise<Records>;

export async function recordsAt(
  calls: SourceCalls,
  at: string,
  list: ProductList,
  recordsOf: RecordsOf,
): Promise<SourcePage> {
  const { items, ...page } = await readPage(list, at, (path) => calls.ask(path));
  const records: SourceRecord[] = [];
  for (const item of items) records.push(...(await recordsOf(item, calls)));
  return { records, ...page };
}

export function listPart(name: string, list: ProductList, recordsOf: RecordsOf): SourcePart {
  return { name, page: (calls, at) => recordsAt(calls, at, list, recordsOf) };
}

const MOST_PAGES = 200;

/** The items of all pages, each requested once in a run. @throws StrangeAnswerError for a list without an end */
export async function wholeList(calls: SourceCalls, list: ProductList): Promise<AnswerFields[]> {
  const all: AnswerFields[] = [];
  let at: string | null = "";
  for (let pages = 0; at !== null; pages++) {
    if (pages === MOST_PAGES) throw new StrangeAnswerError("A list has no end.");
    const { items, next }: Awaited<ReturnType<typeof readPage>> = await readPage(list, at, (path) => calls.once(path));
    all.push(...items);
    at = next;
  }
  return all;
}

/** The list that a place of `pageThrough` is in; "" = it is in none. */
export function listIn(at: string): string {
  return at.includes(" ") ? at.slice(0, at.indexOf(" ")) : "";
}

/** Goes through the pages of several lists, one list after the other. `page`: of the list with this id. */
export async function pageThrough(
  ids: readonly string[],
  at: string,
  page: (id: string, at: string) => Promise<SourcePage>,
): Promise<SourcePage> {
  const [id = ids[0], from = ""] = at === "" ? [] : at.split(" ");
  if (id === undefined) return { records: [], next: null };
  const { records, next } = await page(id, from);
  const following = ids[ids.indexOf(id) + 1];
  return { records, next: next !== null ? `${id} ${next}` : following === undefined ? null : `${following} ` };
}

/** The members of the segments that are lists, by the ids of these. */
export function membersPart(contacts: Omit<ProductList, "path">, idsOf: (calls: SourceCalls) => Promise<string[]>) {
  const page: SourcePart["page"] = async (calls, at) =>
    pageThrough(await idsOf(calls), at, (segment, from) => {
      const list = { ...contacts, path: `/segments/${encodeURIComponent(segment)}/contacts` };
      return recordsAt(calls, from, list, ({ email }) => membersOf([segment], textOf(email)));
    });
  return { name: "members of segments", page };
}
