// POST /contacts/import-from: a move that its caller carries on, some pages a call.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { firstOwner } from "../support/people.ts";
import { OldProduct, peopleHere } from "../support/moving.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";
import { addKeys } from "../support/workspaces.ts";

const KEY = "sk_very_secret";
const PEOPLE = ["ada", "bob", "cyd"].map((name) => ({
  id: name,
  email: `${name}@example.com`,
  subscribed: name !== "bob",
  data: {},
}));

let posthorn: Posthorn;
let plunk: OldProduct;
beforeEach(async () => {
  posthorn = await workspace({ config: { webhooks: { allow: ["127.0.0.1"] } } });
  plunk = new OldProduct({
    "/segments": () => [{ id: "s1", name: "By hand", type: "STATIC" }],
    "/contacts": (query) =>
      query.get("cursor") === "2"
        ? { data: PEOPLE.slice(2), hasMore: false }
        : { data: PEOPLE.slice(0, 2), hasMore: true, cursor: "2" },
    "/segments/s1/contacts": () => ({ data: PEOPLE.slice(0, 1), total: 1 }),
    "/templates": () => ({ data: [], total: 0 }),
  });
});
afterEach(async () => {
  plunk.stop();
  await posthorn[Symbol.asyncDispose]();
});

type Asker = (body: object) => Promise<{ status: number; body: Json }>;
const byKey: Asker = (body) => ask(posthorn, "POST /contacts/import-from", { body });

/** One call, while imports are worked off. */
async function step(body: object, asker = byKey): Promise<Json> {
  let isAnswered = false;
  const asked = asker({ product: "plunk", key: KEY, baseUrl: plunk.url, ...body }).finally(() => (isAnswered = true));
  while (!isAnswered) await posthorn.settle();
  return asked;
}

async function whole(more: object = {}, asker = byKey): Promise<Json> {
  let answer = (await step(more, asker)).body;
  while (answer.state.finishedAt === null) answer = (await step({ ...more, state: answer.state }, asker)).body;
  return answer;
}

test("call by call everything comes, and the key is nowhere", async () => {
  const { state, report } = await whole();
  expect(state.counts).toMatchObject({ people: { read: 3, added: 3 }, members: { added: 1 }, segments: { added: 1 } });
  expect(report).toStartWith("# From Plunk to Posthorn");
  expect(await peopleHere(posthorn)).toMatchObject({
    "ada@example.com": { subscribed: true },
    "bob@example.com": { subscribed: false },
    "cyd@example.com": { subscribed: true },
  });
  expect(JSON.stringify(state)).not.toContain(KEY);
  expect(posthorn.logLines.join("\n")).not.toContain(KEY);
  expect((await step({ state })).body).toMatchObject({ state, report });
});

test("a call may be repeated: the same pages are written once", async () => {
  const { body: first } = await step({});
  const { body: second } = await step({ state: first.state });
  const { body: again } = await step({ state: first.state });
  expect(again).toEqual(second);
  expect((await ask(posthorn, "GET /contacts/import")).body.data).toHaveLength(1);
});

test("a dry run writes nothing", async () => {
  const { state, report } = await whole({ dryRun: true });
  expect(state.counts.people).toMatchObject({ read: 3, added: 3 });
  expect(report).toContain("Nothing was written.");
  expect(await peopleHere(posthorn)).toEqual({});
});

test("a product that wants a long pause is called again later, by the caller", async () => {
  plunk.fault = () => new Response(null, { status: 429, headers: { "retry-after": "60" } });
  const { body } = await step({});
  expect(body).toMatchObject({ waitSeconds: 60, report: null, state: { part: 0, finishedAt: null } });
});

