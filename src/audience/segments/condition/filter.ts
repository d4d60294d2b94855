// One filter of a condition: the subject of its field, the fitting operators, and its value (docs/segments.md).
import { parseAddress, soughtInAddresses } from "../../../base/addresses.ts";
import { DAY_MS, HOUR_MS, isDay, MINUTE_MS } from "../../../base/clock.ts";
import { COMPARISONS, CONTAINING, EQUALITY, ORDER, PRESENCE } from "../../comparisons/comparison.ts";
import { isNameable } from "../../contacts/data.ts";
import { momentOf } from "../../../base/moments.ts";
import type { Scalar } from "../../../store/store.ts";

export const UNIT_MS = { minutes: MINUTE_MS, hours: HOUR_MS, days: DAY_MS } as const;
export type Unit = keyof typeof UNIT_MS;
export const UNITS = Object.keys(UNIT_MS) as readonly Unit[];

export type ConditionFilter = {
  readonly field: string;
  readonly operator: Operator;
  readonly value?: Scalar;
  readonly unit?: Unit;
  /** Restricts events of emails to those with this tag. */
  readonly tag?: string;
};

export type FilterSubject =
  | { readonly kind: "email" }
  | { readonly kind: "subscribed" }
  | { readonly kind: "status" }
  /** True while marketing mail waits. */
  | { readonly kind: "paused" }
  | { readonly kind: "time"; readonly column: "createdAt" | "updatedAt" }
  | { readonly kind: "data"; readonly path: readonly string[] }
  /** The event's name in the log, for `event.<name>` and `email.<activity>` alike. */
  | { readonly kind: "event"; readonly name: string }
  | { readonly kind: "segment"; readonly id: string }
  /** The person's choice about the topic: in, out or unsaid. */
  | { readonly kind: "topic"; readonly key: string };

/** The person has made no choice about the topic. */
export const UNSAID = "unsaid";

const AGE = ["within", "olderThan"] as const;
const TRIGGER = ["triggered", "notTriggered"] as const;
const TRIGGER_AGE = ["triggeredWithin", "triggeredOlderThan", "notTriggeredWithin"] as const;
const MEMBERSHIP = ["memberOf", "notMemberOf"] as const;

export const OPERATORS = [...COMPARISONS, ...AGE, ...TRIGGER, ...TRIGGER_AGE, ...MEMBERSHIP] as const;
export type Operator = (typeof OPERATORS)[number];

/** The operators that fit each kind of field. */
export const FITTING: Readonly<Record<FilterSubject["kind"], readonly Operator[]>> = {
  email: [...EQUALITY, ...CONTAINING],
  subscribed: EQUALITY,
  status: EQUALITY,
  paused: EQUALITY,
  time: [...EQUALITY, ...ORDER, ...AGE],
  data: [...COMPARISONS, ...AGE],
  event: [...TRIGGER, ...TRIGGER_AGE],
  segment: MEMBERSHIP,
  topic: EQUALITY,
};

const WITH_A_SPAN: readonly Operator[] = [...AGE, ...TRIGGER_AGE];
const WITHOUT_A_VALUE: readonly Operator[] = [...PRESENCE, ...TRIGGER, ...MEMBERSHIP];

/** True for operators with a span of time, whose result changes as time passes. */
export function countsTime(operator: Operator): boolean {
  return WITH_A_SPAN.includes(operator);
}

export function takesNoValue(operator: Operator): boolean {
  return WITHOUT_A_VALUE.includes(operator);
}

const ACTIVITIES: Readonly<Record<string, string>> = {
  sent: "email.sent",
  delivered: "email.delivery",
  opened: "email.open",
  clicked: "email.click",
  bounced: "email.bounce",
  complained: "email.complaint",
};

/**
 * The subject of a field; null = none. A bare name is a field of the contact, else a key of its data, or an event if
 * the operator only fits events.
 */
export function subjectNamed(field: string, operator: Operator): FilterSubject | null {
  if (field === "email" || field === "subscribed" || field === "status" || field === "paused") return { kind: field };
  if (field === "createdAt" || field === "updatedAt") return { kind: "time", column: field };
  const [, prefix = "", rest = ""] = /^(email|event|segment|topic|data)\.(.*)$/s.exec(field) ?? [];
  if (prefix === "email") return Object.hasOwn(ACTIVITIES, rest) ? event(ACTIVITIES[rest] as string) : null;
  if (prefix === "event") return rest === "" ? null : event(rest);
  if (prefix === "topic") return rest === "" ? null : { kind: "topic", key: rest };
  if (prefix === "segment") return rest === "" ? null : { kind: "segment", id: rest };
  if (prefix === "" && FITTING.event.includes(operator)) return field === "" ? null : event(field);
  return data(prefix === "data" ? rest : field);
}

function event(name: string): FilterSubject {
  return { kind: "event", name };
}

function data(path: string): FilterSubject | null {
  const keys = path.split(".");
  return keys.every(isNameable) ? { kind: "data", path: keys } : null;
}

/** Among the events in conditions, only those of emails can have a tag. */
export function takesTag(subject: FilterSubject): boolean {
  return subject.kind === "event" && Object.values(ACTIVITIES).includes(subject.name);
}

/** The span of time that `value` and `unit` give. */
export function spanMs({ value, unit }: ConditionFilter): number {
  return Number(value) * UNIT_MS[unit ?? "days"];
}

/** A day, or a date-time with its time zone. */
export function isMoment(value: unknown): value is string {
  return (
    typeof value === "string" && momentOf(value) !== null && (isDay(value) || /(z|[+-]\d\d(:?\d\d)?)$/i.test(value))
  );
}

/** The value of a filter on addresses, in their stored form. */
export function soughtAddress(operator: Operator, text: string): string {
  const part = soughtInAddresses(text);
  return EQUALITY.includes(operator as "equals") ? (parseAddress(text.trim()) ?? part) : part;
}
