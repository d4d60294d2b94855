// What the conditions of segments mean, written down a second time, in plain TypeScript over plain objects.
import type { Condition } from "../../src/audience/segments/condition/check.ts";

export type Person = {
  readonly seq: number;
  readonly email: string;
  readonly subscribed: boolean;
  readonly status: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly events: readonly { readonly name: string; readonly at: string; readonly tags?: readonly string[] }[];
};

type Filter = {
  readonly field: string;
  readonly operator?: string;
  readonly value?: unknown;
  readonly unit?: string;
  readonly tag?: string;
};

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
    return eventFits(tagged(person, filter.tag), EVENT_OF[field] ?? field.replace(/^event\./, ""), operator, since);
  if (field === "email" || field === "subscribed" || field === "status")
    return textFits(person[field], operator, field === "email" ? String(filter.value).toLowerCase() : filter.value);
  if (field === "createdAt" || field === "updatedAt")
    return timeFits(person[field], operator, String(filter.value), since);
  return dataFits(at(person.data, field.replace(/^data\./, "").split(".")), operator, filter.value, since, nowMs);
}

function tagged(person: Person, tag: string | undefined): Person {
  return tag === undefined ? person : { ...person, events: person.events.filter(({ tags }) => tags?.includes(tag)) };
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

export function dataFits(value: unknown, operator: string, wanted: unknown, since: Date, nowMs: number): boolean {
  const isMissing = value === undefined || value === null;
  if (operator === "notExists") return isMissing;
  if (isMissing) return false;
  if (operator === "exists") return true;
  if (operator === "contains" || operator === "notContains")
    return contains(value, wanted) === (operator === "contains");
  if (operator === "within" || operator === "olderThan") {
    const moment = instant(value);
    const [from, until] = [instant(since.toISOString()) ?? 0n, instant(new Date(nowMs).toISOString()) ?? 0n];
    if (moment === null) return false;
    return operator === "olderThan" ? moment < from : moment >= from && moment <= until;
  }
  if (operator === "equals" || operator === "notEquals") return isEqual(value, wanted) === (operator === "equals");
  const [one, other] = [instant(value), instant(wanted)];
  if (one !== null && other !== null) return inOrder(one, operator, other);
  if (typeof value === "number" && typeof wanted === "number") return inOrder(value, operator, wanted);
  if (typeof value !== "string" || typeof wanted !== "string") return false;
  return inOrder(bytes(value), operator, bytes(wanted));
}

function contains(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => typeof item === typeof wanted && fold(item) === fold(wanted));
  return typeof value === "string" && typeof wanted === "string" && String(fold(value)).includes(String(fold(wanted)));
}

function isEqual(value: unknown, wanted: unknown): boolean {
  const [one, other] = [instant(value), instant(wanted)];
  if (other === null) return value === wanted;
  if (one === null) return false;
  return String(wanted).length === 10 ? one / DAY === other / DAY : one === other;
}

/** Sorts as the bytes of the text do. */
function bytes(text: string): string {
  return Buffer.from(text).toString("hex");
}

const SECOND = 1_000_000_000n;
const DAY = 86_400n * SECOND;

const KNOWN = new Map<string, bigint | null>();

/** Nanoseconds since the year 0; null for what is no date or date-time. */
function instant(value: unknown): bigint | null {
  if (typeof value !== "string") return null;
  if (!KNOWN.has(value)) KNOWN.set(value, readInstant(value));
  return KNOWN.get(value) ?? null;
}

/** Goes through the text from left to right. */
function readInstant(text: string): bigint | null {
  let rest = text;
  const take = (form: string): string | null => {
    for (const [at, wanted] of [...form].entries()) {
      const found = rest.charAt(at);
      if (wanted === "9" ? !"0123456789".includes(found) || found === "" : !wanted.includes(found)) return null;
    }
    const taken = rest.slice(0, form.length);
    rest = rest.slice(form.length);
    return taken;
  };
  const [year, month, day] = (take("9999-99-99") ?? "0-0-0").split("-").map(Number) as [number, number, number];
  if (day < 1 || day > daysIn(year, month)) return null;
  let at = BigInt(daysBefore(year, month) + day - 1) * DAY;
  if (rest === "") return at;
  if (!["t", "T", " "].includes(rest.charAt(0))) return null;
  rest = rest.slice(1);
  const [hour, minute] = (take("99:99") ?? "99:99").split(":").map(Number) as [number, number];
  const second = Number(rest.startsWith(":") ? (take(":99") ?? ":99").slice(1) : 0);
  if (hour > 24 || minute > 59 || second > 59) return null;
  let fraction = "";
  if (rest.startsWith(".") || rest.startsWith(",")) {
    if (text.charAt(16) !== ":") return null;
    rest = rest.slice(1);
    for (let digit = take("9"); digit !== null; digit = take("9")) fraction += digit;
    if (fraction === "" || fraction.length > 9) return null;
  }
  const passed = BigInt(hour * 3600 + minute * 60 + second) * SECOND + BigInt(fraction.padEnd(9, "0"));
  if (passed > DAY) return null;
  at += passed;
  if (rest === "" || rest === "Z" || rest === "z") return at;
  const sign = rest.charAt(0) === "+" ? -1 : rest.charAt(0) === "-" ? 1 : 0;
  const offset = rest.slice(1).replace(/^(..):/, "$1");
  if (sign === 0 || ![2, 4].includes(offset.length) || /[^0-9]/.test(offset) || /:$/.test(rest)) return null;
  const [hours, minutes] = [Number(offset.slice(0, 2)), Number(offset.slice(2))];
  if (hours > 23 || minutes > 59) return null;
  at += BigInt(sign * (hours * 3600 + minutes * 60)) * SECOND;
  return at < 0n || at >= BigInt(daysBefore(10_000, 1)) * DAY ? null : at;
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function daysIn(year: number, month: number): number {
  return [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

function daysBefore(year: number, month: number): number {
  let days = 0;
  for (let one = 0; one < year; one++) days += isLeap(one) ? 366 : 365;
  for (let one = 1; one < month; one++) days += daysIn(year, one);
  return days;
}

/** Letters A to Z. */
function fold(text: unknown): unknown {
  return typeof text !== "string" ? text : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function inOrder<Value extends string | number | bigint>(value: Value, operator: string, wanted: Value): boolean {
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
