// Which data, topics and subscription the contact that stays has after a merge, and after it is undone.
import { changedKeys, type Variables } from "../../contacts/data.ts";
import type { Contact } from "../../contacts/queries.ts";
import { choiceOf, type ChoiceChanges } from "../../topics/choice.ts";
import type { Choices } from "../../topics/queries.ts";
import type { Kept, Side, Snapshot } from "./queries.ts";

/** keep: the contact that stays, and what it lacks from the others. newest: who was changed last. */
export const RULES = ["keep", "newest"] as const;
export type Rule = (typeof RULES)[number];

export type DataInput = {
  readonly rule: Rule;
  /** By key: the public id of the contact whose value counts. */
  readonly values: Readonly<Record<string, string>>;
};

/** What changes of the data of the contact that stays, the first of `all`; null deletes a key. */
export function dataChanges(all: readonly Contact[], { rule, values }: DataInput): Variables {
  const [into] = all as readonly [Contact];
  const order =
    rule === "keep"
      ? all
      : all.toSorted((one, other) => (one.updatedAt < other.updatedAt ? 1 : one.updatedAt > other.updatedAt ? -1 : 0));
  const changes: Record<string, unknown> = {};
  for (const key of new Set(all.flatMap(({ data }) => Object.keys(data)))) {
    const chosen =
      values[key] === undefined
        ? order.find(({ data }) => !isEmpty(data[key]))
        : all.find(({ id }) => id === values[key]);
    const value = (chosen ?? into).data[key];
    if (changedKeys({ [key]: into.data[key] }, { [key]: value }).length > 0) changes[key] = value ?? null;
  }
  return changes;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** Who has left a topic anywhere has left it. */
export function strictTopics(all: readonly Pick<Contact, "topics">[]): ChoiceChanges {
  const keys = new Set(all.flatMap(({ topics }) => Object.keys(topics)));
  return Object.fromEntries(
    [...keys].map((key) => [key, all.some(({ topics }) => choiceOf(topics, key) === "out") ? "out" : "in"] as const),
  );
}

/** The later pause counts; null = there is none. */
export function latestPause(all: readonly Pick<Contact, "pausedUntil">[]): string | null {
  return all.reduce<string | null>(
    (latest, { pausedUntil }) => ((pausedUntil ?? "") > (latest ?? "") ? pausedUntil : latest),
    null,
  );
}

type Since = {
  readonly kept: Kept;
  readonly now: Side;
  /** Unsubscribed since, though it was already. */ readonly hasLeft: boolean;
};

/** The contact that stays as it was before, but what has changed since stays. */
export function sideBefore({ kept: { before, after }, now, hasLeft }: Since): Side {
  const isSame = (key: string) => changedKeys({ [key]: now.data[key] }, { [key]: after.data[key] }).length === 0;
  const keys = [...new Set([...Object.keys(now.data), ...Object.keys(before.data)])];
  const data = keys.flatMap((key) => {
    const value = isSame(key) ? before.data[key] : now.data[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  const hasChanged = now.subscribed !== after.subscribed || hasLeft;
  const choices = topicsBefore(now.topics, after.topics, before.topics);
  return {
    data: Object.fromEntries(data),
    subscribed: hasChanged ? now.subscribed : before.subscribed,
    topics: choices,
    pausedUntil: now.pausedUntil === after.pausedUntil ? before.pausedUntil : now.pausedUntil,
  };
}

function topicsBefore(now: Choices, after: Choices, before: Choices): Choices {
  const keys = [...new Set([now, after, before].flatMap((choices) => Object.keys(choices)))];
  const said = keys.flatMap((key) => {
    const choice = choiceOf(now, key) === choiceOf(after, key) ? choiceOf(before, key) : choiceOf(now, key);
    return choice === null ? [] : [[key, choice] as const];
  });
  return Object.fromEntries(said);
}

/** The contact that was merged as it was, but what was left since is left here as well. */
export function formerAfter(
  former: Snapshot,
  { kept: { after }, now, hasLeft }: Since,
): Pick<Side, "subscribed" | "topics" | "pausedUntil"> {
  const left = hasLeft || (after.subscribed && !now.subscribed);
  const leftTopics = Object.keys(now.topics).filter(
    (key) => choiceOf(now.topics, key) === "out" && choiceOf(after.topics, key) !== "out",
  );
  const topics = { ...former.topics, ...Object.fromEntries(leftTopics.map((key) => [key, "out"] as const)) };
  return { subscribed: former.subscribed && !left, topics, pausedUntil: left ? null : former.pausedUntil };
}
