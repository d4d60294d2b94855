// What the workspace has to choose from: keys of its people's data, names of events, segments, values.
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../api.ts";
import type { paths } from "../api.gen.ts";
import { subjectOf, type Filter, type KnownSegment, type ValueKind } from "./subjects.ts";

type FieldsAnswer = paths["/contacts/fields"]["get"]["responses"][200]["content"]["application/json"];
export type KnownField = FieldsAnswer["fields"][number];

/** They change seldom, and the builder asks when it opens. */
const STALE_MS = 60_000;

export type Known = {
  readonly fields: readonly KnownField[];
  readonly events: readonly string[];
  readonly segments: readonly KnownSegment[];
};

export function useKnown(): Known {
  const fields = useQuery({
    queryKey: ["condition", "fields"],
    queryFn: ({ signal }) => unwrap(api.GET("/contacts/fields", { signal })),
    staleTime: STALE_MS,
    throwOnError: false,
  });
  const events = useQuery({
    queryKey: ["condition", "events"],
    queryFn: ({ signal }) => unwrap(api.GET("/events/names", { signal })),
    staleTime: STALE_MS,
    throwOnError: false,
  });
  const segments = useQuery({
    queryKey: ["condition", "segments"],
    queryFn: ({ signal }) => unwrap(api.GET("/segments", { signal })),
    staleTime: STALE_MS,
    throwOnError: false,
  });
  return {
    fields: fields.data?.fields ?? [],
    events: events.data?.eventNames ?? [],
    segments: segments.data ?? [],
  };
}

const KINDS: Readonly<Record<string, ValueKind>> = { number: "number", boolean: "flag", date: "date", string: "text" };

/** What most values of a key are; null: of no such key is anything known. */
export function kindOfKey(known: Known, filter: Pick<Filter, "field" | "operator">): ValueKind | null {
  const subject = subjectOf(filter);
  if (subject.kind !== "data") return null;
  const found = known.fields.find(({ field }) => field === `data.${subject.path}`);
  return (found && KINDS[found.type]) ?? null;
}

/** The most frequent texts of a key of the data. */
export function useValues(filter: Pick<Filter, "field" | "operator">): readonly string[] {
  const subject = subjectOf(filter);
  const field = subject.kind === "data" ? `data.${subject.path}` : null;
  const asked = useQuery({
    queryKey: ["condition", "values", field],
    queryFn: ({ signal }) =>
      unwrap(api.GET("/contacts/fields/values", { params: { query: { field: field ?? "" } }, signal })),
    enabled: field !== null,
    staleTime: STALE_MS,
    throwOnError: false,
    retry: false,
  });
  return asked.data?.values.map(({ value }) => value) ?? [];
}
