// The variables in menus and completion: contact data and built-in ones.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { contactFieldsQuery, dataKeys, pathOf } from "../calls/contact-fields.ts";
import { nameKindOf } from "../base/name-fields.ts";

export type Variable = {
  /** As in Liquid: `plan`, `data["First Name"]`. */
  readonly path: string;
  readonly kind: "field" | "own" | "link" | "event";
  /** Percent of the contacts that have it; null = all. */
  readonly coverage: number | null;
  /** It can be used in a greeting. */
  readonly isName?: boolean;
};

const OWN: readonly Variable[] = [
  { path: "email", kind: "own", coverage: null },
  { path: "subscribed", kind: "own", coverage: null },
  { path: "unsubscribeUrl", kind: "link", coverage: null },
  { path: "subscribeUrl", kind: "link", coverage: null },
  { path: "manageUrl", kind: "link", coverage: null },
];

/** `event`: emails of workflows can use the event's data. */
export function useVariables(event = false): readonly Variable[] {
  const { data } = useQuery(contactFieldsQuery);
  return useMemo(() => {
    const fields = dataKeys(data).map(({ key, coverage }): Variable => {
      const kind = nameKindOf(key);
      return { path: pathOf(key), kind: "field", coverage, isName: kind === "first" || kind === "full" };
    });
    const known = fields.toSorted((one, other) => Number(other.isName) - Number(one.isName));
    const events: readonly Variable[] = event ? [{ path: "event", kind: "event", coverage: null }] : [];
    return [...known, ...OWN, ...events];
  }, [data, event]);
}
