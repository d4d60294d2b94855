// Makes several contacts one (docs/duplicates.md).
//
// Immediately, in the change that is answered: identity, consent, waiting mail, running executions. The rest of the
// history moves in pieces of a few milliseconds (history.ts, loop.ts). A merged contact stays for seven days, stripped
// like one that is being erased, so that all of it can be undone (undo.ts). Links in its mails lead to the other
// contact for good.
import type { ChangeAuthor } from "../../../tenant/access/caller.ts";
import { note, type ConsentAct } from "../../../audience/consent/consent.ts";
import { happenedToContact } from "../../../audience/consent/happened.ts";
import { iso } from "../../../base/clock.ts";
import { change } from "../../../audience/contacts/contact.ts";
import { mergeData } from "../../../audience/contacts/data.ts";
import { addressesOf, insertFormer as insertAddress } from "../../../audience/contacts/past/former-queries.ts";
import { pause } from "../../../audience/contacts/pause.ts";
import { lockContact, type Contact } from "../../../audience/contacts/queries.ts";
import { hideContact } from "../../../audience/contacts/removal-queries.ts";
import { searchFieldsOf } from "../../../audience/contacts/search/search-queries.ts";
import { cancelEach } from "../../../mail/emails/actions/cancel.ts";
import { AppError } from "../../../base/errors.ts";
import type { EventNotice } from "../../../tenant/events/happened.ts";
import { newId } from "../../../base/ids.ts";
import type { Tx } from "../../../store/store.ts";
import { mergeChoices } from "../../../audience/topics/choice.ts";
import { typeOfChange } from "../../../programs/webhooks/endpoints/patterns.ts";
import { dataChanges, latestPause, strictTopics, type DataInput } from "./data.ts";
import { moveExecutions } from "./executions.ts";
import { movePiece } from "./history.ts";
import { keepMoved, moveSome } from "./moved-queries.ts";
import { moveAnswers } from "../../../programs/forms/answer-queries.ts";
import { moveWaitingMails, waitingMailsOf } from "../../../mail/emails/actions/merge-queries.ts";
import { moveOutbox, setNotice, untoldChanges } from "../../../tenant/events/merge-queries.ts";
import * as queries from "../../../audience/contacts/past/merge-queries.ts";
import { settleRecipients } from "./recipients.ts";
import { joinSegments, leaveSegments } from "./segments.ts";

/** Signalled when there is a history to move. */
export const MERGING = "merging";

/** The most rows of each kind that move in the same transaction. */
const ROWS_AT_ONCE = 50;
/** By then, processes that knew a contact by its number have written the work they had in hand. */
export const LOOKED_AGAIN_MS = 10 * 60_000;

export type MergeRequest = {
  readonly workspace: number;
  /** The first one stays. As stored now, locked. */
  readonly contacts: readonly Contact[];
  readonly data: DataInput;
  readonly by: ChangeAuthor;
  readonly cause: string | null;
};

/**
 * Makes all of these contacts the first one; answers the merge's number. Emits contact.merged for each of the others. A
 * refusal comes before any change.
 * @throws AppError CONFLICT if one of them has not confirmed, or the history of one is still on its way;
 * VALIDATION_ERROR if the contact would hold more than 64 KB
 */
export async function mergeContacts(tx: Tx, merging: MergeRequest): Promise<number> {
  const { workspace, contacts, by, cause } = merging;
  const [into, ...from] = contacts as readonly [Contact, ...Contact[]];
  await refuseUnfit(tx, contacts);
  const act: ConsentAct = { cause };
  const after = await changeInto(tx, merging, act);
  const merge = await queries.insertMerge(tx, { id: newId(tx.nowMs), workspace, contact: into.seq, madeBy: by });
  const seqs = from.map(({ seq }) => seq);
  await settleRecipients(tx, { workspace, into: into.seq, from: seqs, by });
  for (const former of from) {
    await moveIdentity(tx, { workspace, into, former, merge });
    await moveWork(tx, { workspace, former, into, by });
    const data = { formerId: former.id, formerEmail: former.email };
    await happenedToContact(tx, "contact.merged", { workspace, contact: into, act }, data, { former: former.email });
  }
  const { data, subscribed, topics, pausedUntil } = into;
  await queries.keepSnapshot(tx, merge, { before: { data, subscribed, topics, pausedUntil }, after });
  await moveFirst(tx, { workspace, merge, into: into.seq });
  return merge;
}

/** @throws AppError CONFLICT */
async function refuseUnfit(tx: Tx, contacts: readonly Contact[]): Promise<void> {
  const pending = contacts.find(({ status }) => status === "PENDING");
  if (pending)
    throw new AppError("CONFLICT", `${pending.email} has not confirmed the subscription yet.`, {
      reason: "merge_pending",
      values: { email: pending.email },
      suggestion: "Wait until the person has confirmed, or erase the contact.",
    });
  if (
    await queries.isAnyUnderWay(
      tx,
      contacts.map(({ seq }) => seq),
    )
  )
    throw new AppError("CONFLICT", "The history of one of these contacts is still being moved.", {
      reason: "merge_under_way",
      suggestion: "Try again in a few seconds.",
    });
}

