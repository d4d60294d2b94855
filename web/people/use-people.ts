// The loaded pages of the list of people. Updates reload them while the list is short.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { queries } from "../queries.ts";
import { listQuery, type Contact } from "./calls.ts";
import type { Filters } from "./filters.ts";

/** Longer lists refetch only on demand. */
const MAX_LIVE_PAGES = 2;

export type People = {
  /** Undefined while the first page is on its way. */
  readonly all: readonly Contact[] | undefined;
  readonly fault: unknown;
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly more: () => void;
};

export function usePeople(filters: Filters): People {
  const asked = useInfiniteQuery(listQuery(filters));
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = asked;
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
  return { all, fault: error, total: data?.pages[0]?.total, hasMore: hasNextPage, more };
}
