// Conditions that name segments: which they name, that none depends on itself, and who belongs to them at this moment.
import { AppError, invalidField } from "../../base/errors.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";
import {
  conditionSql,
  isMember,
  mentionsIn,
  segmentsIn,
  subjectOf,
  topicsIn,
  type ConditionTerms,
} from "./condition/condition.ts";
import { filtersOf, placedFilters, readCondition, type Condition } from "./condition/check.ts";
import type { FilterSubject } from "./condition/filter.ts";
import { topicWithKey } from "../topics/queries.ts";
import { segmentsNamed, type Segment } from "./queries.ts";

export type ConditionReferences = {
  readonly condition: Condition;
  /** The segments that it names: public id → seq. */
  readonly segments: ReadonlyMap<string, number>;
};

/** Longest chain of segments whose conditions name the next one. */
const MAX_SEGMENTS_IN_A_CHAIN = 8;
/** Filters of other segments in one statement, counted as often as they occur in it. */
const MAX_EXPANDED_FILTERS = 300;

/**
 * Reads the condition of a segment or campaign as a caller sends it. `field`: its place in the body. `self`: the public
 * id of the segment whose condition it will be.
 * @throws AppError VALIDATION_ERROR with an item for each fault, also for an unknown segment (`unknown_segment`) or topic (`unknown_topic`), for a
 *   segment that would depend on itself (`circle`), and for too long a chain of segments that name one another
 *   (`too_deep`)
 */
export async function acceptCondition(
  reader: Reader,
  workspace: number,
  given: unknown,
  { field = "condition", self }: { readonly field?: string; readonly self?: string } = {},
): Promise<ConditionReferences> {
  const condition = readCondition(given, field);
  await refuseUnknownTopic(reader, workspace, condition, field);
  const ids = segmentsIn(condition);
  if (ids.length === 0) return { condition, segments: new Map() };
  const named = await segmentsNamed(reader, workspace, ids);
  const segments = new Map(named.map(({ id, seq }) => [id, seq]));
  const missing = ids.find((id) => !segments.has(id));
  if (missing !== undefined)
    throw invalidField(
      filterPath(condition, field, (subject) => subject.kind === "segment" && subject.id === missing),
      `There is no segment ${missing}.`,
      "unknown_segment",
    );
  await refuseCircle(reader, named, self, field);
  return { condition, segments };
}

async function refuseUnknownTopic(
  reader: Reader,
  workspace: number,
  condition: Condition,
  field: string,
): Promise<void> {
  for (const key of topicsIn(condition))
    if (!(await topicWithKey(reader, workspace, key)))
      throw invalidField(
        filterPath(condition, field, (subject) => subject.kind === "topic" && subject.key === key),
        `There is no topic ${key}.`,
        "unknown_topic",
      );
}

/** Without `self` nothing can name the condition's owner, and only the length of the chain counts. */
async function refuseCircle(
  reader: Reader,
  first: readonly Segment[],
  self: string | undefined,
  field: string,
): Promise<void> {
  let segments = first;
  for (let length = 1; segments.length > 0; length++) {
    if (segments.some(({ id }) => id === self))
      throw invalidField(field, "The segment would depend on itself.", "circle");
    if (length > MAX_SEGMENTS_IN_A_CHAIN)
      throw invalidField(field, `At most ${MAX_SEGMENTS_IN_A_CHAIN} segments may name one another.`, "too_deep");
    segments = await namedBy(reader, segments);
  }
}

async function namedBy(reader: Reader, segments: readonly Segment[]): Promise<Segment[]> {
  const ids = [...new Set(segments.flatMap(namesIn))];
  return ids.length === 0 ? [] : segmentsNamed(reader, (segments[0] as Segment).workspace, ids);
}

/** The public ids of the segments that its condition names. */
function namesIn({ condition }: Segment): readonly string[] {
  return condition ? segmentsIn(condition) : [];
}

/**
 * These segments of a workspace and all those that their conditions name, in layers: each segment comes after those
 * that it names. Members are brought up to date layer by layer, so that no condition asks for members that are out of
 * date.
 */
export async function inLayers(reader: Reader, segments: readonly Segment[]): Promise<(readonly Segment[])[]> {
  let named = await namedBy(reader, segments);
  if (named.length === 0) return [segments];
  const all = new Map(segments.map((segment) => [segment.id, segment]));
  for (; named.length > 0; named = await namedBy(reader, named)) {
    named = named.filter(({ id }) => !all.has(id));
    for (const segment of named) all.set(segment.id, segment);
  }
  const layers: Segment[][] = [];
  const heights = new Map<string, number>();
  for (const segment of all.values()) (layers[heightOf(segment, all, heights)] ??= []).push(segment);
  return layers;
}

