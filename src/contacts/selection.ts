// Which contacts of a workspace an export or a bulk job is about.
import type { Sql } from "../store/sql.ts";
import type { Reader } from "../store/store.ts";
import type { Filter, Selected } from "./selection-queries.ts";

export type Selection = Filter & { readonly segmentId?: string | null };

/** Segments live above this room: the condition on the contacts `c` that are in one. @throws AppError SEGMENT_NOT_FOUND */
export type SegmentCondition = (reader: Reader, workspace: number, segmentId: string) => Promise<Sql>;

/** @throws AppError SEGMENT_NOT_FOUND */
export async function selectedBy(
  reader: Reader,
  workspace: number,
  filter: Selection,
  segmentCondition: SegmentCondition,
): Promise<Selected> {
  const { segmentId = null } = filter;
  return { filter, inSegment: segmentId === null ? null : await segmentCondition(reader, workspace, segmentId) };
}
