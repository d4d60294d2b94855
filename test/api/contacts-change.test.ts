// PATCH /contacts/{id}.
import { expect, test } from "bun:test";
import { listenTo } from "../../src/tenant/events/interests.ts";
import { letter } from "../support/mails.ts";
import { ask, scenarios, type Given, type Scenario } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const ada = { email: "ada@example.com", data: { plan: "free", city: "Bonn" } };
const given: Given = [
  ["POST /contacts", ada],
  ["POST /contacts", { email: "bob@example.com", subscribed: false }],
];
const request = "PATCH /contacts/$0.id";

test("a suppression is lifted, and subscribes nobody", async () => {
  await using posthorn = await workspace();
  const to = "bounced@simulator.test";
  await ask(posthorn, "POST /v1/send", { body: { ...letter, to } });
  await posthorn.settle();
  const { id, ...before } = (await ask(posthorn, `GET /contacts/by-email/${to}`)).body;
  expect(before).toMatchObject({ subscribed: false, suppressed: "bounce" });
  const lifted = { subscribed: false, suppressed: null };
  for (const body of [{ suppressed: false }, { suppressed: false, data: { a: 1 } }])
    expect((await ask(posthorn, `PATCH /contacts/${id}`, { body })).body).toMatchObject(lifted);
  expect((await ask(posthorn, `PATCH /contacts/${id}`, { body: { suppressed: true } })).status).toBe(422);
});

scenarios("a contact is changed", [
  {
    name: "in everything at once",
    given,
    request,
    body: { email: " Ada@Example.ORG", subscribed: false, data: { plan: "pro", city: null } },
    status: 200,
    answer: { id: "$0.id", email: "ada@example.org", subscribed: false, data: { plan: "pro" }, status: "ACTIVE" },
    events: ["contact.unsubscribed"],
  },
  {
    name: "in its flag, the other way",
    given,
    request: "PATCH /contacts/$1.id",
    body: { subscribed: true },
    status: 200,
    answer: { id: "$1.id", subscribed: true },
    events: ["contact.subscribed"],
  },
  { name: "in nothing", given, request, body: {}, status: 200, answer: { ...ada, id: "$0.id" } },
  {
    name: "in nothing by null",
    given,
    request,
    body: { email: null, subscribed: null, data: null },
    status: 200,
    answer: ada,
  },
  {
    name: "to what it is, which is no event",
    given,
    request,
    body: { email: "ADA@example.com", subscribed: true, data: { plan: "free", gone: null } },
    status: 200,
    answer: { ...ada, updatedAt: "2026-03-01T09:00:00.000Z" },
  },
]);

const refused = (name: string, body: unknown, fields: Scenario["fields"] = {}): Scenario => ({
  ...{ name, given, request, body, status: 422, code: "VALIDATION_ERROR", fields },
});

scenarios("a change is refused", [
  {
    name: "to an address that another contact has",
    given,
    request,
    body: { email: "BOB@example.com", subscribed: false, data: { plan: "pro" } },
    status: 409,
    code: "CONFLICT",
  },
  refused("with an empty address", { email: "" }, { email: "too_small" }),
  refused("with a flag that is a word", { subscribed: "no" }, { subscribed: "invalid_type" }),
  refused("with data that is a list", { data: ["x"] }, { data: "invalid_type" }),
  refused("with too much data", { data: { text: "x".repeat(65_600) } }, { data: "too_big" }),
  refused("with all faults at once", `{"email":"ada","subscribed":false,"data":{"n":1e999}}`, {
    email: "invalid_email",
    "data.n": "too_big",
  }),
  {
    name: "of a contact that is not there",
    request: "PATCH /contacts/0199a3b4-0000-7000-8000-000000000000",
    body: { subscribed: true },
    status: 404,
    code: "CONTACT_NOT_FOUND",
  },
  { name: "with a public key", given, request, body: {}, key: "public", status: 401, code: "INVALID_API_KEY" },
]);

scenarios("other doors tell all faults at once", [
  {
    name: "POST /contacts",
    request: "POST /contacts",
    body: `{"email":"ada","data":{"n":1e999}}`,
    status: 422,
    fields: { email: "invalid_email", "data.n": "too_big" },
  },
  {
    name: "POST /v1/track",
    request: "POST /v1/track",
    body: `{"email":"ada","event":"email.sent","data":{"n":1e999}}`,
    status: 422,
    fields: { email: "invalid_email", event: "reserved_event", "data.n": "too_big" },
  },
]);

test("two contacts that want the same address at once: one gets it", async () => {
  await using posthorn = await workspace();
  const ids = await Promise.all(
    ["ada", "bob", "cleo", "dora"].map(
      async (name) => (await ask(posthorn, "POST /contacts", { body: { email: `${name}@example.com` } })).body.id,
    ),
  );
  const replies = await Promise.all(
    ids.map((id) => ask(posthorn, `PATCH /contacts/${id}`, { body: { email: "one@example.com" } })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

test("a contact is found under its new address and under the old one, until another contact takes that", async () => {
  await using posthorn = await workspace();
  const { id } = (await ask(posthorn, "POST /contacts", { body: ada })).body;
  await ask(posthorn, `PATCH /contacts/${id}`, { body: { email: "ada@example.org" } });
  expect((await ask(posthorn, "POST /contacts", { body: { email: "ada@example.org" } })).body.id).toBe(id);
  expect((await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com" } })).body.id).toBe(id);
  const bob = (await ask(posthorn, "POST /contacts", { body: { email: "bob@example.com" } })).body;
  expect((await ask(posthorn, `PATCH /contacts/${bob.id}`, { body: { email: "ada@example.com" } })).status).toBe(200);
  expect((await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com" } })).body.id).toBe(bob.id);
});

test("listeners learn which parts have changed", async () => {
  await using posthorn = await workspace();
  const { id } = (await ask(posthorn, "POST /contacts", { body: ada })).body;
  await posthorn.store.write((tx) =>
    listenTo(tx, { workspace: 1, kind: "segment", listener: 1 }, ["contact:updatedAt"]),
  );
  await ask(posthorn, `PATCH /contacts/${id}`, {
    body: { email: "ada@example.org", subscribed: false, data: { a: 1 } },
  });
  const rows = await posthorn.store.read(
    (reader) => reader.all<{ subjects: string }>`select subjects from outbox order by seq`,
  );
  expect(rows.map(({ subjects }) => JSON.parse(subjects))).toEqual([
    ["contact:email", "contact:updatedAt"],
    ["contact:data.a", "contact:updatedAt"],
    ["contact:subscribed", "contact:updatedAt", "contact:paused"],
  ]);
});
