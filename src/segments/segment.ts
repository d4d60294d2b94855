// Segments: their names, kinds and conditions (interface.md "Segment", interface-gaps.md §4).
import { AppError, invalidField, limitReached } from "../errors.ts";
import { listenersTo, listenTo } from "../events/interests.ts";
import { segmentTopic } from "../events/topics.ts";
import { newId } from "../ids.ts";
import type { Reader, Tx } from "../store/store.ts";
import { isTimeBound, topicsOf } from "./condition.ts";
import { insertToEmpty } from "./membership-queries.ts";
import {
  countSegments,
  deleteSegment,
  insertSegment,
  isAnyAtWork,
  lockSegment,
  lockSegments,
  segmentById,
  segmentWithSlug,
  updateSegment,
  type SegmentRow,
} from "./queries.ts";
import { acceptCondition, conditionOf, type Accepted } from "./references.ts";
import { slugOf, slugTopics } from "./slug.ts";
import { findMembers, SEGMENT_CHANGED } from "./sweep.ts";

/** The fields of a segment as callers send them. */
type SegmentWish = {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly type?: "STATIC" | "DYNAMIC" | null;
  readonly condition?: unknown;
  readonly trackMembership?: boolean | null;
};

const MAX_SEGMENTS = 1_000;

/**
 * Makes a segment and, unless the workspace is large, finds its members. Nobody enters a new segment with an event.
 * @throws AppError VALIDATION_ERROR, CONFLICT if another segment of the workspace has this slug
 */
export async function createSegment(tx: Tx, workspace: number, wish: SegmentWish): Promise<SegmentRow> {
  const { description = null, trackMembership } = wish;
  const name = wish.name ?? "";
  const type = wish.type ?? "DYNAMIC";
  if ((await countSegments(tx, workspace)) >= MAX_SEGMENTS)
    throw limitReached(
      `A workspace has at most ${MAX_SEGMENTS} segments.`,
      "Delete a segment that is not used any more: DELETE /segments/{id}.",
    );
  const accepted = type === "STATIC" ? null : await acceptCondition(tx, workspace, wish.condition);
  const fields = { name, slug: requiredSlug(name), description, track_membership: trackMembership ? 1 : 0 } as const;
  const made = { id: newId(tx.nowMs), workspace, type, ...fields, ...conditionFields(accepted) };
  const segment = await insertSegment(tx, made);
  if (!segment) throw slugTaken(fields.slug);
  if (accepted) await watch(tx, segment, accepted, "NEW");
  return accepted ? findSegment(tx, workspace, segment.id) : segment;
}

/**
 * Changes what the wish names; the type stays. With another condition, members are found anew, and enter and leave with
 * their events if the segment says so.
 * @throws AppError SEGMENT_NOT_FOUND, VALIDATION_ERROR, CONFLICT if the slug is taken or the old one is listened to
 */
export async function changeSegment(tx: Tx, workspace: number, id: string, wish: SegmentWish): Promise<SegmentRow> {
  // Locked before its condition is looked at: two that are made to name each other at the same time would both find no circle.
  const before = await lockSegment(tx, workspace, id);
  if (!before) throw notFound(id);
  const { type } = before;
  if ((wish.type ?? type) !== type) throw invalidField("type", `The type of a segment stays: ${type}.`);
  const isNewCondition = type === "DYNAMIC" && wish.condition !== undefined && wish.condition !== null;
  const accepted = isNewCondition ? await acceptCondition(tx, workspace, wish.condition, { self: id }) : null;
  const name = wish.name ?? before.name;
  const slug = requiredSlug(name);
  if (slug !== before.slug) await refuseRenaming(tx, before, slug);
  const segment = await updateSegment(tx, before.seq, {
    name,
    slug,
    description: wish.description === undefined ? before.description : wish.description,
    track_membership: (wish.trackMembership ?? before.track_membership === 1) ? 1 : 0,
    ...(accepted ? conditionFields(accepted) : { condition: before.condition, time_bound: before.time_bound }),
  });
  if (!accepted || segment.condition === JSON.stringify(conditionOf(before))) return segment;
  await watch(tx, segment, accepted, before.state === "NEW" ? "NEW" : "CHANGED");
  return findSegment(tx, workspace, id);
}

/** @throws AppError SEGMENT_NOT_FOUND, also for another workspace's segment */
export async function findSegment(reader: Reader, workspace: number, id: string): Promise<SegmentRow> {
  const segment = await segmentById(reader, workspace, id);
  if (!segment) throw notFound(id);
  return segment;
}

/**
 * From here on the segment is unknown; the rows of its members go behind it (emptying.ts), and nobody leaves with an event.
 * @throws AppError SEGMENT_NOT_FOUND, CONFLICT while another segment's condition names it; ConstraintError `foreignKey` while a
 * campaign that is not sent, or a workflow, uses it
 */
export async function removeSegment(tx: Tx, workspace: number, id: string): Promise<void> {
  const segment = await lockSegment(tx, workspace, id);
  if (!segment) throw notFound(id);
  const { seq } = segment;
  const users = await listenersTo(tx, workspace, "segment", [segmentTopic(seq)]);
  if (users.length > 0) throw new AppError("CONFLICT", `Another segment's condition names ${segment.name}.`);
  await deleteSegment(tx, seq);
  await insertToEmpty(tx, seq);
  await listenTo(tx, { workspace, kind: "segment", listener: seq }, []);
  tx.signal(SEGMENT_CHANGED);
}

/** From now on its members follow the condition. The segments that it names are held, so that none is deleted meanwhile. */
async function watch(tx: Tx, segment: SegmentRow, accepted: Accepted, state: "NEW" | "CHANGED"): Promise<void> {
  const { workspace, seq } = segment;
  const named = [...accepted.segments.values()];
  const held = named.length === 0 ? [] : await lockSegments(tx, named);
  if (held.length < named.length) throw new AppError("CONFLICT", "A segment that the condition names has just gone.");
  const topics = topicsOf(accepted.condition, accepted.segments);
  await listenTo(tx, { workspace, kind: "segment", listener: seq }, topics);
  await findMembers(tx, segment, state);
}

function conditionFields(accepted: Accepted | null) {
  const condition = accepted?.condition ?? null;
  return {
    condition: condition === null ? null : JSON.stringify(condition),
    time_bound: condition !== null && isTimeBound(condition) ? 1 : 0,
  } as const;
}

async function refuseRenaming(tx: Tx, { workspace, slug: old, seq }: SegmentRow, slug: string): Promise<void> {
  const holder = await segmentWithSlug(tx, workspace, slug);
  if (holder && holder.seq !== seq) throw slugTaken(slug);
  if (!(await isAnyAtWork(tx, await listenersTo(tx, workspace, "workflow", slugTopics(old))))) return;
  const message = `A workflow that is enabled, or in which contacts still are, listens to the events of segment.${old}, which the new name would end.`;
  const suggestion = "Disable the workflow, cancel its executions or let them end, rename the segment, then mend it.";
  throw new AppError("CONFLICT", message, { suggestion });
}

function requiredSlug(name: string): string {
  const slug = slugOf(name);
  if (slug === "") throw invalidField("name", "A name needs a letter or a digit.");
  return slug;
}

function slugTaken(slug: string): AppError {
  return new AppError("CONFLICT", `There is a segment with the slug ${slug} already.`);
}

function notFound(id: string): AppError {
  return new AppError("SEGMENT_NOT_FOUND", `There is no segment ${id}.`);
}
