// POST /contacts and GET /contacts/{id}.
import { describe, expect, test } from "bun:test";
import { ask, countOf, scenarios, type Scenario } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const request = "POST /contacts";
const ada = { email: "ada@example.com" };
const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const record = {
  id: ID,
  email: "ada@example.com",
  subscribed: true,
  data: {},
  status: "ACTIVE",
  suppressed: null,
  topics: {},
  pausedUntil: null,
  expiresAt: null,
  projectId: ID,
  createdAt: "2026-03-01T09:00:00.000Z",
  updatedAt: "2026-03-01T09:00:00.000Z",
};

test("a new contact is answered with 201 and the whole record, and shown so by its id", async () => {
  await using posthorn = await workspace();
  const { status, body } = await ask(posthorn, request, { body: { ...ada, data: { plan: "pro" } } });
  expect([status, body]).toEqual([201, { ...record, data: { plan: "pro" }, _meta: { isNew: true, isUpdate: false } }]);
  const { _meta, ...shown } = body;
  expect((await ask(posthorn, `GET /contacts/${body.id}`)).body).toEqual(shown);
});

test("a known contact is answered with 200, changed, and still the same", async () => {
  await using posthorn = await workspace();
  const made = (await ask(posthorn, request, { body: { ...ada, data: { plan: "free", city: "Bonn" } } })).body;
  posthorn.clock.advance(1000);
  const { status, body } = await ask(posthorn, request, { body: { email: "ADA@example.com", data: { plan: "pro" } } });
  expect([status, body]).toEqual([
    200,
    {
      ...made,
      data: { plan: "pro", city: "Bonn" },
      updatedAt: "2026-03-01T09:00:01.000Z",
      _meta: { isNew: false, isUpdate: true },
    },
  ]);
});

test("a contact that nothing changes keeps the time of its last change", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, request, { body: { ...ada, data: { plan: "pro" } } });
  posthorn.clock.advance(1000);
  const { body } = await ask(posthorn, request, {
    body: { ...ada, subscribed: true, data: { plan: "pro", gone: null } },
  });
  expect(body.updatedAt).toBe("2026-03-01T09:00:00.000Z");
});

test("twenty requests for one new address at once make one contact", async () => {
  await using posthorn = await workspace();
  const replies = await Promise.all(Array.from({ length: 20 }, () => ask(posthorn, request, { body: ada })));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(19);
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
  expect(await countOf(posthorn, "contacts")).toBe(1);
});

describe("addresses", () => {
  const same = ["ada@example.com", "ADA@EXAMPLE.COM", " ada@example.com ", "Ada@Example.Com."];
  test.each(same)("%j is ada@example.com", async (email) => {
    await using posthorn = await workspace();
    expect((await ask(posthorn, request, { body: { email } })).body.email).toBe("ada@example.com");
  });

  const kept: readonly [string, string][] = [
    ["ada+news@example.com", "ada+news@example.com"],
    ["o'brien@example.com", "o'brien@example.com"],
    ["用户@例子.广告", "用户@xn--fsqu00a.xn--4rr70v"],
    ["ada@mail.example.co.uk", "ada@mail.example.co.uk"],
  ];
  test.each(kept)("%j is kept as %s", async (email, stored) => {
    await using posthorn = await workspace();
    expect((await ask(posthorn, request, { body: { email } })).body.email).toBe(stored);
  });
});

scenarios("the subscription flag", [
  { name: "of a new contact is on", request, body: ada, status: 201, answer: { subscribed: true } },
  {
    name: "of a new contact is off if asked so, which is no event",
    request,
    body: { ...ada, subscribed: false },
    status: 201,
    answer: { subscribed: false },
  },
  {
    name: "given as null is not given",
    request,
    body: { ...ada, subscribed: null, data: null },
    status: 201,
    answer: { subscribed: true },
  },
  {
    name: "stays on if it is not given",
    given: [[request, ada]],
    request,
    body: ada,
    status: 200,
    answer: { subscribed: true },
  },
  {
    name: "stays off if it is not given",
    given: [[request, { ...ada, subscribed: false }]],
    request,
    body: ada,
    status: 200,
    answer: { subscribed: false },
  },
  {
    name: "is switched off, and that is an event",
    given: [[request, ada]],
    request,
    body: { ...ada, subscribed: false },
    status: 200,
    answer: { subscribed: false },
    events: ["contact.unsubscribed"],
  },
  {
    name: "is switched on, and that is an event",
    given: [[request, { ...ada, subscribed: false }]],
    request,
    body: { ...ada, subscribed: true },
    status: 200,
    answer: { subscribed: true },
    events: ["contact.subscribed"],
  },
  {
    name: "is no event if it stood so already",
    given: [[request, ada]],
    request,
    body: { ...ada, subscribed: true },
    status: 200,
  },
]);

