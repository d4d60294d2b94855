// Entering and leaving segments: the members, their count and their events, always in one transaction.
//
// A segment that names others is evaluated after them in the same transaction (references.ts, `inLayers`); otherwise a
// contact would enter it by a former membership. Code that deletes contacts calls `leaveAll` first, so that counts stay
// true.
import type { Consumer, Occurrence } from "../../../tenant/events/dispatch.ts";
import { emitEach } from "../../../tenant/events/emit.ts";
import { listenersTo } from "../../../tenant/events/interests.ts";
import { touchEach } from "../../../tenant/events/outbox.ts";
import { segmentSubject } from "../../../tenant/events/subjects.ts";
import type { Tx } from "../../../store/store.ts";
import { conditionSql } from "../condition/condition.ts";
import { lockSegments, segmentsNumbered, type Segment } from "../queries.ts";
import { conditionOf, inLayers } from "../references.ts";
import {
  addToCount,
  deleteMembers,
  deleteMemberships,
  insertMembers,
  lockContacts,
  matchesAmong,
  membershipsAmong,
  type SegmentMembership,
} from "./queries.ts";

/** Conditions in one statement. */
const CONDITIONS_A_STATEMENT = 20;

type Movement = {
  readonly segment: Segment;
  readonly entering: readonly number[];
  readonly leaving: readonly number[];
};
export type MembershipCounts = { readonly added: number; readonly removed: number };

/**
 * Keeps the members of DYNAMIC segments current: finds the segments that a change may concern, and evaluates them
 * again. Emitting an event does not lock its contact, so another process may be moving the contact by its state before
 * the event. The lock waits for that transaction to end.
 */
export const segmentMembership: Consumer = {
  name: "segments",
  consume: async (tx, occurrences) => {
    // Locks in a fixed order, so that transactions cannot wait for each other.
    const inOrder = occurrences.toSorted((one, other) => one.workspace - other.workspace);
    for (const [workspace, those] of Map.groupBy(inOrder, (one) => one.workspace)) {
      const contacts = [...new Set(those.flatMap(({ contact }) => contact ?? []))];
      const segments = await segmentsConcerned(tx, workspace, those);
      if (contacts.length === 0 || segments.length === 0) continue;
      if (those.some(({ event }) => event !== null)) await lockContacts(tx, contacts);
      await moveInLayers(tx, await inLayers(tx, await segmentsNumbered(tx, segments)), contacts);
    }
  },
};

async function segmentsConcerned(tx: Tx, workspace: number, occurrences: readonly Occurrence[]): Promise<number[]> {
  const segments = new Set<number>();
  const subjects = new Map(occurrences.map((one) => [one.subjects.join("\n"), one.subjects]));
  for (const some of subjects.values())
    for (const segment of await listenersTo(tx, workspace, "segment", some)) segments.add(segment);
  return [...segments];
}

/**
 * Updates the segments that this one's condition names for these contacts, so that outdated memberships do not move
 * them. The contacts are locked.
 */
export async function settleNamed(tx: Tx, segment: Segment, contacts: readonly number[]): Promise<void> {
  const layers = await inLayers(tx, [segment]);
  await moveInLayers(tx, layers.slice(0, -1), contacts);
}

/** Reads first and locks only for contacts that have to move: most changes move none. */
async function moveInLayers(
  tx: Tx,
  layers: readonly (readonly Segment[])[],
  contacts: readonly number[],
): Promise<void> {
  let locked: readonly number[] | null = null;
  for (const layer of layers) {
    const segments = layer.filter(({ type }) => type === "DYNAMIC");
    const seen = await movements(tx, segments, locked ?? contacts);
    if (seen.length === 0) continue;
    const moving = seen.flatMap(({ entering, leaving }) => [...entering, ...leaving]);
    // Contacts are locked before segments, including contacts that move in a later layer.
    locked ??= await lockContacts(tx, layers.length > 1 ? contacts : [...new Set(moving)]);
    const seqs = seen.map(({ segment }) => segment.seq);
    for (const movement of await movements(tx, await lockSegments(tx, seqs), locked)) await moveAsSwept(tx, movement);
  }
}

