// Contacts, segments and suppressions by Resend's own client for Node, unchanged but for its base address.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { resendClient } from "../support/resend-client.ts";
import { ask } from "../support/scenario.ts";
import { addKeys, addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await workspace();
});
afterAll(() => posthorn[Symbol.asyncDispose]());

const clientWith = (key = posthorn.keys.secret) => resendClient(posthorn, key);
const NOBODY = "0199a3b4-0000-7000-8000-000000000000";

async function done(call: Promise<Json>): Promise<Json> {
  const { data, error } = await call;
  if (error) throw new Error(`${error.name}: ${error.message}`);
  return data;
}
const refused = async (call: Promise<Json>) => (await call).error;
const contactOf = async (id: string) => (await ask(posthorn, `GET /contacts/${id}`)).body;

describe("a contact", () => {
  test("is made, found by id and address, changed and removed", async () => {
    const { contacts } = clientWith();
    const ada = { email: "Ada@example.com", firstName: "Ada", lastName: "L", properties: { plan: "pro", seats: 3 } };
    const made = await done(contacts.create({ ...ada, unsubscribed: true }));
    expect(made).toEqual({ object: "contact", id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(await contactOf(made.id)).toMatchObject({
      email: "ada@example.com",
      subscribed: false,
      data: { first_name: "Ada", last_name: "L", plan: "pro", seats: 3 },
    });
    const shown = {
      object: "contact",
      id: made.id,
      email: "ada@example.com",
      first_name: "Ada",
      last_name: "L",
      unsubscribed: true,
      properties: { plan: { type: "string", value: "pro" }, seats: { type: "number", value: 3 } },
    };
    expect(await done(contacts.get(made.id))).toMatchObject(shown);
    expect(await done(contacts.get({ email: "ada@example.com" }))).toMatchObject(shown);
    const change = { email: "ada@example.com", unsubscribed: false, lastName: null, properties: { plan: null } };
    expect(await done(contacts.update(change))).toEqual({ object: "contact", id: made.id });
    expect(await done(contacts.get(made.id))).toMatchObject({
      first_name: "Ada",
      last_name: null,
      unsubscribed: false,
      properties: { seats: { type: "number", value: 3 } },
    });
    expect(await done(contacts.remove({ email: "ada@example.com" }))).toEqual({
      object: "contact",
      contact: made.id,
      deleted: true,
    });
    expect(await refused(contacts.get(made.id))).toMatchObject({ statusCode: 404, name: "not_found" });
  });

  test("has its names where others wrote them", async () => {
    const { contacts } = clientWith();
    const body = { email: "grace@example.com", data: { Vorname: "Grace", lastName: "H", plan: "pro" } };
    const { id } = (await ask(posthorn, "POST /contacts", { body })).body;
    expect(await done(contacts.get(id))).toMatchObject({
      first_name: "Grace",
      last_name: "H",
      properties: { plan: { type: "string", value: "pro" } },
    });
    await done(contacts.create({ email: "Grace@example.com", firstName: "Gracia" }));
    await done(contacts.update({ id, lastName: null }));
    expect((await contactOf(id)).data).toEqual({ Vorname: "Gracia", plan: "pro" });
  });

  test("that exists is changed, and one call under a key is one call", async () => {
    const { contacts } = clientWith();
    const key = { headers: { "Idempotency-Key": "bob" } };
    const first = await done(contacts.create({ email: "bob@example.com", firstName: "Bob" }, key));
    expect(await done(contacts.create({ email: "bob@example.com", firstName: "Bob" }, key))).toEqual(first);
    expect(await done(contacts.create({ email: "bob@example.com", lastName: "B" }))).toEqual(first);
    expect((await contactOf(first.id)).data).toEqual({ first_name: "Bob", last_name: "B" });
  });

  test("is refused with an address that is none, with a topic that is not there, and where it is not itself", async () => {
    const { contacts } = clientWith();
    const topics = [{ id: NOBODY, subscription: "opt_in" }];
    for (const contact of [{ email: "nobody" }, { email: "eve@example.com", topics }])
      expect(await refused(contacts.create(contact))).toMatchObject({ statusCode: 422, name: "validation_error" });
    expect(await refused(contacts.get("%C3"))).toMatchObject({ statusCode: 400, name: "validation_error" });
    expect(await refused(contacts.get(NOBODY))).toMatchObject({ statusCode: 404, name: "not_found" });
    expect(await refused(contacts.update({ id: NOBODY, firstName: "X" }))).toMatchObject({ statusCode: 404 });
    expect(await refused(contacts.remove("nobody@example.com"))).toMatchObject({ statusCode: 404 });
  });

  test("of another workspace is nobody's, and a key that may only send or read changes none", async () => {
    const { id } = await done(clientWith().contacts.create({ email: "own@example.com" }));
    const other = clientWith((await addWorkspace(posthorn, { name: "other", domain: "other.example" })).secret);
    expect((await refused(other.contacts.get(id))).name).toBe("not_found");
    expect((await refused(other.contacts.get({ email: "own@example.com" }))).name).toBe("not_found");
    expect((await refused(other.contacts.remove(id))).name).toBe("not_found");
    expect((await done(other.contacts.list())).data).toEqual([]);
    const reader = clientWith((await addKeys(posthorn, { permissions: "read" })).secret);
    expect((await done(reader.contacts.get(id))).id).toBe(id);
    for (const call of [reader.contacts.create({ email: "x@example.com" }), reader.contacts.remove(id)])
      expect(await refused(call)).toMatchObject({ statusCode: 401, name: "restricted_api_key" });
    const sender = clientWith((await addKeys(posthorn, { permissions: "send" })).secret);
    expect(await refused(sender.contacts.list())).toMatchObject({ name: "restricted_api_key" });
  });
});

test("the list of contacts goes on behind one, and back before one", async () => {
  await using own = await workspace();
  const { contacts } = resendClient(own, own.keys.secret);
  for (const name of ["a", "b", "c", "d"]) await done(contacts.create({ email: `${name}@example.com` }));
  const names = ({ data, has_more }: Json) => [data.map(({ email }: Json) => email[0]).join(""), has_more];
  const first = await done(contacts.list({ limit: 2 }));
  expect([first.object, ...names(first)]).toEqual(["list", "dc", true]);
  expect(names(await done(contacts.list({ limit: 2, after: first.data[1].id })))).toEqual(["ba", false]);
  const all = (await done(contacts.list({ limit: 100 }))).data;
  expect(names(await done(contacts.list({ limit: 2, before: all[3].id })))).toEqual(["cb", true]);
  expect(names(await done(contacts.list({ limit: 100, before: all[3].id })))).toEqual(["dcb", false]);
  expect((await refused(contacts.list({ limit: 101 }))).statusCode).toBe(400);
  expect((await refused(contacts.list({ after: NOBODY }))).statusCode).toBe(404);
  const filtered = await fetch(`${posthorn.server.url}/compat/resend/contacts?segment_id=${NOBODY}`, {
    headers: { authorization: `Bearer ${posthorn.keys.secret}` },
  });
  expect([filtered.status, await filtered.json()]).toMatchObject([400, { name: "validation_error" }]);
});

describe("a segment", () => {
  test("is made, listed, renamed and removed, also as an audience", async () => {
    const { segments } = clientWith();
    const made = await done(segments.create({ name: "Readers" }));
    expect(made).toEqual({ object: "segment", id: expect.any(String), name: "Readers" });
    expect(await done(segments.update(made.id, { name: "Everybody" }))).toEqual({ object: "segment", id: made.id });
    expect(await done(segments.get(made.id))).toMatchObject({ object: "segment", id: made.id, name: "Everybody" });
    const next = await done(segments.create({ name: "More" }));
    const page = await done(segments.list({ limit: 1 }));
    expect([page.data[0].id, page.has_more]).toEqual([next.id, true]);
    expect((await done(segments.list({ limit: 1, after: next.id }))).data[0].id).toBe(made.id);
    expect((await done(segments.list({ before: made.id }))).data.map(({ id }: Json) => id)).toEqual([next.id]);
    expect(await done(segments.remove(made.id))).toEqual({ object: "segment", id: made.id, deleted: true });
    expect(await refused(segments.get(made.id))).toMatchObject({ statusCode: 404, name: "not_found" });
    const audiences = (method: string, path: string, body?: object) => call(method, `/audiences${path}`, body);
    const audience = await audiences("POST", "", { name: "Old" });
    expect(audience).toMatchObject({ object: "audience", name: "Old" });
    expect(await audiences("GET", `/${audience.id}`)).toMatchObject({ object: "audience", name: "Old" });
    expect((await audiences("GET", "")).data[0]).toMatchObject({ id: audience.id });
    expect(await audiences("PATCH", `/${audience.id}`, { name: "New" })).toMatchObject({ id: audience.id });
    expect(await audiences("DELETE", `/${audience.id}`)).toMatchObject({ object: "audience", deleted: true });
  });

  test("has contacts: those made in it, those put into it, none that left it", async () => {
    const { contacts, segments } = clientWith();
    const { id: segmentId } = await done(segments.create({ name: "Members" }));
    const made = await done(contacts.create({ email: "m1@example.com", segments: [{ id: segmentId }] }));
    await done(contacts.create({ email: "m2@example.com" }));
    expect(await done(contacts.segments.add({ email: "m2@example.com", segmentId }))).toEqual({ id: segmentId });
    const members = async () =>
      (await done(contacts.list({ segmentId }))).data.map(({ email }: Json) => email.slice(0, 2));
    expect(await members()).toEqual(["m2", "m1"]);
    expect((await done(contacts.segments.list({ contactId: made.id }))).data).toMatchObject([{ id: segmentId }]);
    await done(contacts.segments.remove({ contactId: made.id, segmentId }));
    expect(await members()).toEqual(["m2"]);
    expect((await done(contacts.segments.list({ contactId: made.id }))).data).toEqual([]);
  });

  test("that is not there keeps a contact from being made, as does one by condition", async () => {
    const { contacts } = clientWith();
    const condition = { groups: [{ filters: [{ field: "plan", operator: "equals", value: "pro" }] }] };
    const dynamic = (await ask(posthorn, "POST /segments", { body: { name: "Pro", condition } })).body.id;
    expect(await refused(contacts.create({ email: "n@example.com", segments: [{ id: NOBODY }] }))).toMatchObject({
      statusCode: 404,
    });
    expect(await refused(contacts.create({ email: "n@example.com", segments: [{ id: dynamic }] }))).toMatchObject({
      statusCode: 400,
      name: "validation_error",
    });
    expect((await refused(contacts.get("n@example.com"))).name).toBe("not_found");
  });

  test("as an audience has its contacts alone", async () => {
    const { contacts, segments } = clientWith();
    const { id: audienceId } = await done(segments.create({ name: "Audience" }));
    const { id } = await done(contacts.create({ audienceId, email: "in@example.com", firstName: "In" }));
    const outside = await done(contacts.create({ email: "out@example.com" }));
    expect((await done(contacts.list({ audienceId }))).data).toMatchObject([{ id, first_name: "In" }]);
    expect((await call("GET", `/audiences/${audienceId}/contacts`)).data).toMatchObject([{ id }]);
    expect(await done(contacts.get({ audienceId, id }))).toMatchObject({ email: "in@example.com" });
    expect((await refused(contacts.get({ audienceId, id: outside.id }))).name).toBe("not_found");
    await done(contacts.update({ audienceId, email: "in@example.com", firstName: "Ina" }));
    expect((await contactOf(id)).data.first_name).toBe("Ina");
    await done(contacts.remove({ audienceId, id }));
    expect((await refused(contacts.get({ audienceId, id }))).name).toBe("not_found");
    // Who leaves an audience is still there.
    expect((await contactOf(id)).email).toBe("in@example.com");
  });

  test("that a change names is left out, and said so", async () => {
    const { id } = await done(clientWith().contacts.create({ email: "named@example.com" }));
    const change = { segments: [{ id: NOBODY }], email: "other@example.com", first_name: "N" };
    const { status, headers } = await raw("PATCH", `/contacts/${id}`, change);
    expect([status, headers.get("x-posthorn-ignored")]).toEqual([200, "segments, email"]);
    expect(await contactOf(id)).toMatchObject({ email: "named@example.com", data: { first_name: "N" } });
  });

  test("by a condition is refused in Resend's words", async () => {
    const { status, body } = await raw("POST", "/segments", { name: "F", filter: { any: [] } });
    expect([status, body.message]).toEqual([422, expect.stringContaining("POST /segments")]);
  });
});

describe("a suppression", () => {
  test("is an address that bounced or complained, and lifting it subscribes nobody", async () => {
    const { emails, suppressions, contacts } = clientWith();
    for (const name of ["bounced", "complained"])
      await done(
        emails.send({ from: "shop@example.test", to: `${name}@simulator.test`, subject: "Hi", html: "<p>Hi</p>" }),
      );
    await posthorn.settle();
    const { data } = await done(suppressions.list());
    expect(data.map(({ email, origin }: Json) => `${email} ${origin}`).toSorted()).toEqual([
      "bounced@simulator.test bounce",
      "complained@simulator.test complaint",
    ]);
    const { id } = data.find(({ origin }: Json) => origin === "bounce");
    expect(await done(suppressions.get("bounced@simulator.test"))).toMatchObject({
      object: "suppression",
      id,
      origin: "bounce",
    });
    expect(await done(suppressions.remove("bounced@simulator.test"))).toEqual({
      object: "suppression",
      id,
      deleted: true,
    });
    expect((await done(contacts.get("bounced@simulator.test"))).unsubscribed).toBe(true);
    expect(await refused(suppressions.get("bounced@simulator.test"))).toMatchObject({ statusCode: 404 });
    const both = ["bounced@simulator.test", "complained@simulator.test"];
    expect(await refused(suppressions.batch.remove({ emails: both }))).toMatchObject({ statusCode: 404 });
    expect((await done(suppressions.batch.remove({ emails: both.slice(1) }))).data).toMatchObject([{ deleted: true }]);
    expect((await done(suppressions.list())).data).toEqual([]);
  });

  test("is added by hand, without a contact, and found by its address and its id", async () => {
    const { suppressions, contacts, emails } = clientWith();
    const made = await done(suppressions.add({ email: "Angry@example.com" }));
    expect(made).toEqual({ object: "suppression", id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(await done(suppressions.add({ email: "angry@example.com" }))).toEqual(made);
    expect((await refused(contacts.get("angry@example.com"))).name).toBe("not_found");
    const shown = { id: made.id, email: "angry@example.com", origin: "manual", source_id: null };
    for (const name of [made.id, "angry@example.com"])
      expect(await done(suppressions.get(name))).toMatchObject({ object: "suppression", ...shown });
    const mail = { from: "shop@example.test", to: "angry@example.com", subject: "Hi", html: "<p>Hi</p>" };
    expect(await refused(emails.send(mail))).toMatchObject({ name: "validation_error" });
    const both = (await done(suppressions.batch.add({ emails: ["x@example.com", "y@example.com"] }))).data;
    expect(both).toEqual([made, made].map((one) => ({ ...one, id: expect.any(String) })));
    expect((await done(suppressions.batch.remove({ ids: both.map(({ id }: Json) => id) }))).data).toHaveLength(2);
    await done(suppressions.remove(made.id));
    expect((await done(emails.send(mail))).id).toBeString();
  });

  test("is listed by origin, in pieces, and only while it is in force", async () => {
    await using own = await workspace();
    const { suppressions } = resendClient(own, own.keys.secret);
    const add = (body: object) => ask(own, "POST /suppressions", { body });
    await add({ domain: "example.net" });
    await add({ address: "a@example.com", reason: "soft-bounces" });
    await add({ address: "b@example.com", reason: "complaint" });
    await add({ address: "c@example.com", reason: "import" });
    await add({ address: "d@example.com", reason: "bounce" });
    await add({ address: "e@example.com", until: new Date(own.clock.nowMs() + 60_000).toISOString() });
    const names = ({ data, has_more }: Json) => [data.map(({ email }: Json) => email[0]).join(""), has_more];
    expect(names(await done(suppressions.list({ origin: "bounce" })))).toEqual(["da", false]);
    expect(names(await done(suppressions.list({ origin: "bounce", limit: 1 })))).toEqual(["d", true]);
    expect(names(await done(suppressions.list({ origin: "complaint" })))).toEqual(["b", false]);
    expect(names(await done(suppressions.list({ origin: "manual" })))).toEqual(["ec", false]);
    const all = (await done(suppressions.list())).data;
    expect(names(await done(suppressions.list({ limit: 2, after: all[1].id })))).toEqual(["cb", true]);
    expect(names(await done(suppressions.list({ limit: 2, before: all[4].id })))).toEqual(["cb", true]);
    own.clock.advance(61_000);
    expect(names(await done(suppressions.list()))).toEqual(["dcba", false]);
    expect(await refused(suppressions.get("e@example.com"))).toMatchObject({ statusCode: 404 });
    for (const options of [{ origin: "spam" }, { after: NOBODY }])
      expect(await refused(suppressions.list(options))).toMatchObject({ statusCode: 400 });
  });

  test("is refused with an address that is none, too few or too many, and all or none of a batch are added", async () => {
    const { suppressions } = clientWith();
    const many = Array.from({ length: 101 }, (_, at) => `n${at}@example.com`);
    for (const one of [
      suppressions.add({ email: "nobody" }),
      suppressions.add({}),
      suppressions.batch.add({ emails: ["first@example.com", "nobody"] }),
      suppressions.batch.add({ emails: many }),
      suppressions.batch.add({ emails: [] }),
      suppressions.batch.remove({ emails: [] }),
    ])
      expect(await refused(one)).toMatchObject({ statusCode: 422, name: "validation_error" });
    expect(await refused(suppressions.get("first@example.com"))).toMatchObject({ statusCode: 404 });
  });

  test("of another workspace is nobody's, and a key that may only read adds and lifts none", async () => {
    const { id } = await done(clientWith().suppressions.add({ email: "kept@example.com" }));
    const stranger = clientWith((await addWorkspace(posthorn, { name: "third", domain: "third.example" })).secret);
    for (const name of [id, "kept@example.com"])
      for (const call of [stranger.suppressions.get(name), stranger.suppressions.remove(name)])
        expect(await refused(call)).toMatchObject({ statusCode: 404 });
    expect((await done(stranger.suppressions.list())).data).toEqual([]);
    const reader = clientWith((await addKeys(posthorn, { permissions: "read" })).secret);
    expect((await done(reader.suppressions.get(id))).id).toBe(id);
    for (const call of [reader.suppressions.add({ email: "z@example.com" }), reader.suppressions.remove(id)])
      expect(await refused(call)).toMatchObject({ name: "restricted_api_key" });
  });
});

async function raw(method: string, path: string, body?: object) {
  const response = await fetch(`${posthorn.server.url}/compat/resend${path}`, {
    method,
    headers: { authorization: `Bearer ${posthorn.keys.secret}`, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
}

/** As clients of other languages call, which still say audiences. */
async function call(method: string, path: string, body?: object): Promise<Json> {
  const reply = await raw(method, path, body);
  expect(reply.status).toBe(200);
  return reply.body;
}
