// The loaded pages of the list of people. Notices refetch them while the list is short.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useFormats } from "../base/formats.ts";
import { queries } from "../calls/queries.ts";
import type { QueryState } from "../parts/layout.tsx";
import { listQuery, type Contact } from "./calls.ts";
import type { PeopleFilters } from "./filters.ts";

/** Longer lists refetch only on demand. */
const MAX_LIVE_PAGES = 2;

export type People = {
  /** Undefined while the first page is loading. */
  readonly all: readonly Contact[] | undefined;
  readonly asked: QueryState;
  readonly total: number | undefined;
  /** `10,000+` if a search has more hits than are counted. */
  readonly totalText: string | undefined;
  readonly hasMore: boolean;
  readonly more: () => void;
};

export function usePeople(filters: PeopleFilters): People {
  const { number } = useFormats();
  const asked = useInfiniteQuery(listQuery(filters));
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = asked;
  useQuery({
    queryKey: ["contacts", "news"],
    queryFn: async () => {
      const key = listQuery(filters).queryKey;
      const pages = queries.getQueryData(key)?.pages.length ?? 0;
      if (pages > 0 && pages <= MAX_LIVE_PAGES) await queries.invalidateQueries({ queryKey: key });
      return Date.now();
    },
    staleTime: Infinity,
    throwOnError: false,
  });
  const all = useMemo(() => data?.pages.flatMap((page) => page.data), [data]);
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [isFetchingNextPage, fetchNextPage]);
  const { total, totalIsLeast } = data?.pages[0] ?? {};
  const totalText = total === undefined ? undefined : number(total) + (totalIsLeast ? "+" : "");
  return { all, asked, total, totalText, hasMore: hasNextPage, more };
}