/** The first sweep of a new segment emits no events, so contacts that it has not reached also move without events. */
async function moveAsSwept(tx: Tx, { segment, entering, leaving }: Movement): Promise<void> {
  const isSwept = (contact: number) =>
    segment.state !== "NEW" || contact <= segment.sweptTo || contact > segment.sweepEnd;
  const isUnswept = (contact: number) => !isSwept(contact);
  await move(tx, { segment, entering: entering.filter(isSwept), leaving: leaving.filter(isSwept) });
  await move(tx, { segment, entering: entering.filter(isUnswept), leaving: leaving.filter(isUnswept) }, true);
}

/** Contacts that match and are no members, or are members and do not match; segments without any are left out. */
export async function movements(
  tx: Tx,
  segments: readonly Segment[],
  contacts: readonly number[],
): Promise<Movement[]> {
  if (segments.length === 0 || contacts.length === 0) return [];
  const matching = await matchingIn(tx, segments, contacts);
  const seqs = segments.map(({ seq }) => seq);
  const inside = bySegment(await membershipsAmong(tx, seqs, contacts));
  return segments.flatMap((segment) => {
    const [fit, are] = [matching.get(segment.seq) ?? EMPTY, inside.get(segment.seq) ?? EMPTY];
    const entering = [...fit.difference(are)];
    const leaving = [...are.difference(fit)];
    return entering.length + leaving.length === 0 ? [] : [{ segment, entering, leaving }];
  });
}

const EMPTY: ReadonlySet<number> = new Set<number>();

async function matchingIn(
  tx: Tx,
  segments: readonly Segment[],
  contacts: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const { dialect, nowMs } = tx;
  const matchings = segments.map((segment) => ({
    segment: segment.seq,
    condition: conditionSql(conditionOf(segment), { dialect, nowMs }),
  }));
  const found: SegmentMembership[] = [];
  for (let at = 0; at < matchings.length; at += CONDITIONS_A_STATEMENT)
    found.push(...(await matchesAmong(tx, matchings.slice(at, at + CONDITIONS_A_STATEMENT), contacts)));
  return bySegment(found);
}

function bySegment(memberships: readonly SegmentMembership[]): ReadonlyMap<number, ReadonlySet<number>> {
  const grouped = Map.groupBy(memberships, ({ segment }) => segment);
  return new Map([...grouped].map(([segment, those]) => [segment, new Set(those.map(({ contact }) => contact))]));
}

/**
 * Changes the members and their count, and emits `segment.<slug>.entry` or `.exit` for each contact that actually
 * moved, if the segment tracks membership and `isSilent` is false. The contacts are locked. Segments that name this one
 * are notified.
 */
export async function move(
  tx: Tx,
  { segment, entering, leaving }: Movement,
  isSilent = false,
): Promise<MembershipCounts> {
  const entered = entering.length === 0 ? [] : await insertMembers(tx, segment.seq, entering);
  const left = leaving.length === 0 ? [] : await deleteMembers(tx, segment.seq, leaving);
  if (entered.length !== left.length) await addToCount(tx, segment.seq, entered.length - left.length);
  if (!isSilent && (segment.type === "STATIC" || segment.trackMembership)) {
    await emitMoves(tx, segment, "entry", entered);
    await emitMoves(tx, segment, "exit", left);
  }
  await touchEach(tx, [...entered, ...left], {
    workspace: segment.workspace,
    subjects: [segmentSubject(segment.seq)],
  });
  return { added: entered.length, removed: left.length };
}

async function emitMoves(tx: Tx, segment: Segment, what: "entry" | "exit", contacts: readonly number[]): Promise<void> {
  const { workspace, slug, id, name } = segment;
  const data = { segmentId: id, segmentName: name };
  await emitEach(tx, { workspace, name: `segment.${slug}.${what}`, data }, contacts);
}

/** Removes locked contacts from all segments and counts before their deletion: an event would have no contact. */
export async function leaveAll(tx: Tx, contacts: readonly number[]): Promise<void> {
  if (contacts.length === 0) return;
  const left = Map.groupBy(await deleteMemberships(tx, contacts), (segment) => segment);
  for (const segment of [...left.keys()].sort((one, other) => one - other))
    await addToCount(tx, segment, -(left.get(segment)?.length ?? 0));
}
