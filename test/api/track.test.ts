// POST /v1/track: what happened to a contact, said with either kind of key, from a server or a browser.
import { describe, expect, test } from "bun:test";
import { OWN_EVENTS } from "../../src/tenant/events/catalog.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask, scenarios, type Key, type Scenario } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const request = "POST /v1/track";
const signedUp = { email: "ada@example.com", event: "signed-up" };

describe.each<Key>(["secret", "public"])("with a %s key", (key) => {
  test("an event is stored with its data, and the contact is made", async () => {
    await using posthorn = await workspace();
    const body = { ...signedUp, data: { plan: "pro", cart: { items: [1, 2] }, gone: null } };
    const reply = await ask(posthorn, request, { key, body });
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect([reply.status, reply.body]).toEqual([
      200,
      { success: true, data: { contact: id, event: id, timestamp: "2026-03-01T09:00:00.000Z" } },
    ]);
    expect(await posthorn.events()).toEqual([{ name: "signed-up", contact: "ada@example.com", data: body.data }]);
    const contact = (await ask(posthorn, `GET /contacts/${reply.body.data.contact}`)).body;
    expect(contact).toMatchObject({ subscribed: true, data: { plan: "pro", cart: { items: [1, 2] } } });
    expect(contact.data).not.toHaveProperty("gone");
  });
});

test("what is not to be stored is in the event, as a plain value, and not with the contact", async () => {
  await using posthorn = await workspace();
  const data = { order: { value: 17, persistent: false }, plan: "pro" };
  const { body } = await ask(posthorn, request, { body: { ...signedUp, data } });
  expect((await posthorn.events())[0]?.data).toEqual({ order: 17, plan: "pro" });
  expect((await ask(posthorn, `GET /contacts/${body.data.contact}`)).body.data).toEqual({ plan: "pro" });
});

test("the event has every key that was passed, the contact none that is reserved, and no object one of a prototype", async () => {
  await using posthorn = await workspace();
  const reserved = { id: "ord_17", email: "eve@example.com", subscribed: false, manageUrl: "m", subscribeUrl: null };
  const passing = { unsubscribeUrl: { value: "u", persistent: false } };
  const prototype = JSON.parse(
    '{"__proto__":{"a":1},"constructor":1,"prototype":2,"deep":{"__proto__":{"b":1}}}',
  ) as object;
  const data = { ...reserved, ...passing, plan: "pro", ...prototype, ["__proto__"]: { a: 1 } };
  const { body } = await ask(posthorn, request, { body: { ...signedUp, data } });
  const seen = { ...reserved, unsubscribeUrl: "u", plan: "pro", deep: {} };
  expect(await posthorn.events()).toEqual([{ name: "signed-up", contact: "ada@example.com", data: seen }]);
  expect((await ask(posthorn, `GET /contacts/${body.data.contact}`)).body).toMatchObject({
    email: "ada@example.com",
    subscribed: true,
  });
  expect((await ask(posthorn, `GET /contacts/${body.data.contact}`)).body.data).toEqual({ plan: "pro", deep: {} });
});

test("an event without data carries an empty object", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, request, { body: signedUp });
  expect((await posthorn.events())[0]?.data).toEqual({});
});

test("the same event twice is two events of one contact", async () => {
  await using posthorn = await workspace();
  const first = (await ask(posthorn, request, { body: signedUp })).body.data;
  const second = (await ask(posthorn, request, { body: { ...signedUp, email: "ADA@Example.com" } })).body.data;
  expect(second.contact).toBe(first.contact);
  expect(second.event).not.toBe(first.event);
});

scenarios("the subscription flag", [
  {
    name: "of somebody new is off if the caller says so",
    request,
    body: { ...signedUp, subscribed: false },
    status: 200,
    events: ["signed-up"],
  },
  {
    name: "of somebody known stays as it is",
    given: [["POST /contacts", { email: "ada@example.com", subscribed: false }]],
    request,
    body: signedUp,
    status: 200,
    events: ["signed-up"],
  },
  {
    name: "is switched on before the event",
    given: [["POST /contacts", { email: "ada@example.com", subscribed: false }]],
    request,
    key: "public",
    body: { ...signedUp, subscribed: true },
    status: 200,
    events: ["contact.subscribed", "signed-up"],
  },
  {
    name: "is switched off before the event",
    given: [["POST /contacts", { email: "ada@example.com" }]],
    request,
    key: "public",
    body: { ...signedUp, subscribed: false },
    status: 200,
    events: ["contact.unsubscribed", "signed-up"],
  },
]);

