// GET /search: anything by what people have at hand.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addKeys, addWorkspace } from "../support/workspaces.ts";
import { addTemplate, addWorkflow } from "../support/workflows.ts";
import { write } from "../support/campaigns.ts";
import { workspace } from "../support/workspace.ts";

let posthorn: Posthorn;
let mail: string;
let campaign: string;
beforeAll(async () => {
  posthorn = await workspace();
  for (const name of ["ada", "adam", "bob", ...Array.from({ length: 8 }, (_, n) => `many${n}`)])
    await ask(posthorn, "POST /contacts", { body: { email: `${name}@example.com` } });
  const headers = { "x-request-id": "request-4711" };
  mail = (await ask(posthorn, "POST /v1/send", { body: { ...letter, to: "adam@example.com" }, headers })).body.data
    .emails[0].email;
  campaign = await write(posthorn, { name: "Spring ÖFFNUNG" });
  await write(posthorn, { name: "Late spring" });
  await addTemplate(posthorn, { name: "Spring template" });
  await addWorkflow(posthorn, [{ type: "EXIT", name: "End", config: {} }], { name: "After spring" });
  await ask(posthorn, "POST /segments", { body: { name: "Spring people", type: "STATIC" } });
  await ask(posthorn, "POST /keys", { body: { name: "Spring shop" } });
  await ask(posthorn, "POST /forms", { body: { name: "Spring fair" } });
  await ask(posthorn, "POST /topics", { body: { key: "season", name: { en: "Spring", de: "Frühling" } } });
});
afterAll(() => posthorn[Symbol.asyncDispose]());

async function found(q: string): Promise<Json> {
  return (await posthorn.call(`GET /search?q=${encodeURIComponent(q)}`)).body;
}

/** Only the kinds that have something. */
async function kinds(q: string): Promise<Record<string, number>> {
  const all = Object.entries((await found(q)) as Record<string, Json[]>);
  return Object.fromEntries(all.filter(([, some]) => some.length > 0).map(([kind, some]) => [kind, some.length]));
}

test("contacts are found by their address, its beginning first, and mails to them by one with an @", async () => {
  expect((await found("ADA")).contacts).toMatchObject([
    { email: "ada@example.com", subscribed: true },
    { email: "adam@example.com" },
  ]);
  expect(await kinds("ada")).toEqual({ contacts: 2 });
  expect((await found("adam@")).emails).toMatchObject([
    { id: mail, to: "adam@example.com", subject: "Hi", status: "QUEUED" },
  ]);
  expect(await kinds("many")).toEqual({ contacts: 5 });
  expect(await kinds("example.com")).toEqual({ contacts: 5 });
});

test("a form is found by its name, and a topic by its name in any language, or its key", async () => {
  expect((await found("fair")).forms).toMatchObject([{ name: "Spring fair", enabled: true }]);
  for (const [q, name] of [
    ["früh", "Frühling"],
    ["SPRI", "Spring"],
    ["seas", "season"],
  ] as const)
    expect((await found(q)).topics).toEqual([{ id: expect.any(String), key: "season", name }]);
});

test("a contact and the mails that went to it are found by an address that it had before", async () => {
  const of = (name: string) => ({ body: { ...letter, to: `${name}@example.com` } });
  const { body } = await ask(posthorn, "POST /v1/send", of("grace.old"));
  const [{ email: old, contact }] = body.data.emails;
  for (const email of ["grace.odd@example.com", "grace@example.com"])
    await ask(posthorn, `PATCH /contacts/${contact.id}`, { body: { email } });
  const late = (await ask(posthorn, "POST /v1/send", of("grace"))).body.data.emails[0].email;
  const { contacts, emails } = await found("grace.old@");
  expect(contacts).toEqual([
    { id: contact.id, email: "grace@example.com", subscribed: false, name: null, formerEmail: "grace.old@example.com" },
  ]);
  expect(emails.map(({ id }: Json) => id)).toContain(old);
  expect((await found("grace.o")).contacts).toHaveLength(1);
  expect((await found("grace")).contacts).toMatchObject([{ id: contact.id, formerEmail: null }]);
  const listed = async (search: string) =>
    (await ask(posthorn, `GET /emails?search=${search}`)).body.data.map(({ id }: Json) => id);
  expect([await listed("grace.old@example.com"), await listed("grace@")]).toEqual([[old], [late, old]]);
  await ask(posthorn, `DELETE /contacts/${contact.id}`);
  expect([await kinds("grace"), await listed("grace.old@example.com")]).toEqual([{}, []]);
});

