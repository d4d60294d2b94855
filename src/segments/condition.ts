// A condition as SQL: one expression over a contact, with every name and value bound.
import { parseAddress, soughtInAddresses } from "../addresses.ts";
import { DAY_MS, isDay, iso } from "../clock.ts";
import { C_PRESENT } from "../contacts/queries.ts";
import { contactTopic, dataTopic, eventTopic, segmentTopic } from "../events/topics.ts";
import { joined, list, sql, type Sql } from "../store/sql.ts";
import type { Dialect, JsonPlace } from "../store/store.ts";
import { filtersOf, type Condition, type Group } from "./condition-check.ts";
import {
  countsTime,
  isMoment,
  subjectNamed,
  operatorOf,
  spanMs,
  type Filter,
  type Subject,
  type Scalar,
} from "./filter.ts";

/** What a condition is read with. */
type Reading = {
  readonly dialect: Dialect;
  /** The moment from which within, olderThan and their like count. */
  readonly nowMs: number;
  /** Segments whose members are not kept up to now, each with what its members match (references.ts). */
  readonly live?: ReadonlyMap<string, Sql>;
};

/**
 * True for the contacts `c` that match, and are not being erased. Who lacks what a filter speaks of matches notExists,
 * notTriggered, notTriggeredWithin and notMemberOf, and nothing else: neither notEquals nor notContains.
 */
export function conditionSql(condition: Condition, reading: Reading): Sql {
  return sql`(${matchSql(condition, reading)} and ${C_PRESENT})`;
}

function matchSql({ logic, groups }: Condition, reading: Reading): Sql {
  const parts = groups.map((group) => groupSql(group, reading));
  return sql`(${joined(parts, logic === "OR" ? " or " : " and ")})`;
}

/** What has to be watched so that nobody who comes to match, or no longer does, is missed; `seqs` by public id. */
export function topicsOf(condition: Condition, seqs: ReadonlyMap<string, number>): string[] {
  const topics = filtersOf(condition).flatMap((filter) => topicOf(subjectOf(filter), seqs));
  return [...new Set([contactTopic("new"), ...topics])];
}

/** True if contacts come to match, or cease to, while nothing happens but time. */
export function isTimeBound(condition: Condition): boolean {
  return filtersOf(condition).some((filter) => countsTime(operatorOf(filter)));
}

/** The public ids of the segments that a condition names, each with how often it does. */
export function mentionsIn(condition: Condition): Map<string, number> {
  const mentions = new Map<string, number>();
  for (const subject of filtersOf(condition).map(subjectOf))
    if (subject.kind === "segment") mentions.set(subject.id, (mentions.get(subject.id) ?? 0) + 1);
  return mentions;
}

export function segmentsIn(condition: Condition): string[] {
  return [...mentionsIn(condition).keys()];
}

/** What the field of a filter that was checked names. */
export function subjectOf(filter: Filter): Subject {
  const subject = subjectNamed(filter.field, operatorOf(filter));
  if (!subject) throw new Error(`A condition that was checked names no field: ${filter.field}`);
  return subject;
}

function topicOf(subject: Subject, seqs: ReadonlyMap<string, number>): string[] {
  if (subject.kind === "data") return [dataTopic(subject.path[0] as string)];
  if (subject.kind === "event") return [eventTopic(subject.name)];
  if (subject.kind === "segment") return [segmentTopic(seqs.get(subject.id) ?? 0)];
  if (subject.kind !== "time") return [contactTopic(subject.kind)];
  return subject.column === "updatedAt" ? [contactTopic("updatedAt")] : [];
}

function groupSql({ filters, conditions }: Group, reading: Reading): Sql {
  const parts = filters.map((filter) => filterSql(filter, reading));
  return sql`(${joined(conditions ? [...parts, matchSql(conditions, reading)] : parts, " and ")})`;
}

