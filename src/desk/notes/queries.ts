// The SQL of notes about contacts.
import type { By } from "../../tenant/access/caller.ts";
import { C_PRESENT } from "../../audience/contacts/queries.ts";
import type { Reader, Tx } from "../../store/store.ts";

export type Note = {
  readonly id: string;
  /** The public id of the user, or of the key set. */
  readonly author: string | null;
  readonly authorName: string | null;
  readonly addressee: string;
  readonly addresseeName: string;
  readonly text: string;
  readonly doneAt: string | null;
  readonly doneBy: string | null;
  readonly createdAt: string;
};

export type NewNote = Pick<Note, "id" | "addressee" | "addresseeName" | "text"> & {
  readonly workspace: number;
  readonly contact: number;
  readonly by: By;
};

export function insertNote(tx: Tx, note: NewNote): Promise<number> {
  const { id, workspace, contact, by, addressee, addresseeName, text } = note;
  return tx.run`
    insert into notes (id, workspace, contact, author, author_name, addressee, addressee_name, text, created_at)
    values (${id}, ${workspace}, ${contact}, ${by.id}, ${by.name}, ${addressee}, ${addresseeName}, ${text}, ${tx.now})`;
}

export async function countOpen(reader: Reader, contact: number): Promise<number> {
  const row = await reader.get<{ n: number }>`
    select count(*) as n from notes where contact = ${contact} and done = 0`;
  return row?.n ?? 0;
}

export async function countNotes(reader: Reader, contact: number): Promise<number> {
  return (await reader.get<{ n: number }>`select count(*) as n from notes where contact = ${contact}`)?.n ?? 0;
}

/** Open notes first, each newest first. */
export function notesPage(reader: Reader, contact: number, limit: number, offset: number): Promise<Note[]> {
  return reader.all<Note>`
    select id, author, author_name as "authorName", addressee, addressee_name as "addresseeName", text,
      done_at as "doneAt", done_by as "doneBy", created_at as "createdAt"
    from notes where contact = ${contact}
    order by done, seq desc limit ${limit} offset ${offset}`;
}

export function noteOf(reader: Reader, contact: number, id: string): Promise<Note | null> {
  return reader.get<Note>`
    select id, author, author_name as "authorName", addressee, addressee_name as "addresseeName", text,
      done_at as "doneAt", done_by as "doneBy", created_at as "createdAt"
    from notes where contact = ${contact} and id = ${id}`;
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