describe("a contact that bounced for good", () => {
  async function bounced(posthorn: Posthorn): Promise<string> {
    posthorn.transport.answer = () => ({ kind: "bounced", reply: "550 5.1.1 User unknown" });
    const letter = { to: "ada@example.com", from: "hello@example.test", subject: "Hi", body: "Hi", subscribed: true };
    const { body } = await ask(posthorn, "POST /v1/send", { body: letter });
    await posthorn.settle();
    expect(await posthorn.eventNames()).toEqual(["email.bounce", "contact.unsubscribed"]);
    return body.data.emails[0].contact.id;
  }

  test.each<[Key, boolean]>([
    ["public", false],
    ["secret", true],
  ])("is subscribed again with a %s key: %p", async (key, subscribed) => {
    await using posthorn = await workspace();
    const id = await bounced(posthorn);
    expect((await ask(posthorn, request, { key, body: { ...signedUp, subscribed: true } })).status).toBe(200);
    expect((await ask(posthorn, `GET /contacts/${id}`)).body.subscribed).toBe(subscribed);
  });

  test("is not asked to confirm by mail either", async () => {
    await using posthorn = await workspace();
    const id = await bounced(posthorn);
    await ask(posthorn, "PATCH /workspace", { body: { doubleOptIn: true } });
    const reply = await ask(posthorn, request, { key: "public", body: { ...signedUp, subscribed: true } });
    expect(reply.status).toBe(200);
    await posthorn.settle();
    expect((await ask(posthorn, "GET /emails")).body.data).toHaveLength(1);
    expect((await ask(posthorn, `GET /contacts/${id}`)).body.subscribed).toBe(false);
  });
});

describe("what a public key may do with a contact that exists", () => {
  const contactAfter = async (posthorn: Posthorn, key: Key, body: object, before: object = {}) => {
    const { id } = (await ask(posthorn, "POST /contacts", { body: { email: signedUp.email, ...before } })).body;
    const reply = await ask(posthorn, request, { key, body: { ...signedUp, ...body } });
    const { subscribed, data } = (await ask(posthorn, `GET /contacts/${id}`)).body;
    return { status: reply.status, isSame: reply.body.data?.contact === id, subscribed, data };
  };
  const change = { data: { plan: "pro" } };
  const settings = [
    { publicKeys: {}, subscribed: false, data: { a: 1, plan: "pro" } },
    { publicKeys: { update: false }, subscribed: false, data: { a: 1 } },
    { publicKeys: { unsubscribe: false }, subscribed: true, data: { a: 1, plan: "pro" } },
    { publicKeys: { update: false, unsubscribe: false }, subscribed: true, data: { a: 1 } },
  ];

  test.each(settings)("is set for the workspace: $publicKeys", async ({ publicKeys, ...after }) => {
    await using posthorn = await workspace();
    const set = await ask(posthorn, "PATCH /workspace", { body: { publicKeys } });
    expect(set.body.publicKeys).toEqual({ update: true, unsubscribe: true, events: null, ...publicKeys });
    const leaving = { ...change, subscribed: false };
    const before = { data: { a: 1 } };
    expect(await contactAfter(posthorn, "public", leaving, before)).toEqual({ status: 200, isSame: true, ...after });
    expect((await posthorn.events()).map(({ name, data }) => ({ name, data }))).toContainEqual({
      name: "signed-up",
      data: change.data,
    });
    const bySecret = { status: 200, isSame: true, subscribed: false, data: { a: 1, plan: "pro" } };
    expect(await contactAfter(posthorn, "secret", leaving)).toEqual(bySecret);
  });

  test("does not concern new contacts, and tells nobody who is there", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "PATCH /workspace", { body: { publicKeys: { update: false, unsubscribe: false } } });
    const added = await ask(posthorn, request, { key: "public", body: { ...signedUp, ...change, subscribed: false } });
    const contact = (await ask(posthorn, `GET /contacts/${added.body.data.contact}`)).body;
    expect([contact.subscribed, contact.data]).toEqual([false, change.data]);
    expect(await contactAfter(posthorn, "public", { subscribed: true })).toMatchObject({
      status: 200,
      subscribed: false,
    });
    const tooLarge = { data: { x: "x".repeat(66_000) } };
    for (const email of [signedUp.email, "new@example.com"])
      expect((await ask(posthorn, request, { key: "public", body: { ...signedUp, ...tooLarge, email } })).status).toBe(
        422,
      );
  });
});