/** Consent is strict: an opt-out of any of the contacts counts. */
async function changeInto(
  tx: Tx,
  { workspace, contacts, data: input }: MergeRequest,
  act: ConsentAct,
): Promise<queries.Side> {
  const [into] = contacts as readonly [Contact];
  const data = mergeData(into.data, dataChanges(contacts, input));
  const topics = mergeChoices(into.topics, strictTopics(contacts));
  const subscribed = contacts.every((one) => one.subscribed);
  const searchFields = await searchFieldsOf(tx, workspace);
  // The last entry of the ledger matches the subscription, even if the others had another.
  if (!into.subscribed && contacts.some((one) => one.subscribed))
    note(tx, { workspace, contact: into, what: "unsubscribed", act });
  await change(
    tx,
    workspace,
    {
      contact: into,
      data,
      topics,
      subscribed: into.subscribed && !subscribed ? false : null,
      searchFields,
      isKnown: true,
    },
    act,
  );
  const pausedUntil = subscribed ? latestPause(contacts) : null;
  if (pausedUntil !== null) await pause(tx, { ...into, workspace }, pausedUntil, act);
  return { data, topics, subscribed, pausedUntil };
}

type MergePair = { readonly workspace: number; readonly into: Contact; readonly former: Contact };

/** Its address and its former ids lead to the other contact from now on. */
async function moveIdentity(
  tx: Tx,
  { workspace, into, former, merge }: MergePair & { readonly merge: number },
): Promise<void> {
  const way = { from: former.seq, to: into.seq };
  const segments = await leaveSegments(tx, former.seq);
  const joined = await joinSegments(tx, segments, into.seq);
  const known = new Set([into.email, ...(await addressesOf(tx, into.seq))]);
  const addresses = [...new Set([former.email, ...(await addressesOf(tx, former.seq))])].filter(
    (one) => !known.has(one),
  );
  for (const address of addresses) await insertAddress(tx, { workspace, contact: into.seq, address, merged: 1 });
  const ids = await queries.passOn(tx, former.seq, into.seq);
  const { id, email, data, subscribed, topics, pausedUntil } = former;
  const snapshot = { email, data, subscribed, topics, pausedUntil, segments, joined, addresses, ids };
  await queries.insertFormer(tx, { workspace, contact: into.seq, merge, id, former: former.seq, snapshot });
  await hideContact(tx, workspace, former, newId(tx.nowMs));
  await keep(tx, former.seq, "consents", await moveSome(tx, "consents", way, Number.MAX_SAFE_INTEGER));
}

/** Moves waiting mail and running executions. */
async function moveWork(
  tx: Tx,
  { workspace, into, former, by }: MergePair & { readonly by: ChangeAuthor },
): Promise<void> {
  const way = { from: former.seq, to: into.seq };
  const doubled = await moveExecutions(tx, way);
  if (doubled.length > 0) await cancelEach(tx, await waitingMailsOf(tx, former.seq, doubled), by);
  await keep(tx, former.seq, "emails", await moveWaitingMails(tx, way));
  await keep(tx, former.seq, "form_answers", await moveAnswers(tx, way, into.email));
  await keepTold(tx, workspace, former);
  await keep(tx, former.seq, "outbox", await moveOutbox(tx, workspace, way));
}

/** Endpoints still to be told that the former contact was made or changed get that contact, as it was. */
async function keepTold(
  tx: Tx,
  workspace: number,
  { seq: contact, id, email, subscribed, data }: Contact,
): Promise<void> {
  for (const { seq, subjects } of await untoldChanges(tx, workspace, contact)) {
    const type = typeOfChange(JSON.parse(subjects) as string[]);
    if (type === null) continue;
    const told = { contact: { id, email, subscribed, data } };
    const notice: EventNotice = { id: newId(tx.nowMs), type, data: told, createdAt: tx.now };
    await setNotice(tx, seq, JSON.stringify(notice));
  }
}

async function keep(tx: Tx, former: number, kind: string, moved: readonly number[]): Promise<void> {
  if (moved.length > 0) await keepMoved(tx, former, kind, moved);
}

/** For most contacts that is the whole history. */
async function moveFirst(
  tx: Tx,
  { workspace, merge, into }: { workspace: number; merge: number; into: number },
): Promise<void> {
  const formers = (await queries.formersOf(tx, [merge])).get(merge) ?? [];
  let isDone = true;
  for (const former of formers) isDone = (await movePiece(tx, { workspace, former, into }, ROWS_AT_ONCE)) && isDone;
  if (isDone) await queries.setState(tx, merge, "MOVED", iso(tx.nowMs + LOOKED_AGAIN_MS));
  else tx.signal(MERGING);
}

/** In the order of their numbers, so that no two transactions wait for each other; answers them in the order given. */
export async function lockEach(tx: Tx, seqs: readonly number[]): Promise<Contact[]> {
  const locked = new Map<number, Contact>();
  for (const seq of seqs.toSorted((one, other) => one - other)) {
    const contact = await lockContact(tx, seq);
    if (contact) locked.set(seq, contact);
  }
  return seqs.flatMap((seq) => locked.get(seq) ?? []);
}
