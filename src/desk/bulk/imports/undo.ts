// Undoes an import: contacts that it added are removed, and contacts that it changed get their former values back. A
// contact that has changed since is left alone, with the reason.
import type { ChangeAuthor } from "../../../tenant/access/caller.ts";
import { AppError } from "../../../base/errors.ts";
import type { Store, Tx } from "../../../store/store.ts";
import { suppress } from "../../../audience/suppressions/suppression.ts";
import { change, lift, unsubscribe } from "../../../audience/contacts/contact.ts";
import { lockContact, type Contact } from "../../../audience/contacts/queries.ts";
import { searchFieldsOf } from "../../../audience/contacts/search/search-queries.ts";
import { leaveSegment } from "../../../audience/segments/members.ts";
import { eraseContacts } from "../../people/erasure.ts";
import { hasPast } from "../../people/past-queries.ts";
import { restored, UNDONE_WITHIN_MS } from "../imported.ts";
import {
  countToUndo,
  setUndone,
  toUndoAfter,
  type PriorContact,
  type ImportTrace,
} from "../../../audience/contacts/past/imported-queries.ts";
import { findJob, openJob, type JobBatchResult } from "../jobs/job.ts";
import type { JobError } from "../jobs/error-queries.ts";
import { keepUndo } from "../jobs/list-queries.ts";
import type { ContactJob, ImportUndo } from "../jobs/queries.ts";

const CHANGED = "This person was changed after the import.";
const HAS_A_PAST = "This person has had email, an event or a workflow since the import.";

/** Small, since removing a contact with its history takes much longer than restoring one. */
const CONTACTS_A_BATCH = 15;

type Import = { readonly workspace: number; readonly id: string };

/**
 * The number of contacts to undo. Counting many takes long, so it precedes the transaction of `openUndo`.
 * @throws AppError JOB_NOT_FOUND
 */
export function countUndo(store: Store, { workspace, id }: Import): Promise<number> {
  return store.read(async (reader) => countToUndo(reader, (await findJob(reader, workspace, id, ["IMPORT"])).seq), {
    longFor: workspace,
  });
}

/** @throws AppError JOB_NOT_FOUND; CONFLICT if the import still runs, is too old, or too many jobs are unfinished */
export async function openUndo(
  tx: Tx,
  { workspace, id }: Import,
  { total, madeBy }: { readonly total: number; readonly madeBy: ChangeAuthor },
): Promise<{ jobId: string }> {
  const { seq, status, createdAt } = await findJob(tx, workspace, id, ["IMPORT"]);
  if (status !== "COMPLETED" && status !== "FAILED")
    throw new AppError("CONFLICT", "The import is still under way.", {
      reason: "import_under_way",
      suggestion: "Wait until it has finished.",
    });
  if (Date.parse(createdAt) + UNDONE_WITHIN_MS <= tx.nowMs)
    throw new AppError("CONFLICT", "An import can be undone for seven days.", { reason: "import_too_old" });
  const { id: jobId } = await openJob(tx, {
    workspace,
    operation: "UNDO",
    status: "PENDING",
    selection: { importSeq: seq },
    total,
    madeBy,
  });
  await keepUndo(tx, seq, jobId);
  return { jobId };
}

/** Processes the next contacts. `created` counts removed contacts, `updated` restored ones. */
export async function undoBatch(tx: Tx, job: ContactJob): Promise<JobBatchResult> {
  const { importSeq } = job.selection as ImportUndo;
  const rows = await toUndoAfter(tx, importSeq, job.position, CONTACTS_A_BATCH);
  const errors: JobError[] = [];
  const removed: string[] = [];
  let restored = 0;
  for (const row of rows) {
    const contact = await lockContact(tx, row.contact);
    const refusal = contact && (await refusalOf(tx, row, contact));
    if (contact && refusal !== null) errors.push({ place: contact.seq, about: contact.id, error: refusal });
    else if (contact && row.former === null) removed.push(contact.id);
    else if (contact && row.former !== null) {
      if (row.former.joined !== undefined) await leaveSegment(tx, row.former.joined, [contact.seq]);
      await restore(tx, job, contact, row.former);
      await setUndone(tx, importSeq, contact.seq);
      restored++;
    }
  }
  if (removed.length > 0) await eraseContacts(tx, job.workspace, removed, { byJob: true, cause: job.id });
  return {
    position: rows.at(-1)?.contact ?? job.position,
    processed: removed.length + restored + errors.length,
    created: removed.length,
    updated: restored,
    errors,
    isLast: rows.length < CONTACTS_A_BATCH,
  };
}

/** Null = the import can be undone for this contact. */
async function refusalOf(tx: Tx, row: ImportTrace, contact: Contact): Promise<string | null> {
  if (contact.updatedAt !== row.changedAt) return CHANGED;
  return row.former === null && (await hasPast(tx, contact.seq)) ? HAS_A_PAST : null;
}

async function restore(tx: Tx, { id, workspace }: ContactJob, contact: Contact, former: PriorContact): Promise<void> {
  const { suppressed, subscribed = null, data, topics = contact.topics } = former;
  if (data === undefined && topics === contact.topics && subscribed === null && suppressed === undefined) return;
  if (suppressed === null) await lift(tx, workspace, contact, { cause: id });
  const searchFields = await searchFieldsOf(tx, workspace);
  const now = suppressed === null ? { ...contact, suppressed } : contact;
  const after = { contact: now, topics, data: data ? restored(contact.data, former) : contact.data };
  await change(tx, workspace, { ...after, subscribed: suppressed ? null : subscribed, searchFields }, { cause: id });
  if (suppressed === "bounce" || suppressed === "complaint")
    await unsubscribe(tx, workspace, contact, { reason: suppressed, cause: id });
  else if (suppressed)
    await suppress(tx, workspace, { target: contact.email, reason: suppressed, scope: "all" }, { cause: id });
}
