// Saved views of lists: a person's own, and those of the whole workspace.
import { expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import { somebody } from "../support/people.ts";
import type { Json } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const receipts = {
  list: "mails",
  name: "Receipts",
  filter: { status: "FAILED,BOUNCED", search: "receipt", since: "7d" },
};
const MAILS = "GET /views?list=mails";
const named = ({ body }: Json): string[] => body.views.map(({ name }: Json) => name);

test("a person saves a view, sees it among the workspace's, and removes it (slow)", async () => {
  await using posthorn = await workspace();
  const [eva, bob] = [await somebody(posthorn, "SUPPORT"), await somebody(posthorn, "EDITOR", "bob@example.com")];
  const own = await eva.ask("POST /views", { body: receipts });
  expect([own.status, own.body]).toMatchObject([201, { ...receipts, shared: false }]);
  const held = { list: "mails", name: "Held", filter: { held: "true" }, shared: true };
  expect((await eva.ask("POST /views", { body: held })).body).toMatchObject(held);
  expect([named(await eva.ask(MAILS)), named(await bob.ask(MAILS))]).toEqual([["Held", "Receipts"], ["Held"]]);
  expect((await bob.ask(`DELETE /views/${own.body.id}`)).body.error.code).toBe("VIEW_NOT_FOUND");
  expect((await eva.ask(`DELETE /views/${own.body.id}`)).status).toBe(204);
  expect(named(await eva.ask(MAILS))).toEqual(["Held"]);
});

test("views of the whole workspace are for those who send its mail, and for its keys", async () => {
  await using posthorn = await workspace();
  const bob = await somebody(posthorn, "EDITOR");
  const refused = await bob.ask("POST /views", { body: { ...receipts, shared: true } });
  expect([refused.status, refused.body.error.code]).toEqual([403, "FORBIDDEN"]);
  const { body } = await ask(posthorn, "POST /views", { body: receipts });
  expect(body.shared).toBe(true);
  expect((await bob.ask(`DELETE /views/${body.id}`)).status).toBe(403);
  expect((await ask(posthorn, `DELETE /views/${body.id}`)).status).toBe(204);
});

test("a name is used once, and there are not more than fifty of a kind (slow)", async () => {
  await using posthorn = await workspace();
  const eva = await somebody(posthorn, "SUPPORT");
  const save = async (name: string, shared = false) =>
    (await eva.ask("POST /views", { body: { ...receipts, name, shared } })).status;
  for (let number = 1; number <= 50; number++) expect(await save(`View ${number}`)).toBe(201);
  expect([await save("One more"), await save("VIEW 7", true), await save("view 7", true)]).toEqual([409, 201, 409]);
});

test("a view without a name, of no list, or with a filter that no address can have is refused", async () => {
  await using posthorn = await workspace();
  const filters = [{ "a b": "x" }, { since: "" }, { status: ["FAILED"] }, { search: "x".repeat(256) }];
  const faults = [
    { list: "invoices" },
    { name: " " },
    { name: "x".repeat(256) },
    ...filters.map((filter) => ({ filter })),
  ];
  for (const fault of faults) {
    const { status } = await ask(posthorn, "POST /views", { body: { ...receipts, ...fault } });
    expect([fault, status]).toEqual([fault, 422]);
  }
  expect((await ask(posthorn, "GET /views?list=invoices")).status).toBe(400);
});

test("another workspace sees none of them, and a person who is erased is named in none", async () => {
  await using posthorn = await workspace();
  const { body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, to: "ada@example.com" } });
  const { contact } = body.data.emails[0];
  const save = (name: string, filter: object) =>
    ask(posthorn, "POST /views", { body: { list: "mails", name, filter } });
  const { id } = (await save("All", { status: "SENT" })).body;
  await save("Her address", { search: "ada@example.com" });
  await save("Her mails", { contactId: contact.id });
  const { secret } = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  const theirs = { key: { bearer: secret } };
  expect(named(await ask(posthorn, MAILS, theirs))).toEqual([]);
  expect((await ask(posthorn, `DELETE /views/${id}`, theirs)).status).toBe(404);
  await ask(posthorn, `DELETE /contacts/${contact.id}`);
  expect(named(await ask(posthorn, MAILS))).toEqual(["All"]);
});

test("each list has views of its own, and one name may stand in several", async () => {
  await using posthorn = await workspace();
  const eva = await somebody(posthorn, "SUPPORT");
  const view = { list: "people", name: "New", filter: { since: "7d" } };
  const { status, body } = await eva.ask("POST /views", { body: view });
  expect([status, body]).toMatchObject([201, { ...view, shared: false }]);
  expect((await eva.ask("POST /views", { body: { ...view, list: "events" } })).status).toBe(201);
  expect((await eva.ask("POST /views", { body: view })).status).toBe(409);
  expect([(await eva.ask("GET /views?list=people")).body.views, named(await eva.ask(MAILS))]).toEqual([[body], []]);
  expect((await eva.ask(`DELETE /views/${body.id}`)).status).toBe(204);
  expect(named(await eva.ask("GET /views?list=people"))).toEqual([]);
});
