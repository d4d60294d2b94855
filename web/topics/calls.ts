// The calls of topics, and what a topic is called in the reader's language.
import { useMutation, useQuery } from "@tanstack/react-query";
import { call } from "../api.ts";
import type { Schemas } from "../schemas.ts";
import { useLanguage } from "../language.ts";
import { queries } from "../queries.ts";
import { query } from "../query.ts";
import { save } from "../saving/save.ts";

export type Topic = Schemas["Topic"];
export type TopicInput = Schemas["CreateTopicRequest"];

export const topicsQuery = query("GET /topics", {}, { ends: true, select: ({ topics }) => topics });

/** Of all topics; nothing while they are loading, or where they cannot be had. */
export function useTopics(): readonly Topic[] {
  return useQuery({ ...topicsQuery, throwOnError: false }).data ?? [];
}

/** Of whom a topic's numbers are. `isAbout`: from a sample. */
export type TopicPeople = { readonly gets: number; readonly not: number; readonly isAbout: boolean };

/** A condition has at most so many filters. */
const MOST_COUNTED = 100;

/**
 * How many get each topic, by its key, and how many do not: by their choice, or by its default. Asked as the preview of
 * a condition, in which each alternative is counted alone.
 */
export function useTopicNumbers(topics: readonly Topic[]): ReadonlyMap<string, TopicPeople> {
  const asked = topics.slice(0, MOST_COUNTED);
  // Who has chosen against the default.
  const groups = asked.map(({ key, default: byDefault }) => ({
    filters: [{ field: `topic.${key}`, operator: "equals" as const, value: byDefault === "in" ? "out" : "in" }],
  }));
  const { data } = useQuery({
    queryKey: ["contacts", "topic numbers", asked.map(({ key, default: byDefault }) => [key, byDefault])],
    queryFn: ({ signal }) =>
      call("POST /segments/preview", { body: { condition: { logic: "OR", groups }, perFilter: true }, signal }),
    enabled: asked.length > 0,
    throwOnError: false,
  });
  if (!data) return new Map();
  const { contacts, approximate, perFilter = [] } = data;
  return new Map(
    asked.map(({ key, default: byDefault }, at) => {
      const others = perFilter.find((one) => one.at === `groups.${at}.filters.0`)?.remaining ?? 0;
      const gets = byDefault === "in" ? contacts - others : others;
      return [key, { gets, not: contacts - gets, isAbout: approximate }];
    }),
  );
}

type TopicName = Pick<Topic, "key" | "name">;

/** In the reader's language, else in the first that it has. */
export function useTopicName(): (topic: TopicName) => string {
  const language = useLanguage();
  return ({ key, name }) => name[language] ?? name.en ?? Object.values(name)[0] ?? key;
}

/** By key; a topic that is gone has no other name. */
export function useTopicNamed(): (key: string) => string {
  const nameOf = useTopicName();
  const topics = useTopics();
  return (key) => {
    const topic = topics.find((one) => one.key === key);
    return topic ? nameOf(topic) : key;
  };
}

/** `topic`: as its form was opened. */
export function useSave(topic: Topic | undefined, done: (saved: Topic) => void) {
  return useMutation({
    mutationFn: async ({ key, ...body }: TopicInput) =>
      topic
        ? (await save("PATCH /topics/{id}", { id: topic.id }, { seen: topic, mine: body })).row
        : call("POST /topics", { body: { key, ...body } }),
    onSuccess: async (saved) => {
      await again();
      done(saved);
    },
    meta: { inForm: true },
  });
}

export function useMove() {
  return useMutation({
    mutationFn: ({ id, position }: Pick<Topic, "id" | "position">) =>
      call("PATCH /topics/{id}", { id, body: { position } }),
    onSuccess: again,
  });
}

export function useDelete(done: () => void) {
  return useMutation({
    mutationFn: (id: string) => call("DELETE /topics/{id}", { id }),
    onSuccess: async () => {
      await again();
      done();
    },
    meta: { inForm: true },
  });
}

function again(): Promise<void> {
  return queries.invalidateQueries({ queryKey: topicsQuery.queryKey });
}
