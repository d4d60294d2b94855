// What the API is asked for, as queries: `query("GET /topics/{id}", { id })`. A key begins with the channel (live.ts)
// whose notices have it asked again, and then names the call.
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

/** By the first word of a path, where the channel is called otherwise. */
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

/** Of all that this call has been asked for, where `input` says no more. */
export function keyOf<R extends GetRoute>(route: R, input: Partial<InputOf<R>> = {}, live = true): Key {
  const [word = ""] = route.slice("GET /".length).split("/");
  return [...(live ? [CHANNEL_OF[word] ?? word] : []), route, ...(Object.keys(input).length > 0 ? [input] : [])];
}

type QueryFlags = {
  /** The call ends once nobody waits for its answer. */
  readonly ends?: boolean;
  /** False: no notice has it asked again. */
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
    // Who reads the signal has it aborted.
    queryFn: (context) => ask(route, ends ? { ...input, signal: context.signal } : { ...input }),
    ...settings,
  });
}

/** As `call`, for what knows its types itself. */
export const ask = call as <Answer>(route: string, input: object) => Promise<Answer>;

type PagePlace = string | number | null;
type PagesSettings<R extends Route> = QueryFlags &
  Omit<
    UnusedSkipTokenInfiniteOptions<AnswerOf<R>, Error, InfiniteData<AnswerOf<R>, PagePlace>, Key, PagePlace>,
    "queryKey" | "queryFn" | "initialPageParam" | "getNextPageParam"
  >;

/** A list, page by page: by number if it has a `pageSize`, else by cursor. */
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

/** `all`: the rows of the pages so far. */
export function usePages<Page extends { readonly data: readonly unknown[] }>(
  asked: UseInfiniteQueryOptions<Page, Error, InfiniteData<Page, PagePlace>, Key, PagePlace>,
) {
  const answer = useInfiniteQuery(asked);
  const all = answer.data?.pages.flatMap(({ data }) => data) as RowOf<Page>[] | undefined;
  return { ...answer, first: answer.data?.pages[0], all };
}
