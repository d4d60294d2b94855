// API calls for topics, and the name of a topic in the reader's language.
import { useMutation, useQuery } from "@tanstack/react-query";
import { call } from "../calls/api.ts";
import type { Schemas } from "../calls/schemas.ts";
import { useLanguage } from "../base/language.ts";
import { queries } from "../calls/queries.ts";
import { query } from "../calls/query.ts";
import { save } from "../saving/save.ts";

export type Topic = Schemas["Topic"];
export type TopicInput = Schemas["CreateTopicRequest"];

export const topicsQuery = query("GET /topics", {}, { ends: true, select: ({ topics }) => topics });

/** All topics; none while they are loading or cannot be loaded. */
export function useTopics(): readonly Topic[] {
  return useQuery({ ...topicsQuery, throwOnError: false }).data ?? [];
}

/** People who get a topic and who do not. `isAbout`: estimated from a sample. */
export type TopicPeople = { readonly gets: number; readonly not: number; readonly isAbout: boolean };

/** The API's limit of filters in a condition. */
const MOST_COUNTED = 100;

/**
 * The people that get each topic, by its key, and those that do not: by their choice or by its default. One preview of
 * a condition counts all topics, because it counts each alternative separately.
 */
export function useTopicNumbers(topics: readonly Topic[]): ReadonlyMap<string, TopicPeople> {
  const asked = topics.slice(0, MOST_COUNTED);
  // People whose choice differs from the default.
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

/** The name in the reader's language, otherwise in the first that it has. */
export function useTopicName(): (topic: TopicName) => string {
  const language = useLanguage();
  return ({ key, name }) => name[language] ?? name.en ?? Object.values(name)[0] ?? key;
}

/** The name by key; the key itself if the topic was deleted. */
export function useTopicNamed(): (key: string) => string {
  const nameOf = useTopicName();
  const topics = useTopics();
  return (key) => {
    const topic = topics.find((one) => one.key === key);
    return topic ? nameOf(topic) : key;
  };
}

/** `topic`: the topic as its form was opened; undefined for a new one. */
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
