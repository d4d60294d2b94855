// A sweep reads all contacts of a workspace for one segment: to fill a new one, to follow a changed condition or the
// passing of time, and daily as a safeguard. It works in slices. The second thread finds contacts whose membership
// differs, and only these are locked, checked again and moved. The same loop deletes the members of deleted segments.
//
// A sweep is a cursor in the segment's row with a lease: another process, or the next start, continues it. Every new
// segment is swept a second time minutes later, because on PostgreSQL a change may commit while the interest in it is
// being registered. Until a sweep is complete, the condition itself determines the members (references.ts,
// `membersNow`).
import { DAY_MS, iso, MINUTE_MS, type Clock } from "../../../base/clock.ts";
import { nthContact } from "../../contacts/search/selection-queries.ts";
import { restUntil, SHORT_REST_MS } from "../../../base/jobs/due.ts";
import type { Reader, Store, Tx } from "../../../store/store.ts";
import { nextTurnAt, takeInTurn } from "../../../store/turns.ts";
import { conditionSql } from "../condition/condition.ts";
import { advanceSweep, beginSweep, endSweep, lockSegments, sweepQueue, type Segment } from "../queries.ts";
import { conditionOf } from "../references.ts";
import { move, movements, settleNamed, type MembershipCounts } from "./membership.ts";
import {
  contactsBetween,
  deleteSomeMembers,
  differing,
  hasToEmpty,
  lockContacts,
  setEmptied,
  takeToEmpty,
} from "./queries.ts";

/** Signalled when a segment may have to be swept. */
export const SEGMENT_CHANGED = "segment";

/** Contacts that one slice reads, … */
const CONTACTS_A_SLICE = 20_000;
/** … and contacts that it moves, with an event for each or without. */
const MAX_MOVED_A_SLICE = 300;
const MAX_MOVED_SILENTLY_A_SLICE = 1_000;
/** Up to this number, contacts are swept immediately, in the transaction of the change. */
const MAX_CONTACTS_AT_ONCE = 500;
const LEASE_MS = 60_000;
/** How often a segment that depends on time is swept. */
export const SWEEP_EVERY_MS = 60_000;
/** Finds changes that were committed while interest in them was being registered. */
const SECOND_SWEEP_MS = 5 * MINUTE_MS;
/** Members of a deleted segment that one transaction deletes, so that other writers need not wait. */
const MEMBERS_A_PIECE = 1_000;

/** Sweeps a slice of the segment whose turn it is, or deletes members of a deleted one; answers how long to rest. */
export async function sweepStep(store: Store, clock: Clock): Promise<number> {
  if ((await store.read(hasToEmpty)) && (await store.write(deletePiece))) return 0;
  const untilDueMs = async () => restUntil(await store.read((reader) => nextTurnAt(reader, "sweeps")), clock.nowMs());
  const restMs = await untilDueMs();
  if (restMs > 0) return restMs;
  const segment = await store.write(claimSweep);
  if (!segment) return Math.max(SHORT_REST_MS, await untilDueMs());
  await sweepSlice(store, segment, clock.nowMs());
  return 0;
}

/** False if another process has locked the segment. */
async function deletePiece(tx: Tx): Promise<boolean> {
  const segment = await takeToEmpty(tx);
  if (segment === null) return false;
  if ((await deleteSomeMembers(tx, segment, MEMBERS_A_PIECE)) < MEMBERS_A_PIECE) await setEmptied(tx, segment);
  return true;
}

async function claimSweep(tx: Tx): Promise<Segment | null> {
  const leaseUntil = iso(tx.nowMs + LEASE_MS);
  const [segment = null] = await takeInTurn(tx, sweepQueue(leaseUntil), 1);
  return segment && segment.sweepEnd === 0 ? beginSweep(tx, segment, leaseUntil) : segment;
}

type SweepSlice = { readonly contacts: readonly number[]; readonly end: number; readonly isLast: boolean };

