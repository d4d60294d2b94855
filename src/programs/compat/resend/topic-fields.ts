// A topic in Resend's fields: it has no key, one language, and says opt_in and opt_out (docs/compat/resend.md).
import { sha256Hex } from "../../../base/ids.ts";
import { invalidField } from "../../../base/errors.ts";
import type { Language } from "../../../base/languages/language.ts";
import type { Reader, Store } from "../../../store/store.ts";
import { choiceOf } from "../../../audience/topics/choice.ts";
import {
  topicsOf,
  type TopicChoice,
  type TopicChoices,
  type Topic,
  type TopicText,
} from "../../../audience/topics/queries.ts";
import { workspaceBySeq } from "../../../tenant/workspaces/queries.ts";
import {
  ignoredIn,
  listIn,
  nameIgnored,
  objectIn,
  textIn,
  withoutNothing,
  type JsonFields,
  type FieldSupport,
} from "../fields.ts";
import type { CompatRequest } from "../own-calls.ts";

const FIELDS: FieldSupport = {
  taken: ["id", "name", "description", "default_subscription", "visibility"],
  refused: {},
};
const MAX_KEY_CHARS = 50;
const DIGEST_CHARS = 8;

const SUBSCRIPTION: Readonly<Record<TopicChoice, string>> = { in: "opt_in", out: "opt_out" };
const CHOICE: Readonly<Record<string, TopicChoice>> = { opt_in: "in", opt_out: "out" };
const VISIBLE: Readonly<Record<string, boolean>> = { public: true, private: false };

/** The language of its topics' texts. */
export async function languageIn(reader: Reader, workspace: number): Promise<Language> {
  return (await workspaceBySeq(reader, workspace))?.language ?? "en";
}

/** The body for our call; the texts of `before` in other languages stay. @throws AppError VALIDATION_ERROR */
export function topicFrom({ body, set }: CompatRequest, language: Language, before?: Topic): JsonFields {
  const given = objectIn("request", body);
  nameIgnored(set.headers, ignoredIn(given, FIELDS));
  const { name, description, default_subscription: subscription, visibility } = given;
  return {
    name: name == null ? undefined : { ...before?.name, [language]: name },
    description: description == null ? undefined : { ...before?.description, [language]: description },
    default: subscription == null ? undefined : choiceNamed("default_subscription", subscription),
    visible: visibility == null ? undefined : mappedValue(VISIBLE, "visibility", visibility),
  };
}

/** At Resend, a topic is private by default. @throws AppError VALIDATION_ERROR for fields that Resend requires */
export function newTopicFrom(asked: CompatRequest, language: Language): JsonFields {
  const { name, default_subscription: subscription } = objectIn("request", asked.body);
  if (name == null) throw invalidField("name", "The name of the topic is missing.", "required");
  if (subscription == null) throw invalidField("default_subscription", "Say opt_in or opt_out.", "required");
  return { visible: false, ...withoutNothing(topicFrom(asked, language)), key: keyOf(textIn("name", name)) };
}

/** A name always has the same key, so a repeated call is the same call. */
function keyOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\p{M}'’]/gu, "");
  const key = (plain.match(/[a-z0-9]+/g) ?? []).join("-");
  const isWhole = key.length <= MAX_KEY_CHARS && !/[^\P{L}a-z]/u.test(plain) && key !== "";
  if (isWhole) return key;
  const start = key.slice(0, MAX_KEY_CHARS - DIGEST_CHARS - 1).replace(/-$/, "");
  return `${start || "topic"}-${sha256Hex(name).slice(0, DIGEST_CHARS)}`;
}

export function topicSummary(topic: Topic, language: Language) {
  const { id, createdAt } = topic;
  return {
    ...{ id, name: worded(topic.name, language), description: worded(topic.description, language) },
    default_subscription: SUBSCRIPTION[topic.default],
    visibility: topic.visible ? "public" : "private",
    created_at: createdAt,
  };
}

function worded(wording: TopicText, language: Language): string | null {
  return wording[language] ?? Object.values(wording)[0] ?? null;
}

/** With the choice that counts for a person. */
export function subscriptionIn(choices: TopicChoices, topic: Topic, language: Language) {
  const { id, name, description } = topicSummary(topic, language);
  return { id, name, description, subscription: SUBSCRIPTION[choiceOf(choices, topic.key) ?? topic.default] };
}

/** A list of choices by ids of topics, as ours takes it. @throws AppError VALIDATION_ERROR */
export function choicesFrom(given: unknown, topics: readonly Topic[]): Readonly<Record<string, TopicChoice>> {
  const choices = listIn("topics", given).map((one, at) => {
    const { id, subscription } = objectIn(`topics.${at}`, one);
    const { key } = topicNamed(topics, `topics.${at}.id`, id);
    return [key, choiceNamed(`topics.${at}.subscription`, subscription)] as const;
  });
  return Object.fromEntries(choices);
}

type TopicIdField = { readonly topic_id?: unknown };

/** The topics of the workspace, if one of these fields names one. */
export async function topicsNamed(store: Store, workspace: number, given: readonly unknown[]): Promise<Topic[]> {
  const isNamed = given.some((one) => (one as TopicIdField | null)?.topic_id != null);
  return isNamed ? store.read((reader) => topicsOf(reader, workspace)) : [];
}

/**
 * The key of the topic that a mail names; undefined = the field is not there, null = none. @throws AppError
 * VALIDATION_ERROR
 */
export function topicKeyIn(topics: readonly Topic[], { topic_id: id }: TopicIdField): string | null | undefined {
  return id == null ? id : topicNamed(topics, "topic_id", id).key;
}

/** By id or key. */
function topicNamed(topics: readonly Topic[], field: string, given: unknown): Topic {
  const name = textIn(field, given);
  const topic = topics.find(({ id, key }) => id === name || key === name);
  if (!topic) throw invalidField(field, `There is no topic ${name}.`, "unknown_topic");
  return topic;
}

function choiceNamed(field: string, given: unknown): TopicChoice {
  return mappedValue(CHOICE, field, given);
}

function mappedValue<Value>(values: Readonly<Record<string, Value>>, field: string, given: unknown): Value {
  const name = textIn(field, given);
  if (Object.hasOwn(values, name)) return values[name] as Value;
  throw invalidField(field, `This must be ${Object.keys(values).join(" or ")}.`, "invalid");
}
