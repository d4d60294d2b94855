// The current members of a segment, and changes of a STATIC segment's members by hand.
import type { Clock } from "../../base/clock.ts";
import { formerAmong, lockContactsByEmail, type Contact } from "../contacts/queries.ts";
import { AppError, readEach } from "../../base/errors.ts";
import { requiredAddress } from "../../http/body/address-field.ts";
import { readingOf } from "../../store/page.ts";
import type { Sql } from "../../store/sql.ts";
import type { Reader, Store, Tx } from "../../store/store.ts";
import { move } from "./membership/membership.ts";
import { countMatching, matchingPage, membershipsAmong, membersPage, type MemberRange } from "./membership/queries.ts";
import { isLarge, SWEEP_EVERY_MS } from "./membership/sweep.ts";
import { lockSegments, type Segment } from "./queries.ts";
import { acceptCondition, isLive, matchingNow, membersNow } from "./references.ts";
import { findAndLock, findSegment, type SegmentEditor } from "./segment.ts";
import { refuseMailed } from "./uses.ts";

/** In a large workspace, a segment that depends on time has the count of its last sweep. */
export async function memberCount(store: Store, clock: Clock, segment: Segment): Promise<number> {
  const nowMs = clock.nowMs();
  if (!(await isEvaluated(store, segment, nowMs))) return segment.memberCount;
  const count = async (reader: Reader) =>
    countMatching(reader, segment.workspace, await membersNow(reader, segment, nowMs));
  return store.read(count, { longFor: segment.workspace });
}

/**
 * The number of members that a new segment will have, for a workspace so large that they are found later.
 * @throws AppError VALIDATION_ERROR
 */
export async function foreseenCount(
  store: Store,
  clock: Clock,
  workspace: number,
  condition: unknown,
): Promise<number> {
  if (!(await store.read((reader) => isLarge(reader, workspace)))) return 0;
  const nowMs = clock.nowMs();
  const count = async (reader: Reader) => {
    const accepted = await acceptCondition(reader, workspace, condition);
    return countMatching(reader, workspace, await matchingNow(reader, workspace, accepted.condition, nowMs));
  };
  return store.read(count, { longFor: workspace });
}

/** Newest contacts first; current to the same degree as memberCount. */
export async function members(store: Store, clock: Clock, segment: Segment, piece: MemberRange): Promise<Contact[]> {
  const nowMs = clock.nowMs();
  const { seq, workspace } = segment;
  if (!(await isEvaluated(store, segment, nowMs)))
    return store.read((reader) => membersPage(reader, seq, piece), readingOf(workspace, piece.offset));
  const page = async (reader: Reader) =>
    matchingPage(reader, workspace, await membersNow(reader, segment, nowMs), piece);
  return store.read(page, { longFor: workspace });
}

/** Decides whether to evaluate the condition. A slow evaluation is replaced by the members of a minute ago. */
async function isEvaluated(store: Store, segment: Segment, nowMs: number): Promise<boolean> {
  if (!isLive(segment, nowMs)) return false;
  if (isLive(segment, nowMs, SWEEP_EVERY_MS)) return true;
  return !(await store.read((reader) => isLarge(reader, segment.workspace)));
}

/** True for contacts `c` in the segment at this moment. @throws AppError SEGMENT_NOT_FOUND */
export async function contactsIn(reader: Reader, workspace: number, id: string, nowMs: number): Promise<Sql> {
  return membersNow(reader, await findSegment(reader, workspace, id), nowMs);
}

/** Null = lists evaluate the condition rather than show the stored members. @throws AppError SEGMENT_NOT_FOUND */
export async function keptSegment(
  reader: Reader,
  workspace: number,
  id: string,
  nowMs: number,
): Promise<number | null> {
  const segment = await findSegment(reader, workspace, id);
  if (!isLive(segment, nowMs)) return segment.seq;
  if (isLive(segment, nowMs, SWEEP_EVERY_MS)) return null;
  return (await isLarge(reader, workspace)) ? segment.seq : null;
}

/**
 * Adds contacts of the workspace to a STATIC segment. `added` counts the contacts found by the addresses, members
 * included; `notFound` has the other addresses as they were sent.
 * @throws AppError SEGMENT_NOT_FOUND, SEGMENT_NOT_STATIC, VALIDATION_ERROR on `emails.<n>`, FORBIDDEN as changeSegment
 */
