// Queries for calls of the API: `query("GET /topics/{id}", { id })`. A key starts with the channel (live.ts) whose
// notices refetch the query; the call follows.
import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  type InfiniteData,
  type UnusedSkipTokenInfiniteOptions,
  type UnusedSkipTokenOptions,
  type UseInfiniteQueryOptions,
} from "@tanstack/react-query";
import { call } from "./api.ts";
import type { AnswerOf, GetRoute, InputOf, Route } from "./routes.ts";

/** By the first word of the path, if the channel has another name. */
const CHANNEL_OF: Readonly<Record<string, string>> = {
  emails: "mails",
  suppressions: "contacts",
  images: "templates",
  blocks: "templates",
  members: "team",
  invitations: "team",
  users: "team",
  audit: "team",
};

type Key = readonly unknown[];

/** The key of a call; without `input` it matches every input. */
export function keyOf<R extends GetRoute>(route: R, input: Partial<InputOf<R>> = {}, live = true): Key {
  const [word = ""] = route.slice("GET /".length).split("/");
  return [...(live ? [CHANNEL_OF[word] ?? word] : []), route, ...(Object.keys(input).length > 0 ? [input] : [])];
}

type QueryFlags = {
  /** Aborts the call once no component uses its answer. */
  readonly ends?: boolean;
  /** False: notices do not refetch it. */
  readonly live?: boolean;
};
type Maybe<Of, Rest extends readonly unknown[]> = object extends Of ? [input?: Of, ...Rest] : [input: Of, ...Rest];
type QuerySettings<R extends Route, Data> = QueryFlags &
  Omit<UnusedSkipTokenOptions<AnswerOf<R>, Error, Data, Key>, "queryKey" | "queryFn">;

export function query<R extends GetRoute, Data = AnswerOf<R>>(
  route: R,
  ...[input, { ends, live, ...settings } = {}]: Maybe<InputOf<R>, [settings?: QuerySettings<R, Data>]>
) {
  return queryOptions<AnswerOf<R>, Error, Data, Key>({
    queryKey: keyOf(route, input, live),
    // React Query aborts a query only if it reads `signal`.
    queryFn: (context) => ask(route, ends ? { ...input, signal: context.signal } : { ...input }),
    ...settings,
  });
}

/** `call` without its types, for callers that have their own. */
export const ask = call as <Answer>(route: string, input: object) => Promise<Answer>;

type PagePlace = string | number | null;
type PagesSettings<R extends Route> = QueryFlags &
  Omit<
    UnusedSkipTokenInfiniteOptions<AnswerOf<R>, Error, InfiniteData<AnswerOf<R>, PagePlace>, Key, PagePlace>,
    "queryKey" | "queryFn" | "initialPageParam" | "getNextPageParam"
  >;

/** A paged list: by number if it has a `pageSize`, otherwise by cursor. */
export function pages<R extends GetRoute>(
  route: R,
  input: InputOf<R>,
  { ends, live, ...settings }: PagesSettings<R> = {},
) {
  const [place, first] = "pageSize" in (input as object) ? ["page", 1] : ["cursor", null];
  return infiniteQueryOptions<AnswerOf<R>, Error, InfiniteData<AnswerOf<R>, PagePlace>, Key, PagePlace>({
    queryKey: [...keyOf(route, input, live), "pages"],
    queryFn: (context) =>
      ask(route, { ...input, [place]: context.pageParam, ...(ends ? { signal: context.signal } : {}) }),
    initialPageParam: first,
    getNextPageParam: (page) => nextIn(page as ListPage),
    ...settings,
  });
}

type ListPage = { readonly cursor?: string | null; readonly page?: number; readonly totalPages?: number };

function nextIn({ cursor = null, page = 1, totalPages = 1 }: ListPage): PagePlace {
  return page < totalPages ? page + 1 : cursor;
}

type RowOf<Page> = Page extends { readonly data: readonly (infer Row)[] } ? Row : never;

/** `all`: the rows of all loaded pages. */
export function usePages<Page extends { readonly data: readonly unknown[] }>(
  asked: UseInfiniteQueryOptions<Page, Error, InfiniteData<Page, PagePlace>, Key, PagePlace>,
) {
  const answer = useInfiniteQuery(asked);
  const all = answer.data?.pages.flatMap(({ data }) => data) as RowOf<Page>[] | undefined;
  return { ...answer, first: answer.data?.pages[0], all };
}
