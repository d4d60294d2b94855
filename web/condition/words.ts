// Filters and groups in words, as the builder, the fall of the number and the answer to "why" say them.
import type { condition } from "../texts/en/condition.ts";
import type { FilterNode, GroupNode, Node } from "./draft.ts";
import {
  ACTIVITIES,
  subjectOf,
  takesNoValue,
  takesSpan,
  type KnownSegment,
  type Operator,
  type Subject,
} from "./subjects.ts";

export type Words = {
  readonly t: typeof condition;
  readonly segments: readonly KnownSegment[];
  readonly number: (value: number) => string;
};

export function fieldName(subject: Subject, { t, segments }: Words): string {
  if (subject.kind === "data") return subject.path;
  if (subject.kind === "event") return t.eventNamed(subject.name);
  if (subject.kind === "mail") return ACTIVITIES.includes(subject.name) ? t.mails[subject.name] : subject.name;
  if (subject.kind === "time") return t.fields[subject.name];
  if (subject.kind === "segment") return t.segmentNamed(segmentName(subject.id, { t, segments }));
  return t.fields[subject.kind];
}

function segmentName(id: string, { t, segments }: Pick<Words, "t" | "segments">): string {
  return segments.find((segment) => segment.id === id)?.name ?? (segments.length > 0 ? t.segmentGone : t.unfilled);
}

export function operatorName(operator: Operator, { kind }: Subject, { t }: Words): string {
  const ofTime: Readonly<Partial<Record<Operator, string>>> = t.timeOperators;
  return (kind === "time" ? ofTime[operator] : undefined) ?? t.operators[operator];
}

/** "plan is pro". */
export function said(node: Node, words: Words): string {
  if (node.kind === "group") return saidGroup(node, words);
  const subject = subjectOf(node);
  if (subject.kind === "segment") {
    const name = segmentName(subject.id, words);
    return node.operator === "memberOf" ? words.t.inSegment(name) : words.t.notInSegment(name);
  }
  if (subject.kind === "subscribed" && node.value !== undefined)
    return node.value === (node.operator === "equals") ? words.t.isSubscribed : words.t.isNotSubscribed;
  const operator = operatorName(node.operator, subject, words);
  const name = fieldName(subject, words);
  const head = isHappening(subject) ? words.t.happening(name, operator) : `${name} ${operator}`;
  return takesNoValue(node.operator) ? head : `${head} ${saidValue(node, subject, words)}`;
}

function isHappening({ kind }: Subject): boolean {
  return kind === "event" || kind === "mail";
}

function saidGroup({ join, items }: GroupNode, words: Words): string {
  const parts = items.map((item) => (item.kind === "group" ? `(${saidGroup(item, words)})` : said(item, words)));
  return join === "all" ? words.t.allOf(parts) : words.t.anyOf(parts);
}

function saidValue({ value, unit, operator }: FilterNode, { kind }: Subject, { t, number }: Words): string {
  if (value === undefined || value === "") return t.unfilled;
  if (takesSpan(operator)) return `${number(Number(value))} ${t.units[unit ?? "days"](Number(value) === 1)}`;
  if (typeof value === "boolean") return value ? t.yes : t.no;
  if (kind === "status") return t.statuses[value === "PENDING" ? "PENDING" : "ACTIVE"];
  return typeof value === "number" ? number(value) : value;
}
