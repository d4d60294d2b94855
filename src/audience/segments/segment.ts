// Segments: their names, types and conditions.
import { AppError, invalidField, limitReached } from "../../base/errors.ts";
import { listenersTo, listenTo } from "../../tenant/events/interests.ts";
import { eventSubject, segmentSubject } from "../../tenant/events/subjects.ts";
import { newId } from "../../base/ids.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { refuseSavedSince, type SaveTerms } from "../../tenant/access/saving.ts";
import { isTimeBound, subjectsOf } from "./condition/condition.ts";
import { insertToEmpty } from "./membership/queries.ts";
import { findMembers, SEGMENT_CHANGED } from "./membership/sweep.ts";
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
  type Segment,
} from "./queries.ts";
import { acceptCondition, conditionOf, type ConditionReferences } from "./references.ts";
import { refuseMailed } from "./uses.ts";

/** The fields of a segment in a request. */
type SegmentInput = SaveTerms & {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly type?: "STATIC" | "DYNAMIC" | null;
  readonly condition?: unknown;
  readonly trackMembership?: boolean | null;
};

const MAX_SEGMENTS = 1_000;

/**
 * Creates a segment and, unless the workspace is large, finds its members, who enter without an event.
 * @throws AppError VALIDATION_ERROR, CONFLICT if another segment of the workspace has this slug
 */
export async function createSegment(tx: Tx, workspace: number, input: SegmentInput): Promise<Segment> {
  if ((await countSegments(tx, workspace)) >= MAX_SEGMENTS)
    throw limitReached(
      "segments",
      MAX_SEGMENTS,
      `A workspace has at most ${MAX_SEGMENTS} segments.`,
      "Delete a segment that is not used any more: DELETE /segments/{id}.",
    );
  const { description = null } = input;
  const name = input.name ?? "";
  const type = input.type ?? "DYNAMIC";
  const accepted = type === "STATIC" ? null : await acceptCondition(tx, workspace, input.condition);
  const slug = requiredSlug(name);
  const updatedBy = input.by ?? null;
  const fields = { name, slug, description, trackMembership: input.trackMembership ?? false, updatedBy };
  const id = newId(tx.nowMs);
  const segment = await insertSegment(tx, { id, workspace, type, ...fields, ...conditionFields(accepted) });
  if (!segment) throw slugTaken(slug);
  if (accepted) await watch(tx, segment, accepted, "NEW");
  return accepted ? findSegment(tx, workspace, id) : segment;
}

export type SegmentEditor = Pick<Caller, "workspace" | "person">;

/**
 * Changes the given fields. For a new condition, the members are found again; they enter and leave with events if the
 * segment tracks membership.
 * @throws AppError SEGMENT_NOT_FOUND, VALIDATION_ERROR, CONFLICT if it was saved since `ifUpdatedAt`, the slug is
 * taken, or a workflow listens to the old one, FORBIDDEN for a new condition if a campaign for it is about to be sent
 * and the caller may not send campaigns
 */
export async function changeSegment(tx: Tx, caller: SegmentEditor, id: string, input: SegmentInput): Promise<Segment> {
  const { workspace } = caller;
  // Locked before its condition is checked: otherwise two segments concurrently changed to name each other would find
  // no circle.
  const before = await findAndLock(tx, workspace, id);
  refuseSavedSince(tx, before, input);
  const { type } = before;
  if ((input.type ?? type) !== type) throw invalidField("type", `A segment's type cannot be changed: ${type}.`);
  const isNewCondition = type === "DYNAMIC" && input.condition !== undefined && input.condition !== null;
  const accepted = isNewCondition ? await acceptCondition(tx, workspace, input.condition, { self: id }) : null;
  const isOther = accepted !== null && !Bun.deepEquals(accepted.condition, conditionOf(before));
  if (isOther) await refuseMailed(tx, caller, before);
  const name = input.name ?? before.name;
  const slug = requiredSlug(name);
  if (slug !== before.slug) await refuseRenaming(tx, before, slug);
  const segment = await updateSegment(tx, before, {
    ...before,
    updatedBy: input.by ?? before.updatedBy,
    name,
    slug,
    trackMembership: input.trackMembership ?? before.trackMembership,
    ...(input.description === undefined ? {} : { description: input.description }),
    ...(accepted ? conditionFields(accepted) : {}),
  });
  if (!isOther) return segment;
  await watch(tx, segment, accepted, before.state === "NEW" ? "NEW" : "CHANGED");
  return findSegment(tx, workspace, id);
}

