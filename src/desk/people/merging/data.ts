// The data, topics and subscription of the contact that stays after a merge, and after it is undone.
import { changedKeys, type Variables } from "../../../audience/contacts/data.ts";
import type { Contact } from "../../../audience/contacts/queries.ts";
import { choiceOf, type ChoiceChanges } from "../../../audience/topics/choice.ts";
import type { TopicChoices } from "../../../audience/topics/queries.ts";
import type { MergeSurvivor, Side, MergeSnapshot } from "../../../audience/contacts/past/merge-queries.ts";

/** keep: the contact that stays, completed from the others. newest: the contact that was changed last. */
export const RULES = ["keep", "newest"] as const;
export type MergeRule = (typeof RULES)[number];

export type DataInput = {
  readonly rule: MergeRule;
  /** By key: the public id of the contact whose value counts. */
  readonly values: Readonly<Record<string, string>>;
};

/** The changes of the data of the contact that stays, the first of `all`; null deletes a key. */
export function dataChanges(all: readonly Contact[], { rule, values }: DataInput): Variables {
  const [into] = all as readonly [Contact];
  const order =
    rule === "keep"
      ? all
      : all.toSorted((one, other) => (one.updatedAt < other.updatedAt ? 1 : one.updatedAt > other.updatedAt ? -1 : 0));
  const changes = new Map<string, unknown>();
  for (const key of new Set(all.flatMap(({ data }) => Object.keys(data)))) {
    const chosen = Object.hasOwn(values, key)
      ? all.find(({ id }) => id === values[key])
      : order.find(({ data }) => !isEmpty(ownValue(data, key)));
    const value = ownValue((chosen ?? into).data, key);
    if (differs(ownValue(into.data, key), value)) changes.set(key, value ?? null);
  }
  return Object.fromEntries(changes);
}

export type ValueLoss = { readonly contact: Contact; readonly key: string; readonly value: unknown };

/** The values of these contacts from which the data after the merge differs. */
export function lostValues(from: readonly Contact[], after: Variables): ValueLoss[] {
  return from.flatMap((contact) =>
    Object.entries(contact.data)
      .filter(([key, value]) => !isEmpty(value) && differs(value, ownValue(after, key)))
      .map(([key, value]) => ({ contact, key, value })),
  );
}

/** The data's own values: an object has more names. */
function ownValue(data: Variables, key: string): unknown {
  return Object.hasOwn(data, key) ? data[key] : undefined;
}

function differs(one: unknown, other: unknown): boolean {
  return changedKeys({ value: one }, { value: other }).length > 0;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** A topic left by any of the contacts is left. */
export function strictTopics(all: readonly Pick<Contact, "topics">[]): ChoiceChanges {
  const keys = new Set(all.flatMap(({ topics }) => Object.keys(topics)));
  return Object.fromEntries(
    [...keys].map((key) => [key, all.some(({ topics }) => choiceOf(topics, key) === "out") ? "out" : "in"] as const),
  );
}

/** The later pause counts; null = none. */
export function latestPause(all: readonly Pick<Contact, "pausedUntil">[]): string | null {
  return all.reduce<string | null>(
    (latest, { pausedUntil }) => ((pausedUntil ?? "") > (latest ?? "") ? pausedUntil : latest),
    null,
  );
}

export type MergeAftermath = {
  readonly kept: MergeSurvivor;
  readonly now: Side;
  /** The person has unsubscribed since, though already unsubscribed. */
  readonly hasLeft: boolean;
  /** The same for topics. */
  readonly hasLeftTopics: boolean;
};

/** The contact that stays as it was before, with the changes since. */
export function sideBefore({ kept: { before, after }, now, hasLeft, hasLeftTopics }: MergeAftermath): Side {
  const isSame = (key: string) => !differs(ownValue(now.data, key), ownValue(after.data, key));
  const keys = [...new Set([...Object.keys(now.data), ...Object.keys(before.data)])];
  const data = keys.flatMap((key) => {
    const value = ownValue((isSame(key) ? before : now).data, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  const hasChanged = now.subscribed !== after.subscribed || hasLeft;
  const earlier = topicsBefore(now.topics, after.topics, before.topics);
  const choices = hasLeftTopics ? { ...earlier, ...leftIn(now.topics) } : earlier;
  return {
    data: Object.fromEntries(data),
    subscribed: hasChanged ? now.subscribed : before.subscribed,
    topics: choices,
    pausedUntil: now.pausedUntil === after.pausedUntil ? before.pausedUntil : now.pausedUntil,
  };
}

function topicsBefore(now: TopicChoices, after: TopicChoices, before: TopicChoices): TopicChoices {
  const keys = [...new Set([now, after, before].flatMap((choices) => Object.keys(choices)))];
  const said = keys.flatMap((key) => {
    const choice = choiceOf(now, key) === choiceOf(after, key) ? choiceOf(before, key) : choiceOf(now, key);
    return choice === null ? [] : [[key, choice] as const];
  });
  return Object.fromEntries(said);
}

/** The topics that the person has left. */
function leftIn(choices: TopicChoices): TopicChoices {
  return Object.fromEntries(Object.entries(choices).filter(([, choice]) => choice === "out"));
}

/** The merged contact as it was, with later opt-outs and a later pause. */
export function formerAfter(
  former: MergeSnapshot,
  { kept: { after }, now, hasLeft, hasLeftTopics }: MergeAftermath,
): Pick<Side, "subscribed" | "topics" | "pausedUntil"> {
  const left = hasLeft || (after.subscribed && !now.subscribed);
  const since = Object.entries(leftIn(now.topics)).filter(
    ([key]) => hasLeftTopics || choiceOf(after.topics, key) !== "out",
  );
  const pausedUntil = now.pausedUntil === after.pausedUntil ? former.pausedUntil : latestPause([former, now]);
  const subscribed = former.subscribed && !left;
  return {
    subscribed,
    topics: { ...former.topics, ...Object.fromEntries(since) },
    pausedUntil: left || !subscribed ? null : pausedUntil,
  };
}
