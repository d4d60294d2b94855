// The methods of a client: their types, from the document, and what each of them asks.
import type { operations } from "./api.gen.ts";
import { METHODS } from "./methods.gen.ts";
import { request, type CallOptions, type ClientOptions } from "./request.ts";

type Row = {
  readonly operation: keyof operations;
  readonly route: string;
  readonly input: "body" | "query" | "none";
  readonly once: boolean;
  readonly list: string | null;
  readonly next: "cursor" | "page" | null;
};

/** The values of the path, in their order. */
type PathValues<Route extends string> = Route extends `${string}{${string}}${infer Rest}`
  ? [value: string | number, ...PathValues<Rest>]
  : [];

type ContentOf<Content> = Content extends { "application/json": infer Json }
  ? Json
  : Content extends { "multipart/form-data": unknown }
    ? FormData
    : keyof Content extends `${"text" | "message"}/${string}`
      ? string
      : Blob;

type Body<Name extends keyof operations> = operations[Name] extends { requestBody: { content: infer Content } }
  ? [body: ContentOf<Content>]
  : operations[Name] extends { requestBody?: { content: infer Content } }
    ? [body?: ContentOf<Content>]
    : [];

type Query<Name extends keyof operations> = operations[Name]["parameters"] extends { query: infer Asked }
  ? [query: Asked]
  : operations[Name]["parameters"] extends { query?: infer Asked }
    ? [query?: Asked]
    : [];

type Input<One extends Row> = { body: Body<One["operation"]>; query: Query<One["operation"]>; none: [] }[One["input"]];

type AnswersOf<Responses> = Responses[keyof Responses] extends infer Answer
  ? Answer extends { content: infer Content }
    ? [Content] extends [never]
      ? undefined
      : ContentOf<Content>
    : undefined
  : never;

export type Answer<Name extends keyof operations> = AnswersOf<operations[Name]["responses"]>;

type ItemOf<Page, List extends string> =
  Page extends Record<List, infer Items> ? (Items extends readonly (infer Item)[] ? Item : never) : never;

/** Awaited, it is one page; iterated, it is every item, page after page. */
export type List<Page, Item> = Promise<Page> & AsyncIterable<Item>;

type Result<One extends Row> = One["list"] extends string
  ? List<Answer<One["operation"]>, ItemOf<Answer<One["operation"]>, One["list"]>>
  : Promise<Answer<One["operation"]>>;

type Method<One extends Row> = (
  ...values: [...PathValues<One["route"]>, ...Input<One>, options?: CallOptions]
) => Result<One>;

type Table = typeof METHODS;

export type Groups = {
  readonly [Group in keyof Table]: {
    readonly [Name in keyof Table[Group]]: Table[Group][Name] extends Row ? Method<Table[Group][Name]> : never;
  };
};

export function groupsOf(client: ClientOptions): Groups {
  const groups = Object.entries(METHODS).map(([group, rows]) => {
    const methods = Object.entries<Row>(rows).map(([name, row]) => [name, methodOf(client, row)] as const);
    return [group, Object.fromEntries(methods)] as const;
  });
  return Object.fromEntries(groups) as unknown as Groups;
}

type Values = Readonly<Record<string, unknown>>;

function methodOf(client: ClientOptions, { route, input, once, list, next }: Row) {
  const [method = "GET", template = ""] = route.split(" ");
  const inPath = template.match(/\{\w+\}/g)?.length ?? 0;
  return (...values: readonly unknown[]) => {
    const inOrder = values.slice(0, inPath);
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, inOrder.shift()));
    const rest = values.slice(inPath);
    const given = input === "none" ? undefined : rest.shift();
    const options = (rest[0] ?? {}) as CallOptions;
    const ask = (query?: Values) => {
      const body = input === "body" ? { body: given } : {};
      return request(client, { method, path, once, query: query ?? options.query, ...body }, options);
    };
    const query = input === "query" ? ((given ?? {}) as Values) : undefined;
    return list === null ? ask(query) : listOf(ask, query ?? {}, { list, next });
  };
}

/** An empty value would be the path of another call. */
function segment(name: string, value: unknown): string {
  const text = String(value ?? "");
  if (text === "") throw new TypeError(`${name} is missing.`);
  return encodeURIComponent(text);
}

type Page = Values & { readonly cursor?: string | null; readonly page?: number; readonly totalPages?: number };

const MOST_A_PAGE = 100;

function listOf(ask: (query: Values) => Promise<unknown>, query: Values, { list, next }: Pick<Row, "list" | "next">) {
  let first: Promise<unknown> | undefined;
  const once = () => (first ??= ask(query));
  const size = next === "cursor" ? { limit: MOST_A_PAGE } : { pageSize: MOST_A_PAGE };
  async function* items(): AsyncGenerator<unknown> {
    let following: Values | null = {};
    while (following) {
      const page = (await ask({ ...size, ...query, ...following })) as Page;
      yield* page[list ?? ""] as unknown[];
      following = next === "cursor" ? behind(page) : numberedAfter(page);
    }
  }
  // Only what is used is asked.
  const promise: Promise<unknown> = {
    then: (onDone, onFail) => once().then(onDone, onFail),
    catch: (onFail) => once().catch(onFail),
    finally: (onEnd) => once().finally(onEnd),
    [Symbol.toStringTag]: "Promise",
  };
  return Object.assign(promise, { [Symbol.asyncIterator]: items });
}

function behind({ cursor }: Page): Values | null {
  return cursor ? { cursor } : null;
}

function numberedAfter({ page = 1, totalPages = 1 }: Page): Values | null {
  return page < totalPages ? { page: page + 1 } : null;
}