/** @throws AppError SEGMENT_NOT_FOUND, also for another workspace's segment */
export async function findSegment(reader: Reader, workspace: number, id: string): Promise<Segment> {
  return (await segmentById(reader, workspace, id)) ?? notFound(id);
}

/** Locks the segment until this transaction ends. @throws as findSegment */
export async function findAndLock(tx: Tx, workspace: number, id: string): Promise<Segment> {
  return (await lockSegment(tx, workspace, id)) ?? notFound(id);
}

/**
 * Deletes the segment. Its members are deleted later (membership/sweep.ts), without events.
 * @throws AppError SEGMENT_NOT_FOUND, CONFLICT while another segment's condition names it; ConstraintError `foreignKey`
 * while a campaign that is not sent, or a workflow, uses it
 */
export async function removeSegment(tx: Tx, workspace: number, id: string): Promise<void> {
  const { seq, name } = await findAndLock(tx, workspace, id);
  const users = await listenersTo(tx, workspace, "segment", [segmentSubject(seq)]);
  if (users.length > 0)
    throw new AppError("CONFLICT", `Another segment's condition names ${name}.`, {
      reason: "segment_in_condition",
      values: { name },
    });
  await deleteSegment(tx, seq);
  await insertToEmpty(tx, seq);
  await listenTo(tx, { workspace, kind: "segment", listener: seq }, []);
  tx.signal(SEGMENT_CHANGED);
}

/** Makes the members follow the condition. The segments in it are locked, so that none is deleted. */
async function watch(tx: Tx, segment: Segment, accepted: ConditionReferences, state: "NEW" | "CHANGED"): Promise<void> {
  const { workspace, seq } = segment;
  const named = [...accepted.segments.values()];
  const locked = named.length === 0 ? [] : await lockSegments(tx, named);
  if (locked.length < named.length)
    throw new AppError("CONFLICT", "A segment that the condition names was just deleted.");
  const subjects = subjectsOf(accepted.condition, accepted.segments);
  await listenTo(tx, { workspace, kind: "segment", listener: seq }, subjects);
  await findMembers(tx, segment, state);
}

function conditionFields(accepted: ConditionReferences | null): Pick<Segment, "condition" | "timeBound"> {
  const condition = accepted?.condition ?? null;
  return { condition, timeBound: condition !== null && isTimeBound(condition) };
}

async function refuseRenaming(tx: Tx, { workspace, slug: old, seq }: Segment, slug: string): Promise<void> {
  const holder = await segmentWithSlug(tx, workspace, slug);
  if (holder && holder.seq !== seq) throw slugTaken(slug);
  const subjects = [eventSubject(`segment.${old}.entry`), eventSubject(`segment.${old}.exit`)];
  if (!(await isAnyAtWork(tx, await listenersTo(tx, workspace, "workflow", subjects)))) return;
  const message = `A workflow that is enabled, or still has contacts in it, listens to the events of segment.${old}, which the new name would end.`;
  const suggestion =
    "Disable the workflow and cancel its executions, or let them end. Then rename the segment and adapt the workflow.";
  throw new AppError("CONFLICT", message, { reason: "segment_listened_to", values: { slug: old }, suggestion });
}

/**
 * The part of its events' names that identifies a segment. `Bob's VIPs!` → `bobs-vips`: lower case, letters and digits
 * of any script, words joined by hyphens.
 */
function requiredSlug(name: string): string {
  const plain = name.normalize("NFC").toLowerCase().replace(/['’]/g, "");
  const words = plain.match(/[\p{L}\p{N}\p{M}]+/gu);
  if (!words) throw invalidField("name", "A name needs a letter or a digit.");
  return words.join("-");
}

function slugTaken(slug: string): AppError {
  return new AppError("CONFLICT", `A segment with the slug ${slug} already exists.`, {
    reason: "slug_taken",
    values: { slug },
  });
}

function notFound(id: string): never {
  throw new AppError("SEGMENT_NOT_FOUND", `There is no segment ${id}.`);
}