test("an address that somebody else had before finds both", async () => {
  const add = async (email: string) => (await ask(posthorn, "POST /contacts", { body: { email } })).body.id;
  const hedy = await add("lamarr@example.com");
  await ask(posthorn, `PATCH /contacts/${hedy}`, { body: { email: "hedy@example.com" } });
  const second = await add("other@example.com");
  await ask(posthorn, `PATCH /contacts/${second}`, { body: { email: "lamarr@example.com" } });
  expect((await found("lamarr@")).contacts.map(({ id }: Json) => id)).toEqual([second, hedy]);
  await ask(posthorn, `PATCH /contacts/${second}`, { body: { email: "other@example.com" } });
  await ask(posthorn, `PATCH /contacts/${second}`, { body: { email: "lamarr@example.com" } });
  expect((await found("lamarr@")).contacts).toMatchObject([{ id: second, formerEmail: null }, { id: hedy }]);
});

test("a mail is found by its id, its Message-ID and the id of its request", async () => {
  for (const name of [mail, `<${mail}@example.test>`, `${mail}@example.test`, "request-4711"])
    expect([name, (await found(name)).emails.map(({ id }: Json) => id)]).toEqual([name, [mail]]);
});

test("everything else is found by a part of its name, however it is spelled, what begins so first", async () => {
  expect(await kinds("SPRING")).toEqual({
    ...{ campaigns: 2, templates: 1, segments: 1, topics: 1, forms: 1, workflows: 1, keys: 1 },
  });
  const { campaigns, workflows, keys } = await found("spring");
  expect(campaigns.map(({ name }: Json) => name)).toEqual(["Spring ÖFFNUNG", "Late spring"]);
  expect([workflows[0], keys[0]]).toMatchObject([{ name: "After spring", enabled: true }, { name: "Spring shop" }]);
  expect(await kinds("öffnung")).toEqual({ campaigns: 1 });
  expect((await found(campaign)).campaigns).toMatchObject([{ id: campaign, status: "DRAFT" }]);
  expect((await found("example.te")).domains).toMatchObject([{ domain: "example.test", verified: true }]);
});

test("signs of patterns mean themselves", async () => {
  for (const q of ["%%", "__", "*@", "a%"]) expect([q, await kinds(q)]).toEqual([q, {}]);
});

test("a key that is scoped to domains finds no domains and no keys", async () => {
  const { secret } = await addKeys(posthorn, { domains: ["example.test"] });
  const ofKey = async (q: string) => (await ask(posthorn, `GET /search?q=${q}`, { key: { bearer: secret } })).body;
  expect([(await ofKey("example.te")).domains, (await ofKey("spring")).keys]).toEqual([[], []]);
  expect((await ofKey("spring")).campaigns).toHaveLength(2);
});

test("another workspace finds nothing of it", async () => {
  const { secret } = await addWorkspace(posthorn, { name: "other", domain: "elsewhere.test" });
  for (const q of ["ada", "spring", mail, "request-4711", "example.te"]) {
    const { body } = await ask(posthorn, `GET /search?q=${q}`, { key: { bearer: secret } });
    expect(Object.values(body).flat()).toEqual([]);
  }
});

test("too short and too long texts are refused", async () => {
  for (const q of ["", "?q=a", "?q=%20a%20", `?q=${"a".repeat(201)}`])
    expect((await ask(posthorn, `GET /search${q}`)).body.error.code).toBe("INVALID_PARAMETERS");
});
