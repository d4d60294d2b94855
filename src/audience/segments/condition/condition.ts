// A condition as SQL: one expression over a contact, with every name and value bound.
import { iso } from "../../../base/clock.ts";
import { comparisonSql } from "../../comparisons/comparison-sql.ts";
import type { Comparison, ComparisonOperator } from "../../comparisons/comparison.ts";
import { isPausedAt } from "../../contacts/pause-queries.ts";
import { C_PRESENT } from "../../contacts/queries.ts";
import {
  choiceSubject,
  contactSubject,
  dataSubject,
  eventSubject,
  segmentSubject,
  taggedSubject,
} from "../../../tenant/events/subjects.ts";
import { momentAt } from "../../../base/moments.ts";
import { joined, sql, type Sql } from "../../../store/sql.ts";
import type { Dialect, JsonPlace, Scalar } from "../../../store/store.ts";
import { filtersOf, type Condition, type ConditionGroup } from "./check.ts";
import {
  countsTime,
  subjectNamed,
  soughtAddress,
  spanMs,
  UNSAID,
  type ConditionFilter,
  type FilterSubject,
} from "./filter.ts";

/** The context in which a condition becomes SQL. */
export type ConditionTerms = {
  readonly dialect: Dialect;
  /** The reference time of within, olderThan and similar operators. */
  readonly nowMs: number;
  /** The conditions of segments whose stored members are not current (references.ts). */
  readonly live?: ReadonlyMap<string, Sql>;
};

/**
 * True for the contacts `c` that match and are not being erased. A contact without the field or event of a filter
 * matches only notExists, notTriggered, notTriggeredWithin and notMemberOf, not even notEquals or notContains.
 */
export function conditionSql(condition: Condition, reading: ConditionTerms): Sql {
  return sql`(${matchSql(condition, reading)} and ${C_PRESENT})`;
}

function matchSql({ logic, groups }: Condition, reading: ConditionTerms): Sql {
  const parts = groups.map((group) => groupSql(group, reading));
  return sql`(${joined(parts, logic === "OR" ? " or " : " and ")})`;
}

/** Every subject whose events can start or end a match; `seqs`: of segments, by public id. */
export function subjectsOf(condition: Condition, seqs: ReadonlyMap<string, number>): string[] {
  const subjects = filtersOf(condition).flatMap((filter) => subjectsOfFilter(filter, seqs));
  return [...new Set([contactSubject("new"), ...subjects])];
}

/** True if the passing of time alone can start or end a match. */
export function isTimeBound(condition: Condition): boolean {
  return filtersOf(condition).some((filter) => countsTime(filter.operator));
}

/** The public ids of segments in the condition, with the number of mentions. */
export function mentionsIn(condition: Condition): Map<string, number> {
  const mentions = new Map<string, number>();
  for (const subject of filtersOf(condition).map(subjectOf))
    if (subject.kind === "segment") mentions.set(subject.id, (mentions.get(subject.id) ?? 0) + 1);
  return mentions;
}

/** The keys of topics in the condition. */
export function topicsIn(condition: Condition): ReadonlySet<string> {
  return new Set(
    filtersOf(condition)
      .map(subjectOf)
      .flatMap((subject) => (subject.kind === "topic" ? subject.key : [])),
  );
}

export function segmentsIn(condition: Condition): string[] {
  return [...mentionsIn(condition).keys()];
}

/** The subject of a checked filter's field. */
export function subjectOf(filter: ConditionFilter): FilterSubject {
  const subject = subjectNamed(filter.field, filter.operator);
  if (!subject) throw new Error(`A checked condition names no field: ${filter.field}`);
  return subject;
}

function subjectsOfFilter(filter: ConditionFilter, seqs: ReadonlyMap<string, number>): string[] {
  const subject = subjectOf(filter);
  if (subject.kind === "data") return [dataSubject(subject.path[0] as string)];
  if (subject.kind === "event")
    return [eventSubject(subject.name), ...(filter.tag === undefined ? [] : [taggedSubject(subject.name, filter.tag)])];
  if (subject.kind === "topic") return [choiceSubject(subject.key)];
  if (subject.kind === "segment") return [segmentSubject(seqs.get(subject.id) ?? 0)];
  if (subject.kind !== "time") return [contactSubject(subject.kind)];
  return subject.column === "updatedAt" ? [contactSubject("updatedAt")] : [];
}

function groupSql({ filters, conditions }: ConditionGroup, reading: ConditionTerms): Sql {
  const parts = filters.map((filter) => filterSql(filter, reading));
  return sql`(${joined(conditions ? [...parts, matchSql(conditions, reading)] : parts, " and ")})`;
}

export function filterSql(filter: ConditionFilter, reading: ConditionTerms): Sql {
  const subject = subjectOf(filter);
  if (subject.kind === "email") return emailSql(filter);
  if (subject.kind === "subscribed") return comparisonSql(comparisonOf(filter), SUBSCRIBED);
  if (subject.kind === "paused") return comparisonSql(comparisonOf(filter), pausedAt(reading));
  if (subject.kind === "status") return comparisonSql(comparisonOf(filter), STATUS);
  if (subject.kind === "time") return timeSql(filter, subject.column, reading);
  if (subject.kind === "data") return dataSql(filter, subject.path, reading);
  if (subject.kind === "topic") return comparisonSql(comparisonOf(filter), saidOf(subject.key, reading));
  return subject.kind === "event" ? eventSql(filter, subject.name, reading) : memberSql(filter, subject.id, reading);
}

