// The SQL of notes about contacts.
import type { ChangeAuthor } from "../../tenant/access/caller.ts";
import { C_PRESENT } from "../../audience/contacts/queries.ts";
import { column, TableRows, type RowOf } from "../../store/columns.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

const ROWS = new TableRows("notes", {
  id: column.text(),
  /** The public id of the user, or of the key set. */
  author: column.orNull(column.text()),
  authorName: column.orNull(column.text()),
  addressee: column.text(),
  addresseeName: column.text(),
  text: column.text(),
  doneAt: column.orNull(column.text()),
  doneBy: column.orNull(column.text()),
  createdAt: column.text(),
});

export type Note = RowOf<typeof ROWS>;

export type NewNote = Pick<Note, "id" | "addressee" | "addresseeName" | "text"> & {
  readonly workspace: number;
  readonly contact: number;
  readonly by: ChangeAuthor;
};

export function insertNote(tx: Tx, { workspace, contact, by, ...note }: NewNote): Promise<Note> {
  const fields = { ...note, author: by.id, authorName: by.name, createdAt: tx.now };
  return ROWS.insert(tx, fields, { workspace, contact });
}

export function countOpen(reader: Reader, contact: number): Promise<number> {
  return ROWS.count(reader, sql`where contact = ${contact} and done = 0`);
}

export function countNotes(reader: Reader, contact: number): Promise<number> {
  return ROWS.count(reader, sql`where contact = ${contact}`);
}

/** Open notes first, each newest first. */
export function notesPage(reader: Reader, contact: number, limit: number, offset: number): Promise<Note[]> {
  return ROWS.all(reader, sql`where contact = ${contact} order by done, seq desc limit ${limit} offset ${offset}`);
}

export function noteOf(reader: Reader, contact: number, id: string): Promise<Note | null> {
  return ROWS.get(reader, sql`where contact = ${contact} and id = ${id}`);
}

/** Only once: the first user has done it. */
export function setDone(tx: Tx, id: string, by: string | null): Promise<number> {
  return tx.run`update notes set done = 1, done_at = ${tx.now}, done_by = ${by} where id = ${id} and done = 0`;
}

export function setOpen(tx: Tx, id: string): Promise<number> {
  return tx.run`update notes set done = 0, done_at = null, done_by = null where id = ${id}`;
}

export function deleteNote(tx: Tx, id: string): Promise<number> {
  return tx.run`delete from notes where id = ${id}`;
}

/** Part of erasing a contact. */
export function deleteNotesOf(tx: Tx, contact: number): Promise<number> {
  return tx.run`delete from notes where contact = ${contact}`;
}

export type OpenNote = Pick<Note, "id" | "authorName" | "text" | "createdAt"> & {
  readonly contactId: string;
  readonly email: string;
};

/** The open notes for a user of a workspace, newest first. */
export function openNotesFor(reader: Reader, workspace: number, user: string, most: number): Promise<OpenNote[]> {
  return reader.all<OpenNote>`
    select n.id, n.author_name as "authorName", n.text, n.created_at as "createdAt", c.id as "contactId", c.email
    from notes n join contacts c on c.seq = n.contact and ${C_PRESENT}
    where n.workspace = ${workspace} and n.addressee = ${user} and n.done = 0
    order by n.seq desc limit ${most}`;
}
