// The variables to choose from: contact data and built-in ones.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, unwrap } from "../api.ts";

export type Variable = {
  /** As Liquid reads it: `plan`, `data["First Name"]`. */
  readonly path: string;
  readonly kind: "field" | "own" | "link" | "event";
  /** Percent of the contacts that have it; null: everybody. */
  readonly coverage: number | null;
};

const OWN: readonly Variable[] = [
  { path: "email", kind: "own", coverage: null },
  { path: "subscribed", kind: "own", coverage: null },
  { path: "unsubscribeUrl", kind: "link", coverage: null },
  { path: "subscribeUrl", kind: "link", coverage: null },
  { path: "manageUrl", kind: "link", coverage: null },
];

const FIELD = "data.";
/** Keys change rarely. */
const STALE_MS = 60_000;

/** `event`: workflow emails can use event data. */
export function useVariables(event = false): readonly Variable[] {
  const { data } = useQuery({
    queryKey: ["contacts", "fields"],
    queryFn: () => unwrap(api.GET("/contacts/fields")),
    staleTime: STALE_MS,
    throwOnError: false,
  });
  return useMemo(() => {
    const fields = (data?.fields ?? []).filter(({ field }) => field.startsWith(FIELD));
    const known = fields.map(({ field, coverage }): Variable => ({
      path: pathOf(field.slice(FIELD.length)),
      kind: "field",
      coverage,
    }));
    const events: readonly Variable[] = event ? [{ path: "event", kind: "event", coverage: null }] : [];
    return [...known, ...OWN, ...events];
  }, [data, event]);
}

/** Keys that are not identifiers need quotes. */
function pathOf(key: string): string {
  return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key) ? key : `data[${JSON.stringify(key)}]`;
}