/** Only for a filter with a comparison operator. */
function comparisonOf(filter: ConditionFilter): Comparison {
  return { operator: filter.operator as ComparisonOperator, value: filter.value };
}

const NULL = sql`null`;

/** A column that always holds text. */
function columnPlace(text: Sql): JsonPlace {
  const equals = (value: Scalar) => sql`${text} = ${value}`;
  return { isNull: sql`(1 = 0)`, text, moment: NULL, number: NULL, equals, hasItem: () => NULL };
}

const STATUS = columnPlace(sql`c.status`);
const EMAIL = columnPlace(sql`c.email`);
/** The person's choice about a topic, in a word. */
function saidOf(key: string, { dialect }: ConditionTerms): JsonPlace {
  return columnPlace(sql`coalesce(${dialect.jsonAt(sql`c.topics`, [key]).text}, ${UNSAID})`);
}

const SUBSCRIBED: JsonPlace = { ...STATUS, equals: (value) => sql`c.subscribed = ${value ? 1 : 0}` };

/** True if marketing mail waits at `nowMs`. */
function pausedAt({ nowMs }: ConditionTerms): JsonPlace {
  const isPaused = isPausedAt(iso(nowMs));
  return { ...STATUS, equals: (value) => (value ? isPaused : sql`not ${isPaused}`) };
}

function emailSql(filter: ConditionFilter): Sql {
  const { operator } = comparisonOf(filter);
  return comparisonSql({ operator, value: soughtAddress(operator, filter.value as string) }, EMAIL);
}

function timeSql(filter: ConditionFilter, name: "createdAt" | "updatedAt", { nowMs }: ConditionTerms): Sql {
  const column = name === "createdAt" ? sql`c.created_at` : sql`c.updated_at`;
  if (countsTime(filter.operator)) return ageSql(filter, column, nowMs);
  return comparisonSql(comparisonOf(filter), { ...columnPlace(column), text: NULL, moment: momentIn(column) });
}

/** A time as it is stored, in the form of `momentOf`. */
function momentIn(column: Sql): Sql {
  return sql`substr(${column}, 1, 23)`;
}

function ageSql(filter: ConditionFilter, column: Sql, nowMs: number): Sql {
  const since = iso(nowMs - spanMs(filter));
  return filter.operator === "within" ? sql`${column} >= ${since}` : sql`${column} < ${since}`;
}

function dataSql(filter: ConditionFilter, path: readonly string[], { dialect, nowMs }: ConditionTerms): Sql {
  const place = dialect.jsonAt(sql`c.data_queried`, path);
  if (countsTime(filter.operator)) return ageInData(filter, place, nowMs);
  return comparisonSql(comparisonOf(filter), place);
}

/** A future moment is not within the last days. */
function ageInData(filter: ConditionFilter, { moment }: JsonPlace, nowMs: number): Sql {
  const since = momentAt(nowMs - spanMs(filter));
  return filter.operator === "within"
    ? sql`${moment} between ${since} and ${momentAt(nowMs)}`
    : sql`${moment} < ${since}`;
}

function eventSql(filter: ConditionFilter, name: string, { nowMs }: ConditionTerms): Sql {
  const its = sql`e.contact = c.seq and e.name = ${name}${hasTag(filter)}`;
  const found = thereIs(sql`select 1 from events e where ${its}`);
  if (filter.operator === "triggered") return found;
  if (filter.operator === "notTriggered") return sql`not ${found}`;
  const since = iso(nowMs - spanMs(filter));
  const last = sql`(select e.created_at from events e where ${its} order by e.seq desc limit 1)`;
  if (filter.operator === "triggeredWithin") return sql`${last} >= ${since}`;
  if (filter.operator === "triggeredOlderThan") return sql`${last} < ${since}`;
  return sql`coalesce(${last}, ${""}) < ${since}`;
}

/** Reads the tag from event `e`, since its email may be deleted; follows other conditions. Tags need no escaping. */
export function hasTag({ tag }: ConditionFilter): Sql {
  return tag === undefined ? sql`` : sql` and instr(e.data ->> 'tags', ${`"${tag}"`}) > 0`;
}

function memberSql({ operator }: ConditionFilter, id: string, { live }: ConditionTerms): Sql {
  const inside = live?.get(id) ?? isMember(sql`(select s.seq from segments s where s.id = ${id})`);
  // A condition is null for contacts without its fields; these are not members.
  return operator === "memberOf" ? inside : sql`(${inside} is not true)`;
}

/** True for contacts `c` among the stored members of the segment with this number. */
export function isMember(segment: Sql): Sql {
  return thereIs(sql`select 1 from segment_members m where m.segment = ${segment} and m.contact = c.seq`);
}

/** Forces an evaluation for each contact: PostgreSQL would make it a join, and plan a join of hundreds for minutes. */
function thereIs(rows: Sql): Sql {
  return sql`(exists (${rows}) is true)`;
}
