// Describes filters and groups in words.
import type { condition } from "../texts/en/condition.ts";
import type { FilterNode, GroupNode, ConditionNode } from "./draft.ts";
import {
  ACTIVITIES,
  CHOICES,
  isTime,
  subjectOf,
  takesNoValue,
  takesSpan,
  type KnownSegment,
  type FilterOperator,
  type FilterSubject,
} from "./subjects.ts";

export type ConditionNames = {
  readonly t: typeof condition;
  readonly segments: readonly KnownSegment[];
  /** `id` is the topic's key. */
  readonly topics: readonly KnownSegment[];
  readonly number: (value: number) => string;
};

export function fieldName(subject: FilterSubject, { t, segments, topics }: ConditionNames): string {
  if (subject.kind === "data") return subject.path;
  if (subject.kind === "event") return t.eventNamed(subject.name);
  if (subject.kind === "mail") return ACTIVITIES.includes(subject.name) ? t.mails[subject.name] : subject.name;
  if (subject.kind === "time") return t.fields[subject.name];
  if (subject.kind === "segment") return t.segmentNamed(segmentName(subject.id, { t, segments }));
  if (subject.kind === "topic") return t.topicNamed(topics.find(({ id }) => id === subject.key)?.name ?? subject.key);
  return t.fields[subject.kind];
}

function segmentName(id: string, { t, segments }: Pick<ConditionNames, "t" | "segments">): string {
  return segments.find((segment) => segment.id === id)?.name ?? (segments.length > 0 ? t.segmentGone : t.unfilled);
}

/** `isTime`: the value is a day or a moment. */
export function operatorName(operator: FilterOperator, isTime: boolean, { t }: ConditionNames): string {
  const ofTime: Readonly<Partial<Record<FilterOperator, string>>> = t.timeOperators;
  return (isTime ? ofTime[operator] : undefined) ?? t.operators[operator];
}

/** "plan is pro". */
export function describe(node: ConditionNode, words: ConditionNames): string {
  if (node.kind === "group") return describeGroup(node, words);
  const subject = subjectOf(node);
  if (subject.kind === "segment") {
    const name = segmentName(subject.id, words);
    return node.operator === "memberOf" ? words.t.inSegment(name) : words.t.notInSegment(name);
  }
  if (subject.kind === "subscribed" && node.value !== undefined)
    return node.value === (node.operator === "equals") ? words.t.isSubscribed : words.t.isNotSubscribed;
  if (subject.kind === "paused" && node.value !== undefined)
    return node.value === (node.operator === "equals") ? words.t.isPaused : words.t.isNotPaused;
  const ofTime = subject.kind === "time" || (subject.kind === "data" && isTime(node.value));
  const operator = operatorName(node.operator, ofTime, words);
  const name = fieldName(subject, words);
  const head = isActivity(subject) ? words.t.happening(name, operator) : `${name} ${operator}`;
  const said = takesNoValue(node.operator) ? head : `${head} ${describeValue(node, subject, words)}`;
  return node.tag === undefined ? said : words.t.tagged(said, node.tag);
}

function isActivity({ kind }: FilterSubject): boolean {
  return kind === "event" || kind === "mail";
}

function describeGroup({ join, items }: GroupNode, words: ConditionNames): string {
  const parts = items.map((item) =>
    item.kind === "group" ? `(${describeGroup(item, words)})` : describe(item, words),
  );
  return join === "all" ? words.t.allOf(parts) : words.t.anyOf(parts);
}

function describeValue(
  { value, unit, operator }: FilterNode,
  { kind }: FilterSubject,
  { t, number }: ConditionNames,
): string {
  if (value === undefined || value === "") return t.unfilled;
  if (takesSpan(operator)) return `${number(Number(value))} ${t.units[unit ?? "days"](Number(value) === 1)}`;
  if (typeof value === "boolean") return value ? t.yes : t.no;
  if (kind === "status") return t.statuses[value === "PENDING" ? "PENDING" : "ACTIVE"];
  if (kind === "topic") return t.choices[CHOICES.find((choice) => choice === value) ?? "unsaid"];
  return typeof value === "number" ? number(value) : value;
}