test("an event of the flag carries no reason when nobody but the caller did it", async () => {
  await using posthorn = await workspace();
  for (const subscribed of [true, false, true]) await ask(posthorn, request, { body: { ...ada, subscribed } });
  expect(await posthorn.events()).toEqual([
    { name: "contact.unsubscribed", contact: "ada@example.com", data: {} },
    { name: "contact.subscribed", contact: "ada@example.com", data: {} },
  ]);
});

function refused(name: string, body: unknown, fields: Scenario["fields"] = {}): Scenario {
  return { name, request, body, status: 422, code: "VALIDATION_ERROR", fields };
}

scenarios("POST /contacts is refused", [
  refused("without an address", {}, { email: "required" }),
  refused("with an empty body", "", { email: "required" }),
  refused("with a body that is a list", [], { body: "invalid_type" }),
  refused("with a body that is a text", '"ada@example.com"', { body: "invalid_type" }),
  refused("with a body that is null, which counts as none", "null", { email: "required" }),
  ...[
    "",
    " ",
    "ada",
    "ada@",
    "@example.com",
    "ada@example",
    "a b@example.com",
    "ada@example..com",
    "ada@@example.com",
    "<ada@example.com>",
  ].map((email) =>
    refused(
      `with the address ${JSON.stringify(email)}`,
      { email },
      { email: email === "" ? "too_small" : "invalid_email" },
    ),
  ),
  refused("with a name in the address", { email: "Ada <ada@example.com>" }, { email: "invalid_email" }),
  refused("with an address on two lines", { email: "ada@example.com\nbob@example.com" }, { email: "invalid_email" }),
  refused("with an address that is a list", { email: ["ada@example.com"] }, { email: "invalid_type" }),
  refused("with a flag that is a word", { ...ada, subscribed: "true" }, { subscribed: "invalid_type" }),
  refused("with a flag that is a number", { ...ada, subscribed: 1 }, { subscribed: "invalid_type" }),
  refused("with data that is a text", { ...ada, data: "{}" }, { data: "invalid_type" }),
  refused("with data that is a list", { ...ada, data: ["x"] }, { data: "invalid_type" }),
  refused("with more than 64 KB of data", { ...ada, data: { text: "x".repeat(65_600) } }, { data: "too_big" }),
  refused(
    "with data nested deeper than 32 levels",
    `{"email":"ada@example.com","data":${'{"a":'.repeat(33)}1${"}".repeat(33)}}`,
    { data: "too_deep" },
  ),
  refused(
    "with several faults",
    { email: 5, subscribed: 5, data: 5 },
    { email: "invalid_type", subscribed: "invalid_type", data: "invalid_type" },
  ),
]);

test("data may be 64 KB and 32 levels deep", async () => {
  await using posthorn = await workspace();
  const text = "x".repeat(65_536 - '{"text":""}'.length);
  expect((await ask(posthorn, request, { body: { ...ada, data: { text } } })).status).toBe(201);
  const deep = `{"email":"bob@example.com","data":${'{"a":'.repeat(32)}1${"}".repeat(32)}}`;
  expect((await ask(posthorn, request, { body: deep })).status).toBe(201);
});

scenarios("GET /contacts/{id}", [
  {
    name: "knows no other id",
    request: "GET /contacts/0199a3b4-0000-7000-8000-000000000000",
    status: 404,
    code: "CONTACT_NOT_FOUND",
  },
  ...["1", "ada@example.com", "x".repeat(1_000), "%2e%2e", "%E0%A4%A", "' or 1=1 --", "__proto__"].map(
    (id): Scenario => ({
      name: `knows no ${id.slice(0, 20)}`,
      request: `GET /contacts/${encodeURI(id)}`,
      status: 404,
      code: "CONTACT_NOT_FOUND",
    }),
  ),
]);