async function sweepSlice(store: Store, swept: Segment, nowMs: number): Promise<void> {
  const slice = await nextSlice(store, swept, swept.sweptTo, nowMs);
  await store.write(async (tx) => {
    const { segment } = await moveDiffering(tx, swept, slice.contacts);
    // Restarted, or taken over by another process after the lease ended: the moves are right in any case.
    if (!segment || segment.sweptTo !== swept.sweptTo || segment.sweptAt !== swept.sweptAt) return;
    if (slice.isLast) await finish(tx, segment);
    else await advanceSweep(tx, segment.seq, slice.end);
  });
}

async function nextSlice(store: Store, segment: Segment, after: number, nowMs: number): Promise<SweepSlice> {
  const { seq, workspace, sweepEnd, trackMembership, state } = segment;
  return store.read(
    async (reader) => {
      const limit = trackMembership && state !== "NEW" ? MAX_MOVED_A_SLICE : MAX_MOVED_SILENTLY_A_SLICE;
      const reached = await nthContact(reader, workspace, { after, upTo: sweepEnd }, CONTACTS_A_SLICE);
      const end = reached ?? sweepEnd;
      const condition = conditionSql(conditionOf(segment), { dialect: reader.dialect, nowMs });
      const contacts = await differing(reader, workspace, { segment: seq, condition }, { after, end, limit });
      if (contacts.length === limit) return { contacts, end: contacts.at(-1) as number, isLast: false };
      return { contacts, end, isLast: reached === null };
    },
    { longFor: workspace, byLoop: true },
  );
}

/** Locks these contacts, checks them again and moves those that differ; answers the current segment. */
async function moveDiffering(tx: Tx, swept: Segment, contacts: readonly number[]) {
  const locked = contacts.length === 0 ? [] : await lockContacts(tx, contacts);
  // Without events, changes of the segments that it names may follow a moment later.
  if (swept.trackMembership) await settleNamed(tx, swept, locked);
  const [segment = null] = await lockSegments(tx, [swept.seq]);
  const [movement] = segment ? await movements(tx, [segment], locked) : [];
  const moved = movement ? await move(tx, movement, movement.segment.state === "NEW") : { added: 0, removed: 0 };
  return { segment, moved };
}

async function finish(tx: Tx, { seq, state, timeBound }: Segment): Promise<void> {
  const timeMs = timeBound ? SWEEP_EVERY_MS : DAY_MS;
  const restMs = state === "CURRENT" ? timeMs : Math.min(timeMs, SECOND_SWEEP_MS);
  await endSweep(tx, seq, iso(tx.nowMs + restMs));
}

/**
 * Finds the members for a new condition: immediately in a small workspace, else in the loop, and until then each query
 * evaluates the condition itself. Members of a NEW segment enter without an event.
 */
export async function findMembers(tx: Tx, changed: Segment, state: "NEW" | "CHANGED"): Promise<void> {
  const segment = await beginSweep(tx, { ...changed, state }, tx.now);
  tx.signal(SEGMENT_CHANGED);
  if (await isLarge(tx, segment.workspace)) return;
  await moveDiffering(tx, segment, await contactsBetween(tx, segment.workspace, { after: 0, end: segment.sweepEnd }));
  await finish(tx, segment);
}

/** True for a workspace with too many contacts for one transaction. */
export async function isLarge(reader: Reader, workspace: number): Promise<boolean> {
  const everybody = { after: 0, upTo: Number.MAX_SAFE_INTEGER };
  return (await nthContact(reader, workspace, everybody, MAX_CONTACTS_AT_ONCE + 1)) !== null;
}

/** Sweeps all contacts now, independently of the loop; answers how many moved. */
export async function sweepNow(store: Store, clock: Clock, segment: Segment): Promise<MembershipCounts> {
  const everybody = { ...segment, sweepEnd: Number.MAX_SAFE_INTEGER };
  const moved = { added: 0, removed: 0 };
  for (let after = 0, isLast = false; !isLast;) {
    const slice = await nextSlice(store, everybody, after, clock.nowMs());
    const { moved: some } = await store.write((tx) => moveDiffering(tx, segment, slice.contacts));
    moved.added += some.added;
    moved.removed += some.removed;
    [after, isLast] = [slice.end, slice.isLast];
  }
  return moved;
}
