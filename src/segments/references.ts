// Conditions that name segments: which there are, that none goes in a circle, and who belongs to them at this moment.
import { AppError, invalidField } from "../errors.ts";
import { sql, type Sql } from "../store/sql.ts";
import type { Reader } from "../store/store.ts";
import { conditionSql, isMember, mentionsIn, segmentsIn, subjectOf } from "./condition.ts";
import { filtersOf, placedFilters, readCondition, storedCondition, type Condition } from "./condition-check.ts";
import { segmentsNamed, type SegmentRow } from "./queries.ts";

export type Accepted = {
  readonly condition: Condition;
  /** The segments that it names: public id → seq. */
  readonly segments: ReadonlyMap<string, number>;
};

/** `field`: where the condition stands in the body. `self`: the public id of the segment that it is to be the condition of. */
type Place = { readonly field?: string; readonly self?: string };

/** Longest chain of segments whose conditions name the next one. */
const MAX_SEGMENTS_IN_A_CHAIN = 8;
/** Filters of other segments in one statement, each as often as it stands there. */
const MAX_EXPANDED_FILTERS = 300;

/**
 * Reads a condition as a caller sends it, in a segment or in a campaign (interface-gaps.md §4 "Condition").
 * @throws AppError VALIDATION_ERROR with an item for each fault, also for an unknown segment (`unknown_segment`), for a
 *   segment that would depend on itself (`circle`), and for too long a chain of segments that name one another (`too_deep`)
 */
export async function acceptCondition(
  reader: Reader,
  workspace: number,
  given: unknown,
  { field = "condition", self }: Place = {},
): Promise<Accepted> {
  const condition = readCondition(given, field);
  const ids = segmentsIn(condition);
  if (ids.length === 0) return { condition, segments: new Map() };
  const rows = await segmentsNamed(reader, workspace, ids);
  const segments = new Map(rows.map(({ id, seq }) => [id, seq]));
  const missing = ids.find((id) => !segments.has(id));
  if (missing !== undefined)
    throw invalidField(placeOf(condition, field, missing), `There is no segment ${missing}.`, "unknown_segment");
  await refuseCircle(reader, rows, self, field);
  return { condition, segments };
}

/** `self` undefined: nothing can name what the condition is for, and only the length of the chain counts. */
async function refuseCircle(
  reader: Reader,
  first: readonly SegmentRow[],
  self: string | undefined,
  field: string,
): Promise<void> {
  let rows = first;
  for (let length = 1; rows.length > 0; length++) {
    if (rows.some(({ id }) => id === self)) throw invalidField(field, "The segment would depend on itself.", "circle");
    if (length > MAX_SEGMENTS_IN_A_CHAIN)
      throw invalidField(field, `At most ${MAX_SEGMENTS_IN_A_CHAIN} segments may name one another.`, "too_deep");
    rows = await namedBy(reader, rows);
  }
}

async function namedBy(reader: Reader, rows: readonly SegmentRow[]): Promise<SegmentRow[]> {
  const ids = [...new Set(rows.flatMap(namesIn))];
  return ids.length === 0 ? [] : segmentsNamed(reader, (rows[0] as SegmentRow).workspace, ids);
}

/** The public ids of the segments that its condition names. Most name none, and are not read for that. */
function namesIn(row: SegmentRow): readonly string[] {
  return row.condition?.includes('"segment.') ? segmentsIn(conditionOf(row)) : [];
}

/**
 * These segments of a workspace and all those that their conditions name, in layers: each segment is in a later one than those
 * that it names. Whoever brings the members of one layer up to date after the other asks nobody by what is no longer so.
 */
export async function inLayers(reader: Reader, segments: readonly SegmentRow[]): Promise<(readonly SegmentRow[])[]> {
  let named = await namedBy(reader, segments);
  if (named.length === 0) return [segments];
  const all = new Map(segments.map((row) => [row.id, row]));
  for (; named.length > 0; named = await namedBy(reader, named)) {
    named = named.filter(({ id }) => !all.has(id));
    for (const row of named) all.set(row.id, row);
  }
  const layers: SegmentRow[][] = [];
  const heights = new Map<string, number>();
  for (const row of all.values()) (layers[heightOf(row, all, heights)] ??= []).push(row);
  return layers;
}

