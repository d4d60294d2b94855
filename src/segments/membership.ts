// Who enters and who leaves: the rows of members, their count and their events, always in one change.
import type { Consumer, Occurrence } from "../events/dispatch.ts";
import { emitEach } from "../events/emit.ts";
import { listenersTo } from "../events/interests.ts";
import { touchEach } from "../events/outbox.ts";
import { segmentTopic } from "../events/topics.ts";
import type { Tx } from "../store/store.ts";
import { conditionSql } from "./condition.ts";
import {
  addToCount,
  deleteMembers,
  deleteMemberships,
  insertMembers,
  lockContacts,
  matchesAmong,
  membershipsAmong,
} from "./membership-queries.ts";
import { segmentsNumbered, lockSegments, type SegmentRow } from "./queries.ts";
import { conditionOf, inLayers } from "./references.ts";

/** So many conditions are asked for in one statement. */
const CONDITIONS_A_STATEMENT = 20;

type Movement = {
  readonly segment: SegmentRow;
  readonly entering: readonly number[];
  readonly leaving: readonly number[];
};
export type Moved = { readonly added: number; readonly removed: number };

/**
 * Keeps the members of DYNAMIC segments current: finds the segments that a change may concern, and asks them anew. Emitting an
 * event does not lock its contact, so another process may be moving the contact by what was true before the event: only once
 * that is committed can be seen who is to be moved.
 */
export const segmentMembership: Consumer = {
  name: "segments",
  consume: async (tx, occurrences) => {
    // In one order, so that no two transactions wait for each other.
    const inOrder = occurrences.toSorted((one, other) => one.workspace - other.workspace);
    for (const [workspace, those] of Map.groupBy(inOrder, (one) => one.workspace)) {
      const contacts = [...new Set(those.flatMap(({ contact }) => contact ?? []))];
      const segments = await segmentsConcerned(tx, workspace, those);
      if (contacts.length === 0 || segments.length === 0) continue;
      if (those.some(({ event }) => event !== null)) await lockContacts(tx, contacts);
      await moveWhereNeeded(tx, segments, contacts);
    }
  },
};

async function segmentsConcerned(tx: Tx, workspace: number, occurrences: readonly Occurrence[]): Promise<number[]> {
  const segments = new Set<number>();
  const topics = new Map(occurrences.map((one) => [one.topics.join("\n"), one.topics]));
  for (const some of topics.values()) {
    for (const segment of await listenersTo(tx, workspace, "segment", some)) segments.add(segment);
  }
  return [...segments];
}

async function moveWhereNeeded(tx: Tx, segments: readonly number[], contacts: readonly number[]): Promise<void> {
  await moveInLayers(tx, await inLayers(tx, await segmentsNumbered(tx, segments)), contacts);
}

/**
 * Brings the segments that this one's condition names up to date for these contacts, so that nobody enters or leaves it by what is
 * no longer so. The contacts are locked.
 */
export async function settleNamed(tx: Tx, segment: SegmentRow, contacts: readonly number[]): Promise<void> {
  const layers = await inLayers(tx, [segment]);
  await moveInLayers(tx, layers.slice(0, -1), contacts);
}

/** Looks first and locks only where somebody is to move: most changes move nobody. */
async function moveInLayers(
  tx: Tx,
  layers: readonly (readonly SegmentRow[])[],
  contacts: readonly number[],
): Promise<void> {
  let locked: readonly number[] | null = null;
  for (const layer of layers) {
    const segments = layer.filter(({ type }) => type === "DYNAMIC");
    const seen = await movements(tx, segments, locked ?? contacts);
    if (seen.length === 0) continue;
    const moving = seen.flatMap(({ entering, leaving }) => [...entering, ...leaving]);
    // Contacts are locked before segments, also those who move in a later layer.
    locked ??= await lockContacts(tx, layers.length > 1 ? contacts : [...new Set(moving)]);
    const rows = await lockSegments(
      tx,
      seen.map(({ segment }) => segment.seq),
    );
    for (const movement of await movements(tx, rows, locked)) await moveAsSwept(tx, movement);
  }
}

/** The first sweep of a new segment emits no events: those whom it has yet to come to move without one as well. */
async function moveAsSwept(tx: Tx, { segment, entering, leaving }: Movement): Promise<void> {
  const isSwept = (contact: number) =>
    segment.state !== "NEW" || contact <= segment.swept_to || contact > segment.sweep_end;
  const isUnswept = (contact: number) => !isSwept(contact);
  await move(tx, { segment, entering: entering.filter(isSwept), leaving: leaving.filter(isSwept) });
  await move(tx, { segment, entering: entering.filter(isUnswept), leaving: leaving.filter(isUnswept) }, true);
}

/** Who of these contacts matches and is not in, or is in and does not match; nothing for segments where nobody moves. */
export async function movements(
  tx: Tx,
  segments: readonly SegmentRow[],
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
  segments: readonly SegmentRow[],
  contacts: readonly number[],
): Promise<Map<number, Set<number>>> {
  const { dialect, nowMs } = tx;
  const found = [];
  for (let at = 0; at < segments.length; at += CONDITIONS_A_STATEMENT) {
    const matchings = segments.slice(at, at + CONDITIONS_A_STATEMENT).map((row) => ({
      segment: row.seq,
      condition: conditionSql(conditionOf(row), { dialect, nowMs }),
    }));
    found.push(...(await matchesAmong(tx, matchings, contacts)));
  }
  return bySegment(found);
}

function bySegment(rows: readonly { segment: number; contact: number }[]): Map<number, Set<number>> {
  const sets = new Map<number, Set<number>>();
  for (const { segment, contact } of rows) {
    const set = sets.get(segment) ?? new Set();
    sets.set(segment, set.add(contact));
  }
  return sets;
}

/**
 * Carries a movement out: rows, count, and `segment.<slug>.entry` or `.exit` for each who really moved, if the segment says
 * so and this is no first filling. The contacts are locked; segments built on this one learn of it.
 */
export async function move(tx: Tx, { segment, entering, leaving }: Movement, isSilent = false): Promise<Moved> {
  const entered = entering.length === 0 ? [] : await insertMembers(tx, segment.seq, entering);
  const left = leaving.length === 0 ? [] : await deleteMembers(tx, segment.seq, leaving);
  if (entered.length !== left.length) await addToCount(tx, segment.seq, entered.length - left.length);
  if (!isSilent && (segment.type === "STATIC" || segment.track_membership === 1)) {
    await emitMoves(tx, segment, "entry", entered);
    await emitMoves(tx, segment, "exit", left);
  }
  await touchEach(tx, segment.workspace, [...entered, ...left], [segmentTopic(segment.seq)]);
  return { added: entered.length, removed: left.length };
}

async function emitMoves(
  tx: Tx,
  segment: SegmentRow,
  what: "entry" | "exit",
  contacts: readonly number[],
): Promise<void> {
  const { workspace, slug, id, name } = segment;
  const data = { segmentId: id, segmentName: name };
  await emitEach(tx, { workspace, name: `segment.${slug}.${what}`, data }, contacts);
}

/**
 * For contacts that are about to be deleted, and are locked: takes them out of all segments, and the counts stay true. They
 * leave without an event, for there is nobody left whom it could be about.
 */
export async function leaveAll(tx: Tx, contacts: readonly number[]): Promise<void> {
  if (contacts.length === 0) return;
  const left = Map.groupBy(await deleteMemberships(tx, contacts), (segment) => segment);
  for (const segment of [...left.keys()].sort((one, other) => one - other))
    await addToCount(tx, segment, -(left.get(segment)?.length ?? 0));
}
