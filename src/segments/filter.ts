// One filter of a condition: what its field names, which operators fit it, what value it takes (interface-gaps.md §4).
import { DAY_MS, HOUR_MS, isDay, MINUTE_MS } from "../clock.ts";
import { isNameable } from "../contacts/data.ts";

export const UNIT_MS = { minutes: MINUTE_MS, hours: HOUR_MS, days: DAY_MS } as const;
export type Unit = keyof typeof UNIT_MS;
export const UNITS = Object.keys(UNIT_MS) as readonly Unit[];

export type Scalar = string | number | boolean;

export type Filter = {
  readonly field: string;
  readonly operator?: Operator;
  readonly value?: Scalar;
  readonly unit?: Unit;
};

export type Subject =
  | { readonly kind: "email" }
  | { readonly kind: "subscribed" }
  | { readonly kind: "status" }
  | { readonly kind: "time"; readonly column: "createdAt" | "updatedAt" }
  | { readonly kind: "data"; readonly path: readonly string[] }
  /** Of `event.<name>` and of `email.<activity>` alike: the event's name in the log. */
  | { readonly kind: "event"; readonly name: string }
  | { readonly kind: "segment"; readonly id: string };

const EQUALITY = ["equals", "notEquals"] as const;
const CONTAINING = ["contains", "notContains"] as const;
/** These compare with a number, or with a moment, which is a text. */
export const ORDER = ["greaterThan", "lessThan", "greaterThanOrEqual", "lessThanOrEqual"] as const;
const PRESENCE = ["exists", "notExists"] as const;
const AGE = ["within", "olderThan"] as const;
const TRIGGER = ["triggered", "notTriggered"] as const;
const TRIGGER_AGE = ["triggeredWithin", "triggeredOlderThan", "notTriggeredWithin"] as const;
const MEMBERSHIP = ["memberOf", "notMemberOf"] as const;

/** What a value can be asked for by itself, whatever the time is. */
export const COMPARISONS = [...EQUALITY, ...CONTAINING, ...ORDER, ...PRESENCE] as const;

export const OPERATORS = [...COMPARISONS, ...AGE, ...TRIGGER, ...TRIGGER_AGE, ...MEMBERSHIP] as const;
export type Operator = (typeof OPERATORS)[number];

/** What fits what; anything else is refused by name. */
export const FITTING: Readonly<Record<Subject["kind"], readonly Operator[]>> = {
  email: [...EQUALITY, ...CONTAINING],
  subscribed: EQUALITY,
  status: EQUALITY,
  time: [...EQUALITY, ...ORDER, ...AGE],
  data: [...EQUALITY, ...CONTAINING, ...ORDER, ...PRESENCE, ...AGE],
  event: [...TRIGGER, ...TRIGGER_AGE],
  segment: MEMBERSHIP,
};

const WITH_A_SPAN: readonly Operator[] = [...AGE, ...TRIGGER_AGE];
const WITHOUT_A_VALUE: readonly Operator[] = [...PRESENCE, ...TRIGGER, ...MEMBERSHIP];

/** Takes a number of units of time, and means something else from one moment to the next. */
export function countsTime(operator: Operator): boolean {
  return WITH_A_SPAN.includes(operator);
}

export function takesNoValue(operator: Operator): boolean {
  return WITHOUT_A_VALUE.includes(operator);
}

export function operatorOf({ operator }: Filter): Operator {
  return operator ?? "equals";
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
 * What a field names; null if it names nothing. A bare name that is none of a contact's own means the contact's data, or
 * the event of that name with an operator that only fits events.
 */
export function subjectNamed(field: string, operator: Operator): Subject | null {
  if (field === "email" || field === "subscribed" || field === "status") return { kind: field };
  if (field === "createdAt" || field === "updatedAt") return { kind: "time", column: field };
  const [, prefix = "", rest = ""] = /^(email|event|segment|data)\.(.*)$/s.exec(field) ?? [];
  if (prefix === "email") return Object.hasOwn(ACTIVITIES, rest) ? event(ACTIVITIES[rest] as string) : null;
  if (prefix === "event") return rest === "" ? null : event(rest);
  if (prefix === "segment") return rest === "" ? null : { kind: "segment", id: rest };
  if (prefix === "" && FITTING.event.includes(operator)) return field === "" ? null : event(field);
  return data(prefix === "data" ? rest : field);
}

function event(name: string): Subject {
  return { kind: "event", name };
}

function data(path: string): Subject | null {
  const keys = path.split(".");
  return keys.every(isNameable) ? { kind: "data", path: keys } : null;
}

/** The length of time that a filter with `value` and `unit` counts. */
export function spanMs({ value, unit }: Filter): number {
  return Number(value) * UNIT_MS[unit ?? "days"];
}

/** A day, or a date-time with its time zone (RFC 3339). */
export function isMoment(value: unknown): value is string {
  if (isDay(value)) return true;
  const form = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;
  return typeof value === "string" && form.test(value) && isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value));
}