test("what is wrong is said at the field that may mend it", async () => {
  const refused = async (more: object) => {
    const { status, body } = await step(more);
    expect(status).toBe(422);
    return body.error.errors[0];
  };
  plunk.fault = () => Response.json({ error: `no such key ${KEY}` }, { status: 401 });
  const { field, message } = await refused({});
  expect([field, message]).toEqual(["key", expect.stringContaining("(401: no such key …)")]);
  plunk.fault = () => new Response("<html>");
  expect(await refused({})).toMatchObject({ field: "baseUrl" });
  expect(await refused({ product: "listmonk", baseUrl: undefined })).toMatchObject({ field: "baseUrl" });
  expect(await refused({ key: "two\nlines" })).toMatchObject({ field: "key" });
  plunk.fault = () => null;
  const { state } = (await step({})).body;
  const other = { ...state, into: crypto.randomUUID() };
  expect(await refused({ state: other })).toMatchObject({ field: "state" });
});

test("a product whose pages are empty and have no end does not keep a call", async () => {
  plunk.fault = ({ url }, count) =>
    url.pathname === "/contacts" ? Response.json({ data: [], hasMore: true, cursor: String(count) }) : null;
  const { state } = (await step({})).body;
  const asked = plunk.asked("/contacts");
  const { body } = await step({ state });
  expect([plunk.asked("/contacts") - asked, body.state.finishedAt]).toEqual([1, null]);
});

test("a workspace makes one call at a time: another is to wait", async () => {
  const others: Json[] = [];
  plunk.fault = async (_, count) => {
    if (count === 1) others.push((await byKey({ product: "plunk", key: KEY, baseUrl: plunk.url })).body);
    return null;
  };
  const { body } = await step({});
  expect(others).toMatchObject([{ waitSeconds: 2, state: { part: 0 }, report: null }]);
  expect(body.state.counts.segments).toMatchObject({ read: 1, added: 1 });
});

test("ids that are names of the language are ids", async () => {
  plunk.fault = ({ url }) =>
    url.pathname === "/segments" ? Response.json([{ id: "x", name: "\u0000", type: "STATIC" }]) : null;
  const { state } = (await step({})).body;
  plunk.fault = ({ url }) => {
    if (url.pathname === "/segments") return Response.json([{ id: "constructor", name: "Late", type: "STATIC" }]);
    if (url.pathname === "/segments/constructor/contacts") return Response.json({ data: PEOPLE, total: 3 });
    return null;
  };
  const { status, body } = await step({ state: { ...state, part: 2, at: "" } });
  expect([status, body.state.counts.members]).toEqual([200, { read: 3, added: 0, changed: 0, known: 0, refused: 3 }]);
});

test("no address of the server's own network is reached", async () => {
  await using other = await workspace();
  const body = { product: "plunk", key: KEY, baseUrl: plunk.url };
  const { status, body: answer } = await ask(other, "POST /contacts/import-from", { body });
  expect([status, answer.error.errors[0].field]).toEqual([422, "baseUrl"]);
  expect(answer.error.errors[0].message).toContain("127.0.0.1 is not on the public internet");
  expect(plunk.received).toEqual([]);
});

test("a key that is limited to addresses moves from these, and from no other", async () => {
  const { secret, id } = await addKeys(posthorn, { allowedIps: ["127.0.0.1", "::1"] });
  const byLimited: Asker = (body) => ask(posthorn, "POST /contacts/import-from", { body, key: { bearer: secret } });
  expect((await whole({}, byLimited)).state.counts.people).toMatchObject({ read: 3, added: 3 });
  await ask(posthorn, `PATCH /keys/${id}`, { body: { allowedIps: ["192.0.2.1"] } });
  expect((await step({}, byLimited)).status).toBe(403);
});

test("a person's move is written by that person, as far as the role goes", async () => {
  const owner = await firstOwner(posthorn);
  await whole({}, (body) => owner.ask("POST /contacts/import-from", { body }));
  const { body } = await owner.ask("GET /contacts/import");
  expect(body.data[0].by.kind).toBe("PERSON");
  const { body: audit } = await owner.ask("GET /audit?of=workspace");
  const actions = audit.data.map(({ action }: Json) => action);
  expect(actions).toContain("importContacts");
  expect(actions).toContain("createSegment");
});
