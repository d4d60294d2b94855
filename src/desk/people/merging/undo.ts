// Undoes a merge within seven days: the contacts are two again with their ids, addresses, data and consent. Later
// changes stay with the contact that stayed, and a later opt-out counts for both.
import { DAY_MS } from "../../../base/clock.ts";
import { note, type ConsentAct } from "../../../audience/consent/consent.ts";
import { happenedToContact } from "../../../audience/consent/happened.ts";
import type { LedgerContent } from "../../../audience/consent/content.ts";
import { contentsOf, notesOf } from "../../../audience/consent/queries.ts";
import { change, resubscribe } from "../../../audience/contacts/contact.ts";
import { noteLeft, noteLeftTopics } from "../../../audience/contacts/past/merged-queries.ts";
import { contactByEmail, lockContact, type Contact } from "../../../audience/contacts/queries.ts";
import { restoreContact } from "../../../audience/contacts/removal-queries.ts";
import { setPausedUntil } from "../../../audience/contacts/pause-queries.ts";
import { searchFieldsOf } from "../../../audience/contacts/search/search-queries.ts";
import { soughtOf } from "../../../audience/contacts/search/sought.ts";
import { reasonIn } from "../../../audience/contacts/suppression.ts";
import { AppError } from "../../../base/errors.ts";
import { touch } from "../../../tenant/events/outbox.ts";
import { contactSubject } from "../../../tenant/events/subjects.ts";
import type { Tx } from "../../../store/store.ts";
import type { MergeDirection } from "../../../store/table.ts";
import { markContacts } from "../../../audience/suppressions/queries.ts";
import { takeOver } from "../../../audience/suppressions/erased.ts";
import { standingOf } from "../../../audience/suppressions/standing.ts";
import { deleteAddress } from "../../../audience/contacts/past/former-queries.ts";
import { formerAfter, sideBefore, type MergeAftermath } from "./data.ts";
import { bringPieceBack } from "./history.ts";
import { MERGING } from "./merge.ts";
import { moveBack } from "./moved-queries.ts";
import { mergedTold, setTold } from "../../../tenant/events/merge-queries.ts";
import { mergedToldEndpoints, setToldEndpoints } from "../../../programs/webhooks/endpoints/event-queries.ts";
import * as queries from "../../../audience/contacts/past/merge-queries.ts";
import { joinSegments, leaveThese } from "./segments.ts";

export const UNDONE_WITHIN_MS = 7 * DAY_MS;

/**
 * MOVING, MOVED → UNDOING; answers the merge.
 * @throws AppError MERGE_NOT_FOUND; CONFLICT if it is too long ago, the contact was merged into another since, or
 * another contact has one of the addresses
 */
export async function undoMerge(tx: Tx, workspace: number, id: string, act: ConsentAct): Promise<queries.Merge> {
  const merge = await queries.lockMerge(tx, workspace, id);
  if (!merge) throw new AppError("MERGE_NOT_FOUND", `There is no merge ${id} that can be undone.`);
  if (merge.state === "UNDOING") return merge;
  const into = await lockContact(tx, merge.contact);
  const formers = (await queries.formersOf(tx, [merge.seq])).get(merge.seq) ?? [];
  await refuseLate(tx, merge, into, formers);
  if (!into) throw new Error("A contact that is not there was found.");
  const since = await sinceThen(tx, merge, into);
  const searchFields = await searchFieldsOf(tx, workspace);
  for (const one of formers) {
    const { former, snapshot } = one;
    const contact = { ...snapshot, ...formerAfter(snapshot, since), id: one.id, seq: former };
    await restore(tx, { workspace, contact, into, searchFields }, one);
    // Merges into it, before it was merged itself, can be undone next.
    if (since.hasLeft || (snapshot.subscribed && !contact.subscribed)) await noteLeft(tx, former);
    if (since.hasLeftTopics) await noteLeftTopics(tx, former);
    if (snapshot.subscribed && !contact.subscribed) note(tx, { workspace, contact, what: "unsubscribed", act });
    await giveBackNotes(tx, { from: former, to: into.seq }, snapshot.email);
    await withdrawAddress(tx, into.seq, one.id);
    await happenedToContact(tx, "contact.unmerged", { workspace, contact, act }, {}, { former: snapshot.email });
    await happenedToContact(tx, "contact.unmerged", { workspace, contact: into, act }, {});
  }
  await restoreInto(tx, workspace, { contact: into, ...sideBefore(since), searchFields }, act);
  await queries.setState(tx, merge.seq, "UNDOING", tx.now);
  tx.signal(MERGING);
  return { ...merge, state: "UNDOING" };
}

/**
 * A person who has subscribed since and is not subscribed now has left since, even if the merge had unsubscribed them.
 */
async function sinceThen(tx: Tx, merge: queries.Merge, now: Contact): Promise<MergeAftermath> {
  const { snapshot: kept, unsubscribedSince, topicLeftSince, createdAt } = merge;
  const notes = (await contentsOf(tx, now.seq)).map((content) => JSON.parse(content) as LedgerContent);
  const hasJoined = notes.some(({ what, at }) => what === "subscribed" && at > createdAt);
  const hasLeft = unsubscribedSince || (hasJoined && !now.subscribed);
  return { kept, now, hasLeft, hasLeftTopics: topicLeftSince };
}

