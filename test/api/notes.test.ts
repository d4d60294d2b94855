// Notes about contacts: who may write, read, finish and delete one, where its addressee finds it, and what takes it
// along.
import { expect, test } from "bun:test";
import { deleteWorkspace, findWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { somebody, type Somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, countOf, everything } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const TEXT = "She asks for her old address to be erased.";
const REPLY_IDS = "00000000-0000-4000-8000-000000000000";

const idOf = async (who: Somebody): Promise<string> => (await who.ask("GET /me")).body.id;
const notesOf = async (posthorn: Posthorn, contact: string): Promise<Json[]> =>
  (await ask(posthorn, `GET /contacts/${contact}/notes`)).body.data;
const textsOf = async (posthorn: Posthorn, contact: string): Promise<string[]> =>
  (await notesOf(posthorn, contact)).map(({ text }) => text);
const needsOf = async (who: Somebody): Promise<Json[]> =>
  (await who.ask("GET /overview")).body.attention.filter(({ kind }: Json) => kind === "NOTE");

async function contactOf(posthorn: Posthorn, email = "ada@example.com"): Promise<string> {
  return (await ask(posthorn, "POST /contacts", { body: { email } })).body.id;
}

/** Support and an admin, and a contact to write about. */
async function team(posthorn: Posthorn) {
  const [sue, olga] = [await somebody(posthorn, "SUPPORT"), await somebody(posthorn, "ADMIN")];
  const contact = await contactOf(posthorn);
  const to = await idOf(olga);
  const write = async (text = TEXT, who = sue, about = contact) =>
    who.ask(`POST /contacts/${about}/notes`, { body: { to, text } });
  return { sue, olga, contact, to, write };
}

test("support writes to an admin, who finds it in the overview, does it, and is rid of it (slow)", async () => {
  await using posthorn = await workspace();
  const { sue, olga, contact, to, write } = await team(posthorn);
  const { status, body: note } = await write(`  ${TEXT}\n`);
  expect(status).toBe(201);
  const from = { id: await idOf(sue), name: "SUPPORT" };
  expect(note).toMatchObject({ contactId: contact, from, to: { id: to, name: "ADMIN" }, text: TEXT, doneAt: null });
  expect(await needsOf(olga)).toEqual([
    {
      ...{ kind: "NOTE", noteId: note.id, contactId: contact, email: "ada@example.com" },
      ...{ from: "SUPPORT", text: TEXT, since: note.createdAt },
    },
  ]);
  // It is hers alone.
  expect([await needsOf(sue), await notesOf(posthorn, contact)]).toEqual([[], [note]]);
  posthorn.clock.advance(1_000);
  const route = `PATCH /contacts/${contact}/notes/${note.id}`;
  const done = (await olga.ask(route, { body: { done: true } })).body;
  expect(done).toMatchObject({ doneBy: "ADMIN", doneAt: new Date(posthorn.clock.nowMs()).toISOString() });
  expect(await needsOf(olga)).toEqual([]);
  posthorn.clock.advance(1_000);
  // Who was first has done it.
  expect((await sue.ask(route, { body: { done: true } })).body).toEqual(done);
  expect((await sue.ask(route, { body: { done: false } })).body).toEqual(note);
  expect(await needsOf(olga)).toHaveLength(1);
});

test("everybody who reads contacts may write, an API key under its name; the author alone deletes", async () => {
  await using posthorn = await workspace();
  const { olga, sue, contact, to, write } = await team(posthorn);
  const editor = await somebody(posthorn, "EDITOR");
  const own = (await write("Mine", editor)).body;
  await posthorn.store.write((tx) => tx.run`update key_sets set name = 'Shop'`);
  const keys = (await ask(posthorn, `POST /contacts/${contact}/notes`, { body: { to, text: "By program" } })).body;
  expect([own.from.name, keys.from.name]).toEqual(["EDITOR", "Shop"]);
  for (const who of [olga, sue]) {
    const refused = await who.ask(`DELETE /contacts/${contact}/notes/${own.id}`);
    expect([refused.status, refused.body.error.code]).toEqual([403, "FORBIDDEN"]);
  }
  expect((await editor.ask(`DELETE /contacts/${contact}/notes/${own.id}`)).status).toBe(204);
  expect((await ask(posthorn, `DELETE /contacts/${contact}/notes/${keys.id}`)).status).toBe(204);
  expect(await notesOf(posthorn, contact)).toEqual([]);
});

test("open notes come first, the newest of each at the top, in pages", async () => {
  await using posthorn = await workspace();
  const { olga, contact, write } = await team(posthorn);
  const notes: Json[] = [];
  for (const text of ["one", "two", "three", "four"]) notes.push((await write(text)).body);
  for (const { id } of [notes[3], notes[1]] as Json[])
    await olga.ask(`PATCH /contacts/${contact}/notes/${id}`, { body: { done: true } });
  expect(await textsOf(posthorn, contact)).toEqual(["three", "one", "four", "two"]);
  const { body } = await ask(posthorn, `GET /contacts/${contact}/notes?page=2&pageSize=3`);
  expect([body.total, body.data.map(({ text }: Json) => text)]).toEqual([4, ["two"]]);
});

test("a note without words, too long, to nobody of the workspace or about nobody is refused", async () => {
  await using posthorn = await workspace();
  const { sue, contact, to, write } = await team(posthorn);
  const fieldsOf = async (body: object) =>
    (await sue.ask(`POST /contacts/${contact}/notes`, { body })).body.error.errors?.map(
      ({ field, code }: Json) => `${field} ${code}`,
    );
  expect(await fieldsOf({ to, text: " \n" })).toEqual([expect.stringMatching(/^text /)]);
  expect(await fieldsOf({ to, text: "x".repeat(2001) })).toEqual([expect.stringMatching(/^text /)]);
  expect(await fieldsOf({ to: REPLY_IDS, text: TEXT })).toEqual(["to unknown_member"]);
  expect((await write("x".repeat(2000))).status).toBe(201);
  const about = async (id: string) => (await write(TEXT, sue, id)).body.error.code;
  expect(await about(REPLY_IDS)).toBe("CONTACT_NOT_FOUND");
  const missing = await sue.ask(`PATCH /contacts/${contact}/notes/${REPLY_IDS}`, { body: { done: true } });
  expect([missing.status, missing.body.error.code]).toEqual([404, "NOTE_NOT_FOUND"]);
});

test("another workspace sees no note, and a note is found at its own contact only", async () => {
  await using posthorn = await workspace();
  const { sue, contact, write } = await team(posthorn);
  const { id } = (await write()).body;
  const key = { bearer: (await addWorkspace(posthorn, { name: "other", domain: "other.test" })).secret };
  for (const route of [`GET /contacts/${contact}/notes`, `DELETE /contacts/${contact}/notes/${id}`]) {
    const { status, body } = await ask(posthorn, route, { key });
    expect([status, body.error.code]).toEqual([404, "CONTACT_NOT_FOUND"]);
  }
  const other = await contactOf(posthorn, "bob@example.com");
  const { body } = await sue.ask(`PATCH /contacts/${other}/notes/${id}`, { body: { done: true } });
  expect(body.error.code).toBe("NOTE_NOT_FOUND");
});

test("a hundred notes about a contact may be open at a time (slow)", async () => {
  await using posthorn = await workspace();
  const { olga, contact, write } = await team(posthorn);
  for (let number = 1; number <= 100; number++) expect((await write(`Note ${number}`)).status).toBe(201);
  const { status, body } = await write();
  expect([status, body.error.reason, body.error.values]).toEqual([
    409,
    "limit_reached",
    { what: "notes", most: "100" },
  ]);
  const [{ id }] = (await notesOf(posthorn, contact)) as [Json];
  await olga.ask(`PATCH /contacts/${contact}/notes/${id}`, { body: { done: true } });
  expect((await write()).status).toBe(201);
  // The overview lists the newest.
  expect(await needsOf(olga)).toHaveLength(20);
});

test("the notes of who was removed stay under their names", async () => {
  await using posthorn = await workspace();
  const owner = await somebody(posthorn, "OWNER");
  const { sue, olga, contact, write } = await team(posthorn);
  const [note] = [(await write()).body];
  for (const who of [sue, olga]) expect((await owner.ask(`DELETE /users/${await idOf(who)}`)).status).toBe(204);
  expect(await notesOf(posthorn, contact)).toEqual([note]);
});

test("erasing a contact erases what was written about it, also as a stored answer", async () => {
  await using posthorn = await workspace();
  const { sue, olga, contact, to } = await team(posthorn);
  const body = { to, text: "Very private" };
  await sue.ask(`POST /contacts/${contact}/notes`, { body, headers: { "idempotency-key": "a" } });
  await ask(posthorn, `DELETE /contacts/${contact}`);
  expect(await needsOf(olga)).toEqual([]);
  await posthorn.settle();
  expect(await countOf(posthorn, "notes")).toBe(0);
  expect(JSON.stringify(await everything(posthorn))).not.toContain("Very private");
});

test("merging takes notes along, and undoing it gives them back", async () => {
  await using posthorn = await workspace();
  const { olga, contact, write, sue } = await team(posthorn);
  const old = await contactOf(posthorn, "ada@old.example");
  await write("About her");
  await write("About who she was", sue, old);
  const merge = (await ask(posthorn, "POST /contacts/merge", { body: { into: contact, from: [old] } })).body;
  await posthorn.settle();
  expect((await textsOf(posthorn, contact)).toSorted()).toEqual(["About her", "About who she was"]);
  expect((await needsOf(olga)).map(({ contactId }) => contactId)).toEqual([contact, contact]);
  await ask(posthorn, `POST /contacts/merges/${merge.id}/undo`);
  await posthorn.settle();
  expect([await textsOf(posthorn, contact), await textsOf(posthorn, old)]).toEqual([
    ["About her"],
    ["About who she was"],
  ]);
});

test("the export of a contact has the notes about it, however many", async () => {
  await using posthorn = await workspace();
  const { contact, olga, write } = await team(posthorn);
  for (let number = 1; number <= 101; number++) {
    const { id } = (await write(`Note ${number}`)).body;
    if (number === 1) await olga.ask(`PATCH /contacts/${contact}/notes/${id}`, { body: { done: true } });
  }
  const { notes } = (await ask(posthorn, `GET /contacts/${contact}/export`)).body;
  expect([notes.length, notes[0].text, notes[100]]).toMatchObject([
    101,
    "Note 101",
    { text: "Note 1", doneBy: "ADMIN" },
  ]);
});

test("a workspace that is deleted takes its notes along", async () => {
  await using posthorn = await workspace();
  const owner = await somebody(posthorn, "OWNER");
  const other = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  const key = { bearer: other.secret };
  const contact = (await ask(posthorn, "POST /contacts", { key, body: { email: "ada@example.com" } })).body.id;
  await ask(posthorn, `POST /contacts/${contact}/notes`, { key, body: { to: await idOf(owner), text: TEXT } });
  expect(await countOf(posthorn, "notes")).toBe(1);
  await posthorn.store.write(async (tx) => deleteWorkspace(tx, (await findWorkspace(tx, "other")).seq));
  expect(await countOf(posthorn, "notes")).toBe(0);
});
