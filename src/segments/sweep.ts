// Going through all contacts of a workspace for one segment: to fill a new one, to follow a changed condition, to see what
// time alone has changed, and now and then to be sure. In slices: what differs is found on the second thread, and only
// that is written, after another look.
import { DAY_MS, iso, MINUTE_MS, type Clock } from "../clock.ts";
import { nthContact } from "../contacts/selection-queries.ts";
import { restUntil, SHORT_REST_MS } from "../jobs/due.ts";
import type { Reader, Store, Tx } from "../store/store.ts";
import { nextTurnAt, takeInTurn } from "../store/turns.ts";
import { conditionSql } from "./condition.ts";
import { emptyStep } from "./emptying.ts";
import { move, movements, settleNamed, type Moved } from "./membership.ts";
import { contactsBetween, differing, lockContacts } from "./membership-queries.ts";
import { advanceSweep, beginSweep, endSweep, lockSegments, sweepQueue, type SegmentRow } from "./queries.ts";
import { conditionOf } from "./references.ts";

/** Signalled when there may be a segment to sweep. */
export const SEGMENT_CHANGED = "segment";

/** Contacts that are looked at in one slice, … */
const CONTACTS_A_SLICE = 20_000;
/** … and that are written in one, with an event for each or without. */
const MAX_MOVED_A_SLICE = 300;
const MAX_MOVED_SILENTLY_A_SLICE = 1_000;
/** A workspace of no more contacts is gone through at once, in the change itself. */
const MAX_CONTACTS_AT_ONCE = 500;
const LONGEST_REST_MS = 60_000;
const LEASE_MS = 60_000;
/** What depends on time is looked at so often. */
export const SWEEP_EVERY_MS = 60_000;
/** What changed while the interest in it was being registered is found by a second sweep. */
const SECOND_SWEEP_MS = 5 * MINUTE_MS;

/** Sweeps one slice of a segment of the workspace whose turn it is, or deletes members of one that is gone; answers how long there is nothing to do. */
export async function sweepStep(store: Store, clock: Clock): Promise<number> {
  if (await emptyStep(store)) return 0;
  const untilDueMs = async () =>
    restUntil(await store.read((reader) => nextTurnAt(reader, "sweeps")), clock.nowMs(), LONGEST_REST_MS);
  const restMs = await untilDueMs();
  if (restMs > 0) return restMs;
  const segment = await store.write(takeSweep);
  if (!segment) return Math.max(SHORT_REST_MS, await untilDueMs());
  await sweepSlice(store, segment, clock.nowMs());
  return 0;
}

async function takeSweep(tx: Tx): Promise<SegmentRow | null> {
  const leaseUntil = iso(tx.nowMs + LEASE_MS);
  const [segment = null] = await takeInTurn(tx, sweepQueue(leaseUntil), 1);
  return segment && segment.sweep_end === 0 ? beginSweep(tx, segment, leaseUntil) : segment;
}

type Slice = { readonly contacts: readonly number[]; readonly end: number; readonly isLast: boolean };

async function sweepSlice(store: Store, segment: SegmentRow, nowMs: number): Promise<void> {
  const slice = await nextSlice(store, segment, segment.swept_to, nowMs);
  await store.write(async (tx) => {
    const { row } = await moveDiffering(tx, segment, slice.contacts);
    // Begun anew, or taken over by another process after the lease ended: what has moved is right in any case.
    if (!row || row.swept_to !== segment.swept_to || row.swept_at !== segment.swept_at) return;
    if (slice.isLast) await finish(tx, row);
    else await advanceSweep(tx, row.seq, slice.end);
  });
}

async function nextSlice(store: Store, segment: SegmentRow, after: number, nowMs: number): Promise<Slice> {
  const { seq, workspace, sweep_end, track_membership, state } = segment;
  return store.read(
    async (reader) => {
      const limit = track_membership === 1 && state !== "NEW" ? MAX_MOVED_A_SLICE : MAX_MOVED_SILENTLY_A_SLICE;
      const reached = await nthContact(reader, workspace, { after, upTo: sweep_end }, CONTACTS_A_SLICE);
      const end = reached ?? sweep_end;
      const condition = conditionSql(conditionOf(segment), { dialect: reader.dialect, nowMs });
      const contacts = await differing(reader, workspace, { segment: seq, condition }, { after, end, limit });
      if (contacts.length === limit) return { contacts, end: contacts.at(-1) as number, isLast: false };
      return { contacts, end, isLast: reached === null };
    },
    { longFor: workspace },
  );
}

type Moving = { readonly row: SegmentRow | null; readonly moved: Moved };

/** Looks at these contacts again, locked, and moves those who are to be moved; answers the segment as it is now. */
async function moveDiffering(tx: Tx, segment: SegmentRow, contacts: readonly number[]): Promise<Moving> {
  const locked = contacts.length === 0 ? [] : await lockContacts(tx, contacts);
  // Without events to tell, what those are that it names is followed a moment later.
  if (segment.track_membership === 1) await settleNamed(tx, segment, locked);
  const [row] = await lockSegments(tx, [segment.seq]);
  const [movement] = row ? await movements(tx, [row], locked) : [];
  const moved = movement ? await move(tx, movement, movement.segment.state === "NEW") : { added: 0, removed: 0 };
  return { row: row ?? null, moved };
}

async function finish(tx: Tx, { seq, state, time_bound }: SegmentRow): Promise<void> {
  const timeMs = time_bound === 1 ? SWEEP_EVERY_MS : DAY_MS;
  const restMs = state === "CURRENT" ? timeMs : Math.min(timeMs, SECOND_SWEEP_MS);
  await endSweep(tx, seq, iso(tx.nowMs + restMs));
}

/**
 * The segment's condition is new: its members have to be found. In a small workspace that is done here; else a loop does it,
 * and until then the condition itself is asked. NEW members enter without an event.
 */
export async function findMembers(tx: Tx, segment: SegmentRow, state: "NEW" | "CHANGED"): Promise<void> {
  const row = await beginSweep(tx, { ...segment, state }, tx.now);
  tx.signal(SEGMENT_CHANGED);
  if (await isLarge(tx, row.workspace)) return;
  await moveDiffering(tx, row, await contactsBetween(tx, row.workspace, { after: 0, end: row.sweep_end }));
  await finish(tx, row);
}

/** True for a workspace whose contacts are too many to be gone through in one change. */
export async function isLarge(reader: Reader, workspace: number): Promise<boolean> {
  const everybody = { after: 0, upTo: Number.MAX_SAFE_INTEGER };
  return (await nthContact(reader, workspace, everybody, MAX_CONTACTS_AT_ONCE + 1)) !== null;
}

/** Goes through all contacts now, whatever the loop is doing; answers what it found to change. */
export async function sweepNow(store: Store, clock: Clock, segment: SegmentRow): Promise<Moved> {
  const everybody = { ...segment, sweep_end: Number.MAX_SAFE_INTEGER };
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
