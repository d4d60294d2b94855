// Conditions that name segments: which there are, that none goes in a circle, and who belongs to them at this moment.
import { invalidField } from "../errors.ts";
import { sql, type Sql } from "../store/sql.ts";
import type { Reader } from "../store/store.ts";
import { conditionSql, segmentsIn, subjectOf } from "./condition.ts";
import { placedFilters, readCondition, type Condition } from "./condition-check.ts";
import { segmentsNamed, type SegmentRow } from "./queries.ts";

export type Accepted = {
  readonly condition: Condition;
  /** The segments that it names: public id → seq. */
  readonly segments: ReadonlyMap<string, number>;
};

/** `field`: where the condition stands in the body. `self`: the public id of the segment that it is to be the condition of. */
export type Place = { readonly field?: string; readonly self?: string };

/** Longest chain of segments whose conditions name the next one. */
const LONGEST_CHAIN = 8;
/** The members that are kept of a segment that changes with time are at most so old; else who matches is asked anew. */
export const KEPT_MS = 60_000;

/**
 * Reads a condition as a caller sends it, in a segment or in a campaign (interface-gaps.md §4 "Condition").
 * @throws AppError VALIDATION_ERROR with an item for each fault, also for an unknown segment (`unknown_segment`) and for a
 *   segment that would depend on itself (`circle`)
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
  if (self !== undefined) await refuseCircle(reader, rows, self, field);
  return { condition, segments };
}

async function refuseCircle(reader: Reader, first: readonly SegmentRow[], self: string, field: string): Promise<void> {
  let rows = first;
  for (let length = 1; rows.length > 0; length++) {
    if (rows.some(({ id }) => id === self)) throw invalidField(field, "The segment would depend on itself.", "circle");
    if (length > LONGEST_CHAIN)
      throw invalidField(field, `At most ${LONGEST_CHAIN} segments may name one another.`, "too_deep");
    rows = await namedBy(reader, rows);
  }
}

async function namedBy(reader: Reader, rows: readonly SegmentRow[]): Promise<SegmentRow[]> {
  const ids = [...new Set(rows.flatMap((row) => (row.condition === null ? [] : segmentsIn(conditionOf(row)))))];
  return ids.length === 0 ? [] : segmentsNamed(reader, (rows[0] as SegmentRow).workspace, ids);
}

/**
 * True for the contacts `c` of the workspace that match at this moment, whether or not the members of the segments that the
 * condition names have been found yet.
 */
export async function matchingNow(
  reader: Reader,
  workspace: number,
  condition: Condition,
  nowMs: number,
): Promise<Sql> {
  const ids = segmentsIn(condition);
  const rows = ids.length === 0 ? [] : await segmentsNamed(reader, workspace, ids);
  const live = new Map<string, Sql>();
  for (const row of rows) live.set(row.id, await membersNow(reader, row, nowMs));
  return conditionSql(condition, { dialect: reader.dialect, nowMs, live });
}

/** True for the contacts `c` of the workspace that belong to the segment at this moment. */
export async function membersNow(reader: Reader, segment: SegmentRow, nowMs: number): Promise<Sql> {
  if (!isLive(segment, nowMs))
    return sql`exists (select 1 from segment_members m where m.segment = ${segment.seq} and m.contact = c.seq)`;
  return matchingNow(reader, segment.workspace, conditionOf(segment), nowMs);
}

/** True if the members that are kept are not, or no longer, those that match. */
export function isLive({ state, time_bound, sweep_end, swept_at }: SegmentRow, nowMs: number): boolean {
  const isOld = sweep_end > 0 || Date.parse(swept_at ?? "") + KEPT_MS <= nowMs;
  return state !== "CURRENT" || (time_bound === 1 && isOld);
}

/** What a DYNAMIC segment's members match. */
export function conditionOf({ condition }: SegmentRow): Condition {
  return JSON.parse(condition ?? '{"groups":[]}') as Condition;
}

function placeOf(condition: Condition, field: string, id: string): string {
  const placed = placedFilters(condition, field).find(({ filter }) => {
    const subject = subjectOf(filter);
    return subject.kind === "segment" && subject.id === id;
  });
  return `${placed?.at ?? field}.field`;
}
