// Topic choices of people: in, out, or none, in which case the topic's default applies. A contact carries its choices
// by key, so neither a list nor a mail needs a further lookup.
import type { ConsentAct } from "../consent/consent.ts";
import { happenedToContact } from "../consent/happened.ts";
import type { LedgerFacts } from "../consent/content.ts";
import { invalidFields, invalidParameter, type FieldError } from "../../base/errors.ts";
import { touch } from "../../tenant/events/outbox.ts";
import { choiceSubject, contactSubject } from "../../tenant/events/subjects.ts";
import type { Tx } from "../../store/store.ts";
import { setChoices } from "./choice-queries.ts";
import type { TopicChoice, TopicChoices, Topic } from "./queries.ts";

/** Null takes the previous choice back. */
export type ChoiceChanges = Readonly<Record<string, TopicChoice | null>>;

export const NO_CHOICES: TopicChoices = {};

export function choiceOf(choices: ChoiceChanges, key: string): TopicChoice | null {
  return Object.hasOwn(choices, key) ? (choices[key] ?? null) : null;
}

/** True if the person gets mail of the topic. */
export function isIn(choices: TopicChoices, { key, default: otherwise }: Pick<Topic, "key" | "default">): boolean {
  return (choiceOf(choices, key) ?? otherwise) === "in";
}

/** `keys`: of the workspace's topics. @throws AppError VALIDATION_ERROR for each unknown topic */
export function readChoices(given: ChoiceChanges | null | undefined, keys: readonly string[]): ChoiceChanges {
  const faults = Object.keys(given ?? {}).flatMap((key): FieldError[] =>
    keys.includes(key) ? [] : [{ field: `topics.${key}`, message: `There is no topic ${key}.`, code: "unknown_topic" }],
  );
  if (faults.length > 0) throw invalidFields(faults);
  return given ?? {};
}

/** Selects people with this choice about the topic. */
export type TopicFilter = { readonly topic: string; readonly choice: TopicChoice | "unsaid" };

type TopicFilterInput = { readonly [Part in keyof TopicFilter]?: TopicFilter[Part] | null };

/**
 * `keys`: of the workspace's topics; null = no filter by topic.
 * @throws the errors of `fault`, for an unknown topic, and for one of the two without the other
 */
export function sayingOf(
  { topic = null, choice = null }: TopicFilterInput,
  keys: readonly string[],
  fault: typeof invalidParameter = invalidParameter,
): TopicFilter | null {
  if (topic === null && choice === null) return null;
  if (topic === null) throw fault("topic", "Say of which topic, with `choice`.", "required");
  if (choice === null) throw fault("choice", "Say `in`, `out` or `unsaid`, with `topic`.", "required");
  if (!keys.includes(topic)) throw fault("topic", `There is no topic ${topic}.`, "unknown_topic");
  return { topic, choice };
}

/** `current` with the changes; the same object if there is no change. */
export function mergeChoices(current: TopicChoices, changes: ChoiceChanges): TopicChoices {
  const changed = Object.keys(changes).filter((key) => choiceOf(current, key) !== choiceOf(changes, key));
  if (changed.length === 0) return current;
  const merged = new Map(Object.entries(current));
  for (const key of changed) {
    const choice = choiceOf(changes, key);
    if (choice === null) merged.delete(key);
    else merged.set(key, choice);
  }
  return Object.fromEntries(merged);
}

export type ChoiceUpdate = {
  readonly workspace: number;
  /** The locked contact. */
  readonly contact: { readonly seq: number; readonly email: string };
  readonly before: TopicChoices;
  /** The complete choices, as `mergeChoices` answers them. */
  readonly after: TopicChoices;
  readonly act?: ConsentAct | undefined;
  /** The same choices to join were made before as another contact: they emit no event again. */
  readonly isKnown?: boolean | undefined;
  /** The reasons why a sign-up passed over topics: the person leaves none of them, so there is no event. */
  readonly passed?: TopicPassReasons | undefined;
};

/** Keyed by topic. */
export type TopicPassReasons = ReadonlyMap<string, NonNullable<LedgerFacts["passed"]>>;

const NONE_PASSED: TopicPassReasons = new Map();

function factOf(choice: TopicChoice | null, isPassed: boolean, isKnown: boolean) {
  if (choice === null) return "topic.unsaid";
  if (choice === "out") return isPassed ? "topic.passed" : "topic.left";
  return isKnown ? "topic.inherited" : "topic.joined";
}

/** Emits topic.joined and topic.left for new choices. */
export async function choose(
  tx: Tx,
  { workspace, contact, before, after, act, isKnown = false, passed = NONE_PASSED }: ChoiceUpdate,
): Promise<void> {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => choiceOf(before, key) !== choiceOf(after, key),
  );
  if (keys.length === 0) return;
  const subjects = [...keys.map(choiceSubject), contactSubject("updatedAt")];
  const tell = (topic: string) => {
    const why = passed.get(topic);
    const name = factOf(choiceOf(after, topic), why !== undefined, isKnown);
    const facts = { topic, ...(why ? { passed: why } : {}) };
    return happenedToContact(tx, name, { workspace, contact, act }, { topic }, facts);
  };
  await Promise.all([
    setChoices(tx, { contact: contact.seq, choices: after }),
    touch(tx, { workspace, contact: contact.seq, subjects }),
    ...keys.map(tell),
  ]);
}
