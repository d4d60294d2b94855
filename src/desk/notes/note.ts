// Notes: messages between people of a team about a contact, with a done mark.
import type { Caller } from "../../tenant/access/caller.ts";
import { findContact } from "../../audience/contacts/contact.ts";
import { lockContact, type Contact } from "../../audience/contacts/queries.ts";
import { AppError, invalidField, limitReached } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { memberWith } from "../../operator/team/people-queries.ts";
import * as queries from "./queries.ts";
import type { NoteInput } from "./record.ts";

/** The limit of open notes about one contact. */
const MOST_OPEN = 100;

export type ContactNote = { readonly contact: Contact; readonly note: queries.Note };

/** @throws AppError CONTACT_NOT_FOUND; VALIDATION_ERROR if `to` is no member; CONFLICT if too many are open */
export async function writeNote(
  tx: Tx,
  { workspace, by }: Pick<Caller, "workspace" | "by">,
  contactId: string,
  { to, text }: NoteInput,
): Promise<ContactNote> {
  const contact = await findContact(tx, workspace, contactId);
  // Two concurrent calls would both be within the limit; and a contact erased or merged meanwhile is not found.
  await lockContact(tx, contact.seq);
  await findContact(tx, workspace, contactId);
  const addressee = await memberWith(tx, workspace, to);
  if (!addressee) throw invalidField("to", "There is no such member of the workspace.", "unknown_member");
  if ((await queries.countOpen(tx, contact.seq)) >= MOST_OPEN)
    throw limitReached(
      "notes",
      MOST_OPEN,
      `There are ${MOST_OPEN} open notes about this contact already.`,
      "Mark some as done first.",
    );
  const { id: addresseeId, name: addresseeName } = addressee;
  const id = newId(tx.nowMs);
  await queries.insertNote(tx, {
    ...{ id, workspace, contact: contact.seq, by, text: text.trim() },
    ...{ addressee: addresseeId, addresseeName },
  });
  return noteAbout(tx, contact, id);
}

type NoteRef = { readonly id: string; readonly noteId: string };

/** @throws AppError CONTACT_NOT_FOUND, NOTE_NOT_FOUND */
async function findNote(reader: Reader, workspace: number, { id, noteId }: NoteRef): Promise<ContactNote> {
  return noteAbout(reader, await findContact(reader, workspace, id), noteId);
}

async function noteAbout(reader: Reader, contact: Contact, id: string): Promise<ContactNote> {
  const note = await queries.noteOf(reader, contact.seq, id);
  if (!note) throw new AppError("NOTE_NOT_FOUND", `There is no note ${id} about this contact.`);
  return { contact, note };
}

/** The first user to mark it has done it. @throws AppError CONTACT_NOT_FOUND, NOTE_NOT_FOUND */
export async function markNote(tx: Tx, caller: Caller, named: NoteRef, isDone: boolean): Promise<ContactNote> {
  const { contact, note } = await findNote(tx, caller.workspace, named);
  if (isDone) await queries.setDone(tx, note.id, caller.by.name);
  else await queries.setOpen(tx, note.id);
  return noteAbout(tx, contact, note.id);
}

/** @throws AppError CONTACT_NOT_FOUND, NOTE_NOT_FOUND; FORBIDDEN for all but its author */
export async function removeNote(tx: Tx, { workspace, by }: Caller, named: NoteRef): Promise<void> {
  const { note } = await findNote(tx, workspace, named);
  if (note.author !== by.id) throw new AppError("FORBIDDEN", "Only its author can delete a note.");
  await queries.deleteNote(tx, note.id);
}
