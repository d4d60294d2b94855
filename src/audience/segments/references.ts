// Conditions that name segments: the named segments, a check for circles, and their current members.
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
  /** The segments in the condition: public id → seq. */
  readonly segments: ReadonlyMap<string, number>;
};

/** The longest chain of segments whose conditions name the next one. */
const MAX_SEGMENTS_IN_A_CHAIN = 8;
/** The most filters of other segments in one statement, counted with repetitions. */
const MAX_EXPANDED_FILTERS = 300;

/**
 * Reads the condition of a segment or campaign from a request. `field`: its place in the body. `self`: the public id of
 * the condition's segment.
 * @throws AppError VALIDATION_ERROR with an item for each fault, also for an unknown segment (`unknown_segment`) or
 * topic (`unknown_topic`), for a segment that would depend on itself (`circle`), and for too long a chain of segments
 * that name one another (`too_deep`)
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

/** Without `self`, no segment can name the condition's owner, so only the length of the chain is checked. */
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

/** The public ids of the segments in its condition. */
function namesIn({ condition }: Segment): readonly string[] {
  return condition ? segmentsIn(condition) : [];
}

/**
 * These segments of a workspace and all segments that their conditions name, in layers: each segment comes after those
 * that it names. Members are updated layer by layer, so that no condition reads outdated members.
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

/** 0 for a segment that names none; else one more than the highest segment that it names. */
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
 * True for contacts `c` of the workspace that match now, even while the members of segments in the condition are still
 * being found. Where these would add more than `MAX_EXPANDED_FILTERS` filters, the members of their last sweep count.
 * @throws AppError STORE_UNAVAILABLE if such a segment has not been swept since its condition changed
 */
export async function matchingNow(
  reader: Reader,
  workspace: number,
  condition: Condition,
  nowMs: number,
): Promise<Sql> {
  return conditionSql(condition, await readingNow(reader, workspace, condition, nowMs));
}

/** The terms on which the condition is read now. @throws as matchingNow */
export function readingNow(
  reader: Reader,
  workspace: number,
  condition: Condition,
  nowMs: number,
): Promise<ConditionTerms> {
  return withNamed({ reader, workspace, nowMs, filtersLeft: MAX_EXPANDED_FILTERS }, condition, 1);
}

/** True for contacts `c` of the workspace that belong to the segment now. @throws as matchingNow */
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

/** `times`: the number of times that the condition occurs in the statement. */
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

/** Reserves filters for the segment's condition; false if too few are left. */
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
 * True if the stored members may differ from the contacts that match. The members of a segment that depends on time
 * count for `maxAgeMs` after the start of the last sweep.
 */
export function isLive({ state, timeBound, sweepEnd, sweptAt }: Segment, nowMs: number, maxAgeMs = 0): boolean {
  const isOld = sweepEnd > 0 || Date.parse(sweptAt ?? "") + maxAgeMs <= nowMs;
  return state !== "CURRENT" || (timeBound && isOld);
}

/** The condition of a DYNAMIC segment. */
export function conditionOf({ condition }: Segment): Condition {
  return condition ?? { logic: "AND", groups: [] };
}

function filterPath(condition: Condition, field: string, isIt: (subject: FilterSubject) => boolean): string {
  const placed = placedFilters(condition, field).find(({ filter }) => isIt(subjectOf(filter)));
  return `${placed?.at ?? field}.field`;
}