function filterSql(filter: Filter, reading: Reading): Sql {
  const subject = subjectOf(filter);
  if (subject.kind === "email") return emailSql(filter);
  if (subject.kind === "subscribed") return equality(filter, sql`c.subscribed`, filter.value ? 1 : 0);
  if (subject.kind === "status") return equality(filter, sql`c.status`, filter.value as string);
  if (subject.kind === "time") return timeSql(filter, subject.column, reading);
  if (subject.kind === "data") return dataSql(filter, subject.path, reading);
  return subject.kind === "event" ? eventSql(filter, subject.name, reading) : memberSql(filter, subject.id, reading);
}

function equality({ operator }: Filter, column: Sql, value: string | number): Sql {
  return operator === "notEquals" ? sql`${column} <> ${value}` : sql`${column} = ${value}`;
}

function emailSql(filter: Filter): Sql {
  const text = filter.value as string;
  const part = soughtInAddresses(text);
  if (filter.operator === "contains") return sql`instr(c.email, ${part}) > 0`;
  if (filter.operator === "notContains") return sql`instr(c.email, ${part}) = 0`;
  return equality(filter, sql`c.email`, parseAddress(text.trim()) ?? part);
}

function timeSql(filter: Filter, name: "createdAt" | "updatedAt", { nowMs }: Reading): Sql {
  const column = name === "createdAt" ? sql`c.created_at` : sql`c.updated_at`;
  if (countsTime(operatorOf(filter))) return ageSql(filter, column, nowMs);
  const moment = iso(Date.parse(filter.value as string));
  if (!isDay(filter.value)) return comparison(filter, column, moment);
  return daySql(filter, column, moment, iso(Date.parse(moment) + DAY_MS));
}

function ageSql(filter: Filter, column: Sql, nowMs: number): Sql {
  const since = iso(nowMs - spanMs(filter));
  return filter.operator === "within" ? sql`${column} >= ${since}` : sql`${column} < ${since}`;
}

/** A day is equal to all of its moments; in an order it stands for its first one. */
function daySql(filter: Filter, column: Sql, from: string, until: string): Sql {
  if (operatorOf(filter) === "equals") return sql`(${column} >= ${from} and ${column} < ${until})`;
  if (filter.operator === "notEquals") return sql`(${column} < ${from} or ${column} >= ${until})`;
  return comparison(filter, column, from);
}

function comparison(filter: Filter, column: Sql, value: string | number): Sql {
  if (filter.operator === "greaterThan") return sql`${column} > ${value}`;
  if (filter.operator === "lessThan") return sql`${column} < ${value}`;
  if (filter.operator === "greaterThanOrEqual") return sql`${column} >= ${value}`;
  if (filter.operator === "lessThanOrEqual") return sql`${column} <= ${value}`;
  return equality(filter, column, value);
}

/** Values are of a type: the text "7" is not the number 7, and each is compared with its like alone. */
function dataSql(filter: Filter, path: readonly string[], { dialect, nowMs }: Reading): Sql {
  const operator = operatorOf(filter);
  const place = dialect.jsonAt(sql`c.data`, path);
  const value = filter.value as Scalar;
  if (operator === "exists") return sql`not ${place.isNull}`;
  if (operator === "notExists") return place.isNull;
  if (operator === "contains") return sql`instr(lower(${place.text}), ${asciiLower(value)}) > 0`;
  if (operator === "notContains") return notContaining(sql`lower(${place.text})`, place.isNull, asciiLower(value));
  if (countsTime(operator)) return place.ofMoment((moment) => ageInData(filter, moment, nowMs));
  if (isDay(value)) return dayInData(filter, place);
  if (isMoment(value)) return momentInData(filter, place);
  if (operator === "equals") return place.equals(value);
  if (operator === "notEquals") return sql`(not ${place.isNull} and not ${place.equals(value)})`;
  return comparison(filter, typeof value === "number" ? place.number : place.text, value as string | number);
}

