// Who is in a segment at this moment, and those that are put into a STATIC one by hand (interface.md "segment members").
import type { Clock } from "../clock.ts";
import { lockContactsByEmail, type ContactRow } from "../contacts/queries.ts";
import { AppError, readEach } from "../errors.ts";
import { requiredAddress } from "../http/address-field.ts";
import { readingOf } from "../store/page.ts";
import type { Sql } from "../store/sql.ts";
import type { Reader, Store, Tx } from "../store/store.ts";
import { move } from "./membership.ts";
import { countMatching, matchingPage, membersPage, type Piece } from "./membership-queries.ts";
import { lockSegment, type SegmentRow } from "./queries.ts";
import { acceptCondition, isLive, matchingNow, membersNow } from "./references.ts";
import { findSegment } from "./segment.ts";
import { isLarge, SWEEP_EVERY_MS } from "./sweep.ts";

/** How many belong to the segment; of one that depends on time, in a large workspace, as it was at its last sweep. */
export async function memberCount(store: Store, clock: Clock, segment: SegmentRow): Promise<number> {
  const nowMs = clock.nowMs();
  if (!(await isToAsk(store, segment, nowMs))) return segment.member_count;
  const count = async (reader: Reader) =>
    countMatching(reader, segment.workspace, await membersNow(reader, segment, nowMs));
  return store.read(count, { longFor: segment.workspace });
}

/**
 * How many will belong to a segment that is to be made, if the workspace is so large that its members are found later.
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

/** Those who belong to the segment, youngest contacts first; as memberCount. */
export async function members(store: Store, clock: Clock, segment: SegmentRow, piece: Piece): Promise<ContactRow[]> {
  const nowMs = clock.nowMs();
  const { seq, workspace } = segment;
  if (!(await isToAsk(store, segment, nowMs)))
    return store.read((reader) => membersPage(reader, seq, piece), readingOf(workspace, piece.offset));
  const page = async (reader: Reader) =>
    matchingPage(reader, workspace, await membersNow(reader, segment, nowMs), piece);
  return store.read(page, { longFor: workspace });
}

/** Whether to look who matches instead of who is kept: what takes long is shown as it was a minute ago. */
async function isToAsk(store: Store, segment: SegmentRow, nowMs: number): Promise<boolean> {
  if (!isLive(segment, nowMs)) return false;
  if (isLive(segment, nowMs, SWEEP_EVERY_MS)) return true;
  return !(await store.read((reader) => isLarge(reader, segment.workspace)));
}

/**
 * True for the contacts `c` that belong to the segment at this moment; for whatever works on a segment's contacts.
 * @throws AppError SEGMENT_NOT_FOUND
 */
export function contactsOf(clock: Clock) {
  return async (reader: Reader, workspace: number, id: string): Promise<Sql> =>
    membersNow(reader, await findSegment(reader, workspace, id), clock.nowMs());
}

/**
 * Puts contacts of the workspace into a STATIC segment. `added` counts the contacts that the addresses name, however often
 * and however spelled, those that were in it included; `notFound` has the others as they were sent.
 * @throws AppError SEGMENT_NOT_FOUND, SEGMENT_NOT_STATIC, VALIDATION_ERROR on `emails.<n>`
 */
export async function addMembers(tx: Tx, workspace: number, id: string, emails: readonly string[]) {
  const { segment, known, notFound } = await lockNamed(tx, workspace, id, emails);
  await move(tx, { segment, entering: known.map(({ seq }) => seq), leaving: [] });
  return { added: known.length, notFound };
}

/** Takes contacts out of a STATIC segment; `removed` counts those that the addresses name. @throws as addMembers */
export async function removeMembers(tx: Tx, workspace: number, id: string, emails: readonly string[]) {
  const { segment, known } = await lockNamed(tx, workspace, id, emails);
  await move(tx, { segment, entering: [], leaving: known.map(({ seq }) => seq) });
  return { removed: known.length };
}

type NamedContacts = {
  readonly segment: SegmentRow;
  readonly known: readonly ContactRow[];
  readonly notFound: readonly string[];
};

async function lockNamed(tx: Tx, workspace: number, id: string, emails: readonly string[]): Promise<NamedContacts> {
  const { type } = await findSegment(tx, workspace, id);
  if (type !== "STATIC")
    throw new AppError("SEGMENT_NOT_STATIC", "The members of a DYNAMIC segment are those who match its condition.");
  const asSent = addressesIn(emails);
  const known = await lockContactsByEmail(tx, workspace, [...asSent.keys()]);
  const segment = await lockSegment(tx, workspace, id);
  if (!segment) throw new AppError("SEGMENT_NOT_FOUND", `There is no segment ${id}.`);
  const found = new Set(known.map(({ email }) => email));
  return { segment, known, notFound: [...asSent].flatMap(([email, sent]) => (found.has(email) ? [] : [sent])) };
}

/** The addresses in their stored form, each with how it was sent first. */
function addressesIn(emails: readonly string[]): Map<string, string> {
  const parsed = readEach(emails, (text, index) => requiredAddress(`emails.${index}`, text));
  const asSent = new Map<string, string>();
  parsed.forEach((address, index) => {
    if (!asSent.has(address)) asSent.set(address, emails[index] as string);
  });
  return asSent;
}