export async function addMembers(tx: Tx, caller: SegmentEditor, id: string, emails: readonly string[]) {
  const { segment, known, notFound } = await lockNamed(tx, caller, id, emails);
  await move(tx, { segment, entering: known.map(({ seq }) => seq), leaving: [] });
  return { added: known.length, notFound };
}

/** Removes contacts from a STATIC segment; `removed` counts the contacts of the addresses. @throws as addMembers */
export async function removeMembers(tx: Tx, caller: SegmentEditor, id: string, emails: readonly string[]) {
  const { segment, known } = await lockNamed(tx, caller, id, emails);
  await move(tx, { segment, entering: [], leaving: known.map(({ seq }) => seq) });
  return { removed: known.length };
}

/**
 * Refuses who may not change the members of a STATIC segment. @throws AppError SEGMENT_NOT_FOUND, SEGMENT_NOT_STATIC,
 * FORBIDDEN as changeSegment
 */
export async function refuseToMove(tx: Tx, caller: SegmentEditor, id: string): Promise<void> {
  const { workspace } = caller;
  await findStatic(tx, workspace, id);
  await refuseMailed(tx, caller, await findAndLock(tx, workspace, id));
}

/** The number of a STATIC segment. @throws AppError SEGMENT_NOT_FOUND, SEGMENT_NOT_STATIC */
export async function joinable(reader: Reader, workspace: number, id: string): Promise<number> {
  return (await findStatic(reader, workspace, id)).seq;
}

/** Adds contacts to a STATIC segment, unless it was deleted; answers the new members. */
export async function joinSegment(tx: Tx, seq: number, contacts: readonly number[]): Promise<number[]> {
  const [segment] = await lockSegments(tx, [seq]);
  if (!segment) return [];
  const inside = new Set((await membershipsAmong(tx, [seq], contacts)).map(({ contact }) => contact));
  const entering = contacts.filter((contact) => !inside.has(contact));
  await move(tx, { segment, entering, leaving: [] });
  return entering;
}

/** Removes contacts from a STATIC segment, unless it was deleted. */
export async function leaveSegment(tx: Tx, seq: number, contacts: readonly number[]): Promise<void> {
  const [segment] = await lockSegments(tx, [seq]);
  if (segment) await move(tx, { segment, entering: [], leaving: contacts });
}

/** @throws AppError SEGMENT_NOT_FOUND, SEGMENT_NOT_STATIC */
async function findStatic(reader: Reader, workspace: number, id: string): Promise<Segment> {
  const segment = await findSegment(reader, workspace, id);
  if (segment.type !== "STATIC")
    throw new AppError("SEGMENT_NOT_STATIC", "The members of a DYNAMIC segment are those who match its condition.");
  return segment;
}

async function lockNamed(tx: Tx, caller: SegmentEditor, id: string, emails: readonly string[]) {
  const { workspace } = caller;
  await findStatic(tx, workspace, id);
  const asSent = addressesAsSent(emails);
  const known = await lockContactsByEmail(tx, workspace, [...asSent.keys()]);
  const segment = await findAndLock(tx, workspace, id);
  await refuseMailed(tx, caller, segment);
  const present = new Set(known.map(({ email }) => email));
  const others = [...asSent.keys()].filter((email) => !present.has(email));
  const isFormer = known.some(({ email }) => !asSent.has(email));
  const former = isFormer ? await formerAmong(tx, workspace, others) : new Map<string, number>();
  const meant = new Set(former.values());
  return {
    segment,
    known: known.filter(({ seq, email }) => asSent.has(email) || meant.has(seq)),
    notFound: others.flatMap((email) => (former.has(email) ? [] : (asSent.get(email) ?? []))),
  };
}

/** The addresses in their stored form, each with its first spelling in the request. */
function addressesAsSent(emails: readonly string[]): ReadonlyMap<string, string> {
  const parsed = readEach(emails, (text, index) => requiredAddress(`emails.${index}`, text));
  const asSent = new Map<string, string>();
  for (const [index, address] of parsed.entries())
    if (!asSent.has(address)) asSent.set(address, emails[index] as string);
  return asSent;
}
