// Counts after each filter, requested once typing has stopped; outdated requests are aborted.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDebounced } from "../base/use-debounced.ts";

/** The people who remain after each filter and group, by its place in the condition: `groups.0.filters.1`. */
export type ConditionCounts = {
  readonly perFilter: readonly { readonly at: string; readonly remaining: number }[];
  /** Estimated from a sample. */
  readonly approximate: boolean;
  /** The counts are those of the previous condition; the new ones are loading. */
  readonly isOld: boolean;
};

const PAUSE_MS = 250;

type Request<Answer> = (signal: AbortSignal) => Promise<Answer>;

/** Requests once `key` has stopped changing, and aborts an outdated request. Null: no request; the answer stays. */
export function useDebouncedQuery<Answer>(name: string, key: unknown, request: Request<Answer>) {
  const debounced = useDebounced(JSON.stringify(key), PAUSE_MS);
  const now = JSON.stringify(key);
  const query = useQuery({
    queryKey: ["previews", name, debounced],
    queryFn: ({ signal }) => request(signal),
    enabled: key !== null && debounced === now,
    placeholderData: keepPreviousData,
    throwOnError: false,
  });
  return { ...query, isOld: debounced !== now || query.isPlaceholderData };
}