/** The row of the merge names the former contact's address: it is erased with that contact from now on. */
async function giveBackNotes(tx: Tx, way: MergeDirection, address: string): Promise<void> {
  const mergeNotes = (await notesOf(tx, way.to)).filter(({ content }) => {
    const { what, former } = JSON.parse(content) as LedgerContent;
    return what === "merged" && former === address;
  });
  await moveBack(
    tx,
    "consents",
    way,
    mergeNotes.map(({ seq }) => seq),
  );
}

/** Events of the contact that stays no longer name the address of the other person. */
async function withdrawAddress(tx: Tx, into: number, formerId: string): Promise<void> {
  for (const { seq, data } of await mergedTold(tx, into)) {
    const told = JSON.parse(data) as { readonly formerId: string };
    if (told.formerId === formerId) await setTold(tx, seq, { ...told, formerEmail: "" });
  }
  for (const { seq, data } of await mergedToldEndpoints(tx, into)) {
    const told = JSON.parse(data) as { readonly formerId: string };
    if (told.formerId === formerId) await setToldEndpoints(tx, seq, { ...told, formerEmail: "" });
  }
}

/** @throws AppError CONFLICT */
async function refuseLate(
  tx: Tx,
  merge: queries.Merge,
  into: Contact | null,
  formers: readonly queries.MergeSource[],
): Promise<void> {
  if (Date.parse(merge.createdAt) + UNDONE_WITHIN_MS <= tx.nowMs)
    throw new AppError("CONFLICT", "A merge can be undone for seven days.", { reason: "merge_too_old" });
  if (!into?.email.includes("@"))
    throw new AppError("CONFLICT", "The contact was merged into another one since.", {
      reason: "merged_again",
      suggestion: "Undo that merge first.",
    });
  for (const {
    snapshot: { email },
  } of formers)
    if (await contactByEmail(tx, merge.workspace, email))
      throw new AppError("CONFLICT", `A contact with the address ${email} already exists.`, {
        reason: "address_is_contacts",
        values: { email },
      });
}

type MergeReversal = {
  readonly workspace: number;
  readonly contact: Pick<Contact, "seq" | "id" | "email" | "data" | "subscribed" | "topics" | "pausedUntil">;
  readonly into: Contact;
  readonly searchFields: readonly string[];
};

async function restore(
  tx: Tx,
  { workspace, contact, into, searchFields }: MergeReversal,
  { former, snapshot }: queries.MergeSource,
): Promise<void> {
  const { segments, joined, addresses, ids } = snapshot;
  for (const address of addresses) await deleteAddress(tx, into.seq, address);
  await queries.setOwn(tx, former);
  if (ids.length > 0) await queries.passBack(tx, ids, former);
  await restoreContact(tx, workspace, { ...contact, sought: soughtOf(contact.email, contact.data, searchFields) });
  await takeOver(tx, workspace, [contact.email]);
  const suppressed = reasonIn((await standingOf(tx, { workspace, email: contact.email })).own);
  if (suppressed !== null) await markContacts(tx, [{ seq: former, suppressed }]);
  await leaveThese(tx, joined, into.seq);
  await joinSegments(tx, segments, former);
  await touch(tx, { workspace, contact: former, subjects: [contactSubject("new"), contactSubject("updatedAt")] });
}

type MergeOriginal = queries.Side & { readonly contact: Contact; readonly searchFields: readonly string[] };

async function restoreInto(
  tx: Tx,
  workspace: number,
  { contact, data, subscribed, topics, pausedUntil, searchFields }: MergeOriginal,
  act: ConsentAct,
): Promise<void> {
  await change(tx, workspace, { contact, data, topics, subscribed: null, searchFields, isKnown: true }, act);
  if (subscribed && !contact.subscribed) await resubscribe(tx, workspace, contact, act);
  if (pausedUntil === contact.pausedUntil || !subscribed) return;
  await setPausedUntil(tx, contact.seq, pausedUntil);
  const facts = pausedUntil === null ? {} : { until: pausedUntil };
  note(tx, { workspace, contact, what: pausedUntil === null ? "resumed" : "paused", act, facts });
  await touch(tx, {
    workspace,
    contact: contact.seq,
    subjects: [contactSubject("paused"), contactSubject("updatedAt")],
  });
}

/** Part of erasing a contact: rows that are being moved back are moved immediately. */
export async function settleUndoing(tx: Tx, contact: number): Promise<void> {
  for (const merge of await queries.undoingOf(tx, contact)) {
    for (const former of (await queries.formersOf(tx, [merge.seq])).get(merge.seq) ?? [])
      while (!(await bringPieceBack(tx, { workspace: merge.workspace, former, into: merge.contact })));
    await queries.deleteMerge(tx, merge.seq);
  }
}