/** What is no text contains nothing. */
function notContaining(text: Sql, isNull: Sql, part: string): Sql {
  return sql`(not ${isNull} and coalesce(instr(${text}, ${part}), 0) = 0)`;
}

/** What lies in the future is not within the last days; what does not begin as a date has no age. */
function ageInData(filter: Filter, moment: Sql, nowMs: number): Sql {
  const age = ageSql(filter, moment, nowMs);
  if (filter.operator === "within") return sql`${age} and ${moment} <= ${iso(nowMs)}`;
  return sql`${age} and ${moment} like '____-__-__%'`;
}

/** Dates in data may be written as days or as moments; both sort as texts. */
function dayInData(filter: Filter, { isNull, ofMoment }: JsonPlace): Sql {
  const day = filter.value as string;
  const next = iso(Date.parse(day) + DAY_MS).slice(0, 10);
  if (filter.operator !== "notEquals") return ofMoment((moment) => daySql(filter, moment, day, next));
  const isOnDay = ofMoment((moment) => sql`${moment} >= ${day} and ${moment} < ${next}`);
  return sql`(not ${isNull} and ${isOnDay} is not true)`;
}

/** Equal to each form that a moment has in UTC: with milliseconds and, where they are zero, without them and without seconds. */
function momentInData(filter: Filter, { isNull, ofMoment }: JsonPlace): Sql {
  const value = filter.value as string;
  const from = iso(Date.parse(value));
  const forms = list([...new Set([value, from, from.replace(".000Z", "Z"), from.replace(":00.000Z", "Z")])]);
  const { operator } = filter;
  if (operator === "greaterThan") return ofMoment((moment) => sql`${moment} > ${from} and ${moment} not in (${forms})`);
  if (operator === "lessThan") return ofMoment((moment) => sql`${moment} < ${from} and ${moment} not in (${forms})`);
  if (operator === "greaterThanOrEqual")
    return ofMoment((moment) => sql`${moment} > ${from} or ${moment} in (${forms})`);
  if (operator === "lessThanOrEqual") return ofMoment((moment) => sql`${moment} < ${from} or ${moment} in (${forms})`);
  const isEqual = ofMoment((moment) => sql`${moment} in (${forms})`);
  return operator === "notEquals" ? sql`(not ${isNull} and ${isEqual} is not true)` : isEqual;
}

function asciiLower(value: Scalar): string {
  return String(value).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function eventSql(filter: Filter, name: string, { nowMs }: Reading): Sql {
  const found = thereIs(sql`select 1 from events e where e.contact = c.seq and e.name = ${name}`);
  if (filter.operator === "triggered") return found;
  if (filter.operator === "notTriggered") return sql`not ${found}`;
  const since = iso(nowMs - spanMs(filter));
  const last = sql`(select e.created_at from events e where e.contact = c.seq and e.name = ${name}
    order by e.seq desc limit 1)`;
  if (filter.operator === "triggeredWithin") return sql`${last} >= ${since}`;
  if (filter.operator === "triggeredOlderThan") return sql`${last} < ${since}`;
  return sql`coalesce(${last}, ${""}) < ${since}`;
}

function memberSql({ operator }: Filter, id: string, { live }: Reading): Sql {
  const inside = live?.get(id) ?? isMember(sql`(select s.seq from segments s where s.id = ${id})`);
  // A condition is null for contacts that lack what it speaks of; they are no members.
  return operator === "memberOf" ? inside : sql`(${inside} is not true)`;
}

/** True for the contacts `c` that are kept as members of the segment with this number. */
export function isMember(segment: Sql): Sql {
  return thereIs(sql`select 1 from segment_members m where m.segment = ${segment} and m.contact = c.seq`);
}

/** Looked at for each contact by itself: PostgreSQL would make a join of it, and think for minutes about one of hundreds. */
function thereIs(rows: Sql): Sql {
  return sql`(exists (${rows}) is true)`;
}
