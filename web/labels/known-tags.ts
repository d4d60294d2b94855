// The tags of the workspace, most recently used first.
import { useQuery } from "@tanstack/react-query";
import { query } from "../calls/query.ts";

/** The tags change rarely. */
const STALE_MS = 60_000;

const tagsQuery = query("GET /statistics/tags", {}, { ends: true, staleTime: STALE_MS, throwOnError: false });

export function useKnownTags(): readonly string[] {
  const { data } = useQuery(tagsQuery);
  const byUse = data?.tags.toSorted((one, other) => other.usedOn.localeCompare(one.usedOn)) ?? [];
  return byUse.map(({ name }) => name);
}
