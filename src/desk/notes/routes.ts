// /contacts/{id}/notes: messages between people of a team about a contact.
import { t } from "elysia";
import type { Access } from "../../tenant/access/auth.ts";
import { page, patch, post, remove, routes } from "../../tenant/access/route-table.ts";
import { findContact } from "../../audience/contacts/contact.ts";
import { pageShapeOf } from "../../http/answer-shapes.ts";
import { pageShape } from "../../http/schemas.ts";
import { markNote, removeNote, writeNote, type ContactNote } from "./note.ts";
import { countNotes, notesPage } from "./queries.ts";
import { noteInputShape, noteMarkShape, noteRecord, noteShape } from "./record.ts";

const contactNoteRecord = ({ contact, note }: ContactNote) => noteRecord(contact.id, note);

export function noteRoutes(access: Access) {
  return routes(access, [
    page(
      "/contacts/:id/notes",
      {
        name: "listNotes",
        summary: "List the notes about a contact",
        answers: { 200: pageShapeOf(noteShape) },
        permission: "read",
        query: t.Object(pageShape),
        refuses: ["CONTACT_NOT_FOUND"],
        description: "Those that are open first, each newest first.",
      },
      async (reader, { params, caller: { workspace } }) => {
        const { seq, id } = await findContact(reader, workspace, params.id);
        return {
          total: () => countNotes(reader, seq),
          items: async (...piece) => (await notesPage(reader, seq, ...piece)).map((note) => noteRecord(id, note)),
        };
      },
    ),
    post(
      "/contacts/:id/notes",
      {
        name: "createNote",
        summary: "Write a note about a contact for a member",
        answers: { 201: noteShape },
        permission: "read",
        body: noteInputShape,
        refuses: ["CONTACT_NOT_FOUND", "CONFLICT"],
        description:
          "The member finds it in the overview, and on the contact's page, until it is marked as done. Up to 100 notes about a contact are open at a time. A note that an API key writes has the key's name.",
      },
      async (tx, { params, body, caller }) => contactNoteRecord(await writeNote(tx, caller, params.id, body)),
      { about: ({ contactId }) => [contactId] },
    ),
    patch(
      "/contacts/:id/notes/:noteId",
      {
        name: "updateNote",
        summary: "Mark a note as done, or as open again",
        answers: { 200: noteShape },
        permission: "read",
        body: noteMarkShape,
        refuses: ["CONTACT_NOT_FOUND", "NOTE_NOT_FOUND"],
      },
      async (tx, { params, body, caller }) => contactNoteRecord(await markNote(tx, caller, params, body.done)),
    ),
    remove(
      "/contacts/:id/notes/:noteId",
      {
        name: "deleteNote",
        summary: "Delete a note",
        answers: { 204: null },
        permission: "read",
        refuses: ["CONTACT_NOT_FOUND", "NOTE_NOT_FOUND", "FORBIDDEN"],
        description: "Its author can.",
      },
      (tx, { params, caller }) => removeNote(tx, caller, params),
    ),
  ]);
}
