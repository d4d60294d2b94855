// The tags that the workspace has used, those used last first.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "../api.ts";

/** They change rarely. */
const STALE_MS = 60_000;

const tagsQuery = queryOptions({
  queryKey: ["tags"],
  queryFn: ({ signal }) => call("GET /statistics/tags", { signal }),
  staleTime: STALE_MS,
  throwOnError: false,
});

export function useKnownTags(): readonly string[] {
  const { data } = useQuery(tagsQuery);
  const byUse = data?.tags.toSorted((one, other) => other.usedOn.localeCompare(one.usedOn)) ?? [];
  return byUse.map(({ name }) => name);
}