/** 0 for a segment that names none; else one more than the highest of those that it names. */
function heightOf(row: SegmentRow, all: ReadonlyMap<string, SegmentRow>, heights: Map<string, number>): number {
  const known = heights.get(row.id);
  if (known !== undefined) return known;
  heights.set(row.id, 0);
  const named = namesIn(row).flatMap((id) => all.get(id) ?? []);
  const height = Math.max(0, ...named.map((one) => heightOf(one, all, heights) + 1));
  heights.set(row.id, height);
  return height;
}

/**
 * True for the contacts `c` of the workspace that match at this moment, whether or not the members of the segments that the
 * condition names have been found yet. Of segments that would bring in more than `MAX_EXPANDED_FILTERS` filters those count who
 * were in them at their last sweep.
 * @throws AppError STORE_UNAVAILABLE if one of these has not been swept at all since its condition is what it is
 */
export function matchingNow(reader: Reader, workspace: number, condition: Condition, nowMs: number): Promise<Sql> {
  return withNamed({ reader, workspace, nowMs, filtersLeft: MAX_EXPANDED_FILTERS }, condition, 1);
}

/** True for the contacts `c` of the workspace that belong to the segment at this moment. @throws as matchingNow */
export async function membersNow(reader: Reader, segment: SegmentRow, nowMs: number): Promise<Sql> {
  if (!isLive(segment, nowMs)) return keptMembers(segment);
  return matchingNow(reader, segment.workspace, conditionOf(segment), nowMs);
}

type Expansion = {
  readonly reader: Reader;
  readonly workspace: number;
  readonly nowMs: number;
  filtersLeft: number;
};

/** `times`: how often the condition stands in the statement. */
async function withNamed(expansion: Expansion, condition: Condition, times: number): Promise<Sql> {
  const { reader, workspace, nowMs } = expansion;
  const mentions = mentionsIn(condition);
  const rows = mentions.size === 0 ? [] : await segmentsNamed(reader, workspace, [...mentions.keys()]);
  const timesOf = ({ id }: SegmentRow) => times * (mentions.get(id) ?? 0);
  const unswept = rows.filter(({ state }) => state !== "CURRENT");
  const old = rows.filter((row) => row.state === "CURRENT" && isLive(row, nowMs));
  const expanded = [...unswept, ...old].filter((row) => takesRoom(expansion, row, timesOf(row)));
  const live = new Map<string, Sql>(rows.map((row) => [row.id, keptMembers(row)]));
  for (const row of expanded) live.set(row.id, await withNamed(expansion, conditionOf(row), timesOf(row)));
  return conditionSql(condition, { dialect: reader.dialect, nowMs, live });
}

/** Whether there is room for the segment's condition, which is then taken. */
function takesRoom(expansion: Expansion, { name, state, ...row }: SegmentRow, times: number): boolean {
  const filters = filtersOf(conditionOf(row)).length * times;
  if (filters <= expansion.filtersLeft) {
    expansion.filtersLeft -= filters;
    return true;
  }
  if (state === "CURRENT") return false;
  const message = `The members of the segment ${name} are still being found, and it cannot be asked for without them.`;
  throw new AppError("STORE_UNAVAILABLE", message, { retryAfterSeconds: 5 });
}

function keptMembers({ seq }: SegmentRow): Sql {
  return isMember(sql`${seq}`);
}

/**
 * True if the members that are kept are not, or no longer, those that match. Those of a segment that depends on time count for
 * `maxAgeMs` after the beginning of the last sweep.
 */
export function isLive({ state, time_bound, sweep_end, swept_at }: SegmentRow, nowMs: number, maxAgeMs = 0): boolean {
  const isOld = sweep_end > 0 || Date.parse(swept_at ?? "") + maxAgeMs <= nowMs;
  return state !== "CURRENT" || (time_bound === 1 && isOld);
}

/** What a DYNAMIC segment's members match. */
export function conditionOf({ condition }: Pick<SegmentRow, "condition">): Condition {
  return storedCondition(condition ?? '{"groups":[]}');
}

function placeOf(condition: Condition, field: string, id: string): string {
  const placed = placedFilters(condition, field).find(({ filter }) => {
    const subject = subjectOf(filter);
    return subject.kind === "segment" && subject.id === id;
  });
  return `${placed?.at ?? field}.field`;
}
