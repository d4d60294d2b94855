// Reads the answers of other products, which may be anything.

export type AnswerFields = Readonly<Record<string, unknown>>;

/** An answer that is not as its documentation says. */
export class StrangeAnswerError extends Error {
  override readonly name = "StrangeAnswerError";
}

export function isFields(value: unknown): value is AnswerFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object, also if the value is none. */
export function fieldsOf(value: unknown): AnswerFields {
  return isFields(value) ? value : {};
}

/** The objects of the list at `path`, such as `data.results`. @throws StrangeAnswerError if there is no list */
export function itemsIn(answer: unknown, path = ""): AnswerFields[] {
  const names = path === "" ? [] : path.split(".");
  const parents = names.slice(0, -1).reduce<unknown>((value, name) => fieldsOf(value)[name], answer);
  const list = names.length === 0 ? answer : fieldsOf(parents)[names.at(-1) as string];
  if (Array.isArray(list)) return list.filter(isFields);
  // Some leave out an empty list.
  const { count, total, total_items } = fieldsOf(parents);
  if (list == null && [count, total, total_items].includes(0)) return [];
  throw new StrangeAnswerError(path === "" ? "The answer is no list." : `The answer has no list “${path}”.`);
}

/** Also of a number; "" of anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf).filter((one) => one !== "") : [];
}

/** Without empty values, which say nothing. */
export function filled(data: AnswerFields): AnswerFields {
  return Object.fromEntries(
    Object.entries(data).filter(
      ([, value]) => value != null && value !== "" && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** The page with this number, from 1. */
export function pageNumber(at: string): number {
  return at === "" ? 1 : Number(at);
}

/**
 * The number of the next page; null after the last. `read`: on this page. A product may have smaller pages than it was
 * asked for, and its total may be an old one.
 */
export function nextNumber(at: string, read: number, size: number, total: number | undefined): string | null {
  const page = pageNumber(at);
  const isLast = read === 0 || (read < size && (total === undefined || page * read >= total));
  return isLast ? null : String(page + 1);
}

/** Where the next page begins, by how many items were before it; null after the last. */
export function nextOffset(from: number, read: number, total: number | undefined): string | null {
  return read === 0 || (total !== undefined && from + read >= total) ? null : String(from + read);
}

const MOST_PAGES = 200;

/** All pages of a list, which `pageAt` answers. @throws StrangeAnswerError for a list without an end */
export async function allPages(
  pageAt: (at: string) => Promise<{ readonly items: readonly AnswerFields[]; readonly next: string | null }>,
): Promise<AnswerFields[]> {
  const all: AnswerFields[] = [];
  let pages = 0;
  for (let at: string | null = ""; at !== null;) {
    if (pages++ === MOST_PAGES) throw new StrangeAnswerError("A list has no end.");
    const { items, next }: Awaited<ReturnType<typeof pageAt>> = await pageAt(at);
    all.push(...items);
    at = next;
  }
  return all;
}
