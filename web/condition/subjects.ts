// The fields that filters can use, and the operators that fit each: the table in docs/segments.md.
import type { components } from "../api.gen.ts";

export type ConditionFilter = components["schemas"]["Condition"]["groups"][number]["filters"][number];
export type FilterOperator = ConditionFilter["operator"];
export type FilterUnit = NonNullable<ConditionFilter["unit"]>;
export type Value = NonNullable<ConditionFilter["value"]>;

export const ACTIVITIES = ["sent", "delivered", "opened", "clicked", "bounced", "complained"] as const;
export type Activity = (typeof ACTIVITIES)[number];

export type FilterSubject =
  | { readonly kind: "email" | "subscribed" | "status" | "paused" }
  | { readonly kind: "time"; readonly name: "createdAt" | "updatedAt" }
  | { readonly kind: "data"; readonly path: string }
  | { readonly kind: "event"; readonly name: string }
  | { readonly kind: "mail"; readonly name: Activity }
  | { readonly kind: "segment"; readonly id: string }
  | { readonly kind: "topic"; readonly key: string };

export type SubjectKind = FilterSubject["kind"];
export type KnownSegment = { readonly id: string; readonly name: string };

/** `id`: the topic's key. `default`: counts for people who have made no choice. */
export type KnownTopic = KnownSegment & { readonly default: "in" | "out" };

const EQUALITY = ["equals", "notEquals"] as const;
const CONTAINING = ["contains", "notContains"] as const;
const ORDER = ["greaterThan", "lessThan", "greaterThanOrEqual", "lessThanOrEqual"] as const;
const PRESENCE = ["exists", "notExists"] as const;
const AGE = ["within", "olderThan"] as const;
const TRIGGER = ["triggered", "notTriggered"] as const;
const TRIGGER_AGE = ["triggeredWithin", "notTriggeredWithin", "triggeredOlderThan"] as const;
const MEMBERSHIP = ["memberOf", "notMemberOf"] as const;

export const CHOICES = ["in", "out", "unsaid"] as const;

/** The operators of each subject in order; the first is the default. */
export const FITTING: Readonly<Record<SubjectKind, readonly FilterOperator[]>> = {
  email: [...CONTAINING, ...EQUALITY],
  subscribed: EQUALITY,
  status: EQUALITY,
  paused: EQUALITY,
  time: [...AGE, ...EQUALITY, "greaterThanOrEqual", "lessThan", "greaterThan", "lessThanOrEqual"],
  data: [...EQUALITY, ...CONTAINING, ...ORDER, ...PRESENCE, ...AGE],
  event: [...TRIGGER, ...TRIGGER_AGE],
  mail: [...TRIGGER_AGE, ...TRIGGER],
  segment: MEMBERSHIP,
  topic: EQUALITY,
};

/** The operators for a data value by its type, in order; the first is the default. */
const OF_DATA: Readonly<Record<ValueKind | "list", readonly FilterOperator[]>> = {
  text: [...EQUALITY, ...CONTAINING, ...PRESENCE],
  number: [...EQUALITY, ...ORDER, ...PRESENCE],
  flag: [...EQUALITY, ...PRESENCE],
  date: [...AGE, ...EQUALITY, "greaterThanOrEqual", "lessThan", "greaterThan", "lessThanOrEqual", ...PRESENCE],
  list: [...CONTAINING, ...PRESENCE],
};

/** In order; the first is the default. `type`: the type of a data value; null = not known, so all are offered. */
export function operatorsFor({ kind }: FilterSubject, type: ValueKind | "list" | null): readonly FilterOperator[] {
  return kind === "data" && type !== null ? OF_DATA[type] : FITTING[kind];
}

const WITH_A_SPAN: readonly FilterOperator[] = [...AGE, ...TRIGGER_AGE];
const WITHOUT_A_VALUE: readonly FilterOperator[] = [...PRESENCE, ...TRIGGER, ...MEMBERSHIP];

export const UNITS = ["minutes", "hours", "days"] as const satisfies readonly FilterUnit[];

export function takesNoValue(operator: FilterOperator): boolean {
  return WITHOUT_A_VALUE.includes(operator);
}

export function takesSpan(operator: FilterOperator): boolean {
  return WITH_A_SPAN.includes(operator);
}

/** A bare name is a data key, or an event if the operator only fits events. */
export function subjectOf({ field, operator }: Pick<ConditionFilter, "field" | "operator">): FilterSubject {
  if (field === "email" || field === "subscribed" || field === "status" || field === "paused") return { kind: field };
  if (field === "createdAt" || field === "updatedAt") return { kind: "time", name: field };
  const [, prefix = "", rest = ""] = /^(email|event|segment|topic|data)\.(.*)$/s.exec(field) ?? [];
  if (prefix === "email") return { kind: "mail", name: rest as Activity };
  if (prefix === "event") return { kind: "event", name: rest };
  if (prefix === "topic") return { kind: "topic", key: rest };
  if (prefix === "segment") return { kind: "segment", id: rest };
  if (prefix === "" && FITTING.event.includes(operator)) return { kind: "event", name: field };
  return { kind: "data", path: prefix === "data" ? rest : field };
}

/** The type of a data value. Values of different types are never equal. */
export type ValueKind = "text" | "number" | "flag" | "date";

const DAY = /^\d{4}-\d\d-\d\d$/;

/** True for a day, and for a time as the API writes it. */
export function isTime(value: Value | undefined): boolean {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d(T|$)/.test(value);
}

export function isDay(value: Value | undefined): boolean {
  return typeof value === "string" && DAY.test(value);
}