function refused(name: string, body: unknown, fields: Scenario["fields"] = {}): Scenario {
  return { name, request, key: "public", body, status: 422, code: "VALIDATION_ERROR", fields };
}

scenarios("an event is refused", [
  refused("without address and name", {}, { email: "required", event: "required" }),
  refused("with an address that is none", { ...signedUp, email: "ada" }, { email: "invalid_email" }),
  refused("with an empty name", { ...signedUp, event: "" }, { event: "too_small" }),
  refused("with a name of 256 characters", { ...signedUp, event: "x".repeat(256) }, { event: "too_big" }),
  refused("with a name that is a number", { ...signedUp, event: 5 }, { event: "invalid_type" }),
  refused("with data that is a list", { ...signedUp, data: ["x"] }, { data: "invalid_type" }),
  refused(
    "with data that is too large to store",
    { ...signedUp, data: { x: "x".repeat(66_000) } },
    { data: "too_big" },
  ),
  refused(
    "with more than 256 KB of data, stored or not",
    { ...signedUp, data: { x: { value: "x".repeat(256 * 1024), persistent: false } } },
    { data: "too_big" },
  ),
  ...[...OWN_EVENTS, "segment.vip.entry", "segment.vip.exit", "segment..entry", "segment.a\nb.exit"].map((event) =>
    refused(
      `with the name ${JSON.stringify(event)}, which is ours`,
      { ...signedUp, event },
      { event: "reserved_event" },
    ),
  ),
]);

scenarios(
  "a name is taken",
  [
    "email.opened",
    "Email.Sent ",
    "segment.vip",
    "segments.vip.entry",
    "event.with.dots",
    "событие",
    "__proto__",
    "constructor",
    "' or 1=1 --",
  ].map((event) => ({
    name: `as ${event}`,
    request,
    body: { ...signedUp, event },
    status: 200,
    events: [event],
  })),
);

describe("a browser", () => {
  const preflight = { origin: "https://shop.example", "access-control-request-method": "POST" };

  test("is allowed to ask, without a key", async () => {
    await using posthorn = await workspace();
    const { status, headers, body } = await ask(posthorn, "OPTIONS /v1/track", { key: "none", headers: preflight });
    expect([status, body]).toEqual([204, ""]);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-methods")).toContain("POST");
    for (const name of ["authorization", "content-type", "idempotency-key"]) {
      expect(headers.get("access-control-allow-headers")?.toLowerCase()).toContain(name);
    }
  });

  test("may read the headers of an answer, so that it knows when to come again", async () => {
    await using posthorn = await workspace();
    const { headers } = await ask(posthorn, request, {
      key: "public",
      headers: { origin: "https://shop.example" },
      body: signedUp,
    });
    expect(headers.get("access-control-expose-headers")).toBe("*");
  });

  test("may read every answer of /v1, refusals as well, and none elsewhere", async () => {
    await using posthorn = await workspace();
    const origin = { origin: "https://shop.example" };
    const allowed = async (route: string, key: Key) =>
      (
        await ask(posthorn, route, { key, headers: origin, body: route.startsWith("GET") ? undefined : signedUp })
      ).headers.get("access-control-allow-origin");
    for (const route of [request, "POST /v1/send", "GET /v1/nothing"]) {
      for (const key of ["public", "none"] as const) expect(await allowed(route, key)).toBe("*");
    }
    for (const route of ["POST /contacts", "GET /emails", "GET /templates", "GET /health"]) {
      expect(await allowed(route, "secret")).toBeNull();
    }
    const elsewhere = await ask(posthorn, "OPTIONS /contacts", { key: "none", headers: preflight });
    expect([elsewhere.status, elsewhere.headers.get("access-control-allow-origin")]).toEqual([405, null]);
  });
});
