// The names to choose from: data keys, events, segments, topics and values of the workspace.
import { useQuery } from "@tanstack/react-query";
import { call } from "../calls/api.ts";
import { contactFieldsQuery } from "../calls/contact-fields.ts";
import { useTopicName, useTopics } from "../topics/calls.ts";
import type { paths } from "../api.gen.ts";
import { subjectOf, type ConditionFilter, type KnownSegment, type KnownTopic, type ValueKind } from "./subjects.ts";

type FieldsAnswer = paths["/contacts/fields"]["get"]["responses"][200]["content"]["application/json"];
export type KnownField = FieldsAnswer["fields"][number];

/** The names change rarely. */
const STALE_MS = 60_000;

export type KnownNames = {
  readonly fields: readonly KnownField[];
  readonly events: readonly string[];
  readonly segments: readonly KnownSegment[];
  readonly topics: readonly KnownTopic[];
};

export function useKnownNames(): KnownNames {
  const nameOf = useTopicName();
  const fields = useQuery(contactFieldsQuery);
  const events = useQuery({
    queryKey: ["condition", "events"],
    queryFn: ({ signal }) => call("GET /events/names", { signal }),
    staleTime: STALE_MS,
    throwOnError: false,
  });
  const segments = useQuery({
    queryKey: ["condition", "segments"],
    queryFn: ({ signal }) => call("GET /segments", { signal }),
    staleTime: STALE_MS,
    throwOnError: false,
  });
  return {
    fields: fields.data?.fields ?? [],
    events: events.data?.eventNames ?? [],
    segments: segments.data ?? [],
    topics: useTopics().map((topic) => ({ id: topic.key, name: nameOf(topic), default: topic.default })),
  };
}

const KINDS: Readonly<Record<string, ValueKind>> = { number: "number", boolean: "flag", date: "date", string: "text" };

/** The usual type of a key; null if unknown. */
export function kindOfKey(known: KnownNames, filter: Pick<ConditionFilter, "field" | "operator">): ValueKind | null {
  const subject = subjectOf(filter);
  if (subject.kind !== "data") return null;
  const found = known.fields.find(({ field }) => field === `data.${subject.path}`);
  return (found && KINDS[found.type]) ?? null;
}

/** As `kindOfKey`; a key whose values are lists or objects holds a list. */
export function typeOfKey(
  known: KnownNames,
  filter: Pick<ConditionFilter, "field" | "operator">,
): ValueKind | "list" | null {
  const found = known.fields.find(({ field }) => field === filter.field);
  return found?.type === "object" ? "list" : kindOfKey(known, filter);
}

/** The most frequent values of a key. */
export function useValues(filter: Pick<ConditionFilter, "field" | "operator">): readonly string[] {
  const subject = subjectOf(filter);
  const field = subject.kind === "data" ? `data.${subject.path}` : null;
  const asked = useQuery({
    queryKey: ["condition", "values", field],
    queryFn: ({ signal }) => call("GET /contacts/fields/values", { field: field ?? "", signal }),
    enabled: field !== null,
    staleTime: STALE_MS,
    throwOnError: false,
    retry: false,
  });
  return asked.data?.values.map(({ value }) => value) ?? [];
}