/** 0 for a segment that names none; else one more than the highest of those that it names. */
function heightOf(segment: Segment, all: ReadonlyMap<string, Segment>, heights: Map<string, number>): number {
  const known = heights.get(segment.id);
  if (known !== undefined) return known;
  heights.set(segment.id, 0);
  const named = namesIn(segment).flatMap((id) => all.get(id) ?? []);
  const height = Math.max(0, ...named.map((one) => heightOf(one, all, heights) + 1));
  heights.set(segment.id, height);
  return height;
}

/**
 * True for the contacts `c` of the workspace that match at this moment, even while the members of segments that the
 * condition names are still being found. Where those would add more than `MAX_EXPANDED_FILTERS` filters, their members
 * at the last sweep count.
 * @throws AppError STORE_UNAVAILABLE if one of these has not been swept since its condition changed
 */
export async function matchingNow(
  reader: Reader,
  workspace: number,
  condition: Condition,
  nowMs: number,
): Promise<Sql> {
  return conditionSql(condition, await readingNow(reader, workspace, condition, nowMs));
}

/** On which terms the condition is read at this moment. @throws as matchingNow */
export function readingNow(
  reader: Reader,
  workspace: number,
  condition: Condition,
  nowMs: number,
): Promise<ConditionTerms> {
  return withNamed({ reader, workspace, nowMs, filtersLeft: MAX_EXPANDED_FILTERS }, condition, 1);
}

/** True for the contacts `c` of the workspace that belong to the segment at this moment. @throws as matchingNow */
export async function membersNow(reader: Reader, segment: Segment, nowMs: number): Promise<Sql> {
  if (!isLive(segment, nowMs)) return keptMembers(segment);
  return matchingNow(reader, segment.workspace, conditionOf(segment), nowMs);
}

type Expansion = {
  readonly reader: Reader;
  readonly workspace: number;
  readonly nowMs: number;
  filtersLeft: number;
};

/** `times`: how often the condition occurs in the statement. */
async function withNamed(expansion: Expansion, condition: Condition, times: number): Promise<ConditionTerms> {
  const { reader, workspace, nowMs } = expansion;
  const mentions = mentionsIn(condition);
  const named = mentions.size === 0 ? [] : await segmentsNamed(reader, workspace, [...mentions.keys()]);
  const timesOf = ({ id }: Segment) => times * (mentions.get(id) ?? 0);
  const unswept = named.filter(({ state }) => state !== "CURRENT");
  const old = named.filter((segment) => segment.state === "CURRENT" && isLive(segment, nowMs));
  const expanded = [...unswept, ...old].filter((segment) => takesRoom(expansion, segment, timesOf(segment)));
  const live = new Map<string, Sql>(named.map((segment) => [segment.id, keptMembers(segment)]));
  for (const segment of expanded) {
    const inside = conditionOf(segment);
    live.set(segment.id, conditionSql(inside, await withNamed(expansion, inside, timesOf(segment))));
  }
  return { dialect: reader.dialect, nowMs, live };
}

/** Takes room for the segment's condition; false if there is not enough. */
function takesRoom(expansion: Expansion, segment: Segment, times: number): boolean {
  const filters = filtersOf(conditionOf(segment)).length * times;
  if (filters <= expansion.filtersLeft) {
    expansion.filtersLeft -= filters;
    return true;
  }
  if (segment.state === "CURRENT") return false;
  const message = `The members of the segment ${segment.name} are still being found, and it cannot be asked for without them.`;
  throw new AppError("STORE_UNAVAILABLE", message, { retryAfterSeconds: 5 });
}

function keptMembers({ seq }: Segment): Sql {
  return isMember(sql`${seq}`);
}

/**
 * True if the kept members are not, or no longer, those that match. Those of a segment that depends on time count for
 * `maxAgeMs` after the last sweep began.
 */
export function isLive({ state, timeBound, sweepEnd, sweptAt }: Segment, nowMs: number, maxAgeMs = 0): boolean {
  const isOld = sweepEnd > 0 || Date.parse(sweptAt ?? "") + maxAgeMs <= nowMs;
  return state !== "CURRENT" || (timeBound && isOld);
}

/** What a DYNAMIC segment's members match. */
export function conditionOf({ condition }: Segment): Condition {
  return condition ?? { logic: "AND", groups: [] };
}

function filterPath(condition: Condition, field: string, isIt: (subject: FilterSubject) => boolean): string {
  const placed = placedFilters(condition, field).find(({ filter }) => isIt(subjectOf(filter)));
  return `${placed?.at ?? field}.field`;
}
