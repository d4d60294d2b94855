// Segments and their members.
import { expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, countOf, refusedFields, scenarios } from "../support/scenario.ts";
import { addWorkflow } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const pro = { logic: "AND", groups: [{ filters: [{ field: "plan", operator: "equals", value: "pro" }] }] };
const dynamic = { name: "Pro users", condition: pro };
const STATIC = { name: "Friends", type: "STATIC" };
const ada = ["POST /contacts", { email: "ada@example.com", data: { plan: "pro" } }] as const;
const bob = ["POST /contacts", { email: "bob@example.com", data: { plan: "free" } }] as const;
const NOBODYS = "0199a3b4-0000-7000-8000-000000000000";

const IN = { segmentId: expect.any(String), segmentName: "Pro users" };

const on = (id: string, operator = "memberOf") => ({ groups: [{ filters: [{ field: `segment.${id}`, operator }] }] });

async function make(posthorn: Posthorn, segment: object): Promise<string> {
  const { status, body } = await ask(posthorn, "POST /segments", { body: segment });
  expect([status, body.error]).toEqual([201, undefined]);
  return body.id;
}

const look = async (posthorn: Posthorn, id: string): Promise<Json> => (await ask(posthorn, `GET /segments/${id}`)).body;

const count = async (posthorn: Posthorn, id: string): Promise<number> => (await look(posthorn, id)).memberCount;

async function contactsOf(posthorn: Posthorn, id: string): Promise<string[]> {
  const { body } = await ask(posthorn, `GET /segments/${id}/contacts`);
  return body.data.map((contact: Json) => contact.email);
}

const change = (posthorn: Posthorn, email: string, data: object) =>
  ask(posthorn, "POST /contacts", { body: { email, data } });

scenarios("making a segment", [
  {
    name: "answers the record with its true count; who is in it already enters without an event",
    given: [ada, bob],
    request: "POST /segments",
    body: { ...dynamic, description: "They pay", trackMembership: true },
    status: 201,
    answer: {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...dynamic,
      slug: "pro-users",
      description: "They pay",
      type: "DYNAMIC",
      trackMembership: true,
      memberCount: 1,
      projectId: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    },
  },
  {
    name: "STATIC needs no condition and keeps none",
    request: "POST /segments",
    body: { ...STATIC, condition: pro },
    status: 201,
    answer: { type: "STATIC", condition: null, description: null, trackMembership: false, memberCount: 0 },
  },
  {
    name: "needs a name",
    request: "POST /segments",
    body: { condition: pro },
    status: 422,
    fields: { name: "required" },
  },
  {
    name: "needs a condition if it is DYNAMIC",
    request: "POST /segments",
    body: { name: "A" },
    status: 422,
    fields: { condition: "required" },
  },
  {
    name: "names the place of each fault of its condition",
    request: "POST /segments",
    body: {
      name: "A",
      condition: { groups: [{ filters: [{ field: "subscribed", operator: "contains" }, { field: "a" }] }] },
    },
    status: 422,
    fields: {
      "condition.groups.0.filters.0.operator": "unfit_operator",
      "condition.groups.0.filters.1.value": "required",
    },
  },
  {
    name: "names a segment that is not there",
    request: "POST /segments",
    body: { name: "A", condition: { groups: [{ filters: [{ field: `segment.${NOBODYS}`, operator: "memberOf" }] }] } },
    status: 422,
    fields: { "condition.groups.0.filters.0.field": "unknown_segment" },
  },
  {
    name: "needs a name with a letter or a digit",
    request: "POST /segments",
    body: { ...STATIC, name: "!?" },
    status: 422,
    fields: { name: "invalid" },
  },
  {
    name: "takes names up to 100 characters",
    request: "POST /segments",
    body: { ...STATIC, name: "a".repeat(101) },
    status: 422,
    fields: { name: "too_big" },
  },
  {
    name: "knows no third type",
    request: "POST /segments",
    body: { ...STATIC, type: "LIVE" },
    status: 422,
    fields: { type: "invalid" },
  },
  {
    name: "refuses a name that has the slug of another",
    given: [["POST /segments", STATIC]],
    request: "POST /segments",
    body: { ...dynamic, name: "friends!" },
    status: 409,
    code: "CONFLICT",
  },
  {
    name: "once, though it is asked for twice with one key",
    given: [ada],
    request: "POST /segments",
    body: dynamic,
    headers: { "idempotency-key": "k" },
    status: 201,
    answer: { memberCount: 1 },
  },
]);

test.each([
  ["Bob's VIPs – since 2024!", "bobs-vips-since-2024"],
  ["Ünïcode & 日本語", "ünïcode-日本語"],
  ["  UPPER_case  ", "upper-case"],
])("the slug of %p is %p", async (name, slug) => {
  await using posthorn = await workspace();
  expect((await look(posthorn, await make(posthorn, { ...STATIC, name }))).slug).toBe(slug);
});

scenarios("putting contacts into a STATIC segment", [
  {
    name: "counts contacts, says whom it does not know, and tells of each who enters",
    given: [ada, bob, ["POST /segments", STATIC]],
    request: "POST /segments/$2.id/members",
    body: { emails: ["Ada@Example.com", "eve@example.com", "ada@example.com", "bob@example.com", "EVE@example.com"] },
    status: 200,
    answer: { added: 2, notFound: ["eve@example.com"] },
    events: ["segment.friends.entry", "segment.friends.entry"],
  },
  {
    name: "counts those who are in it already, and tells nothing of them",
    given: [ada, ["POST /segments", STATIC], ["POST /segments/$1.id/members", { emails: ["ada@example.com"] }]],
    request: "POST /segments/$1.id/members",
    body: { emails: ["ada@example.com"] },
    status: 200,
    answer: { added: 1, notFound: [] },
  },
  {
    name: "out again counts those whom the addresses name",
    given: [ada, bob, ["POST /segments", STATIC], ["POST /segments/$2.id/members", { emails: ["ada@example.com"] }]],
    request: "DELETE /segments/$2.id/members",
    body: { emails: ["ada@example.com", "bob@example.com", "eve@example.com"] },
    status: 200,
    answer: { removed: 2 },
    events: ["segment.friends.exit"],
  },
  ...(["POST", "DELETE"] as const).flatMap((method) => [
    {
      name: `${method} is refused for a DYNAMIC one`,
      given: [ada, ["POST /segments", dynamic]] as const,
      request: `${method} /segments/$1.id/members`,
      body: { emails: ["ada@example.com"] },
      status: 400,
      code: "SEGMENT_NOT_STATIC" as const,
    },
    {
      name: `${method} names what is no address`,
      given: [["POST /segments", STATIC]] as const,
      request: `${method} /segments/$0.id/members`,
      body: { emails: ["ada@example.com", "ada"] },
      status: 422,
      fields: { "emails.1": "invalid_email" },
    },
    {
      name: `${method} takes at least one`,
      given: [["POST /segments", STATIC]] as const,
      request: `${method} /segments/$0.id/members`,
      body: { emails: [] },
      status: 422,
      fields: { emails: "too_small" },
    },
    {
      name: `${method} takes at most 500`,
      given: [["POST /segments", STATIC]] as const,
      request: `${method} /segments/$0.id/members`,
      body: { emails: Array(501).fill("ada@example.com") },
      status: 422,
      fields: { emails: "too_big" },
    },
    {
      name: `${method} of a segment that is not there is 404`,
      request: `${method} /segments/${NOBODYS}/members`,
      body: { emails: ["ada@example.com"] },
      status: 404,
      code: "SEGMENT_NOT_FOUND" as const,
    },
  ]),
]);

scenarios("changing a segment", [
  {
    name: "renames it, and its slug with it",
    given: [["POST /segments", STATIC]],
    request: "PATCH /segments/$0.id",
    body: { name: "Best friends", description: "of all" },
    status: 200,
    answer: { name: "Best friends", slug: "best-friends", description: "of all", type: "STATIC" },
  },
  {
    name: "refuses the slug of another",
    given: [
      ["POST /segments", STATIC],
      ["POST /segments", dynamic],
    ],
    request: "PATCH /segments/$1.id",
    body: { name: "FRIENDS" },
    status: 409,
    code: "CONFLICT",
  },
  {
    name: "keeps its type",
    given: [["POST /segments", STATIC]],
    request: "PATCH /segments/$0.id",
    body: { type: "DYNAMIC" },
    status: 422,
    fields: { type: "invalid" },
  },
  {
    name: "with another condition finds its members anew, and tells of them if it is tracked",
    given: [ada, bob, ["POST /segments", { ...dynamic, trackMembership: true }]],
    request: "PATCH /segments/$2.id",
    body: { condition: { groups: [{ filters: [{ field: "plan", value: "free" }] }] } },
    status: 200,
    answer: { memberCount: 1, condition: { groups: [{ filters: [{ field: "plan", value: "free" }] }] } },
    events: ["segment.pro-users.entry", "segment.pro-users.exit"],
  },
  {
    name: "refuses to depend on itself, however far around",
    given: [
      ["POST /segments", { name: "A", condition: pro }],
      [
        "POST /segments",
        { name: "B", condition: { groups: [{ filters: [{ field: "segment.$0.id", operator: "memberOf" }] }] } },
      ],
    ],
    request: "PATCH /segments/$0.id",
    body: { condition: { groups: [{ filters: [{ field: "segment.$1.id", operator: "notMemberOf" }] }] } },
    status: 422,
    fields: { condition: "circle" },
  },
  {
    name: "is refused for one that is not there",
    request: `PATCH /segments/${NOBODYS}`,
    body: { name: "A" },
    status: 404,
    code: "SEGMENT_NOT_FOUND",
  },
]);

scenarios("deleting a segment", [
  {
    name: "takes its members with it",
    given: [ada, ["POST /segments", dynamic]],
    request: "DELETE /segments/$1.id",
    status: 204,
  },
  {
    name: "is refused while another segment's condition names it",
    given: [
      ["POST /segments", STATIC],
      [
        "POST /segments",
        { name: "B", condition: { groups: [{ filters: [{ field: "segment.$0.id", operator: "memberOf" }] }] } },
      ],
    ],
    request: "DELETE /segments/$0.id",
    status: 409,
    code: "CONFLICT",
  },
]);

test("renaming is refused while an enabled workflow listens to the old name's events, or somebody still waits in it", async () => {
  await using posthorn = await workspace();
  const id = await make(posthorn, STATIC);
  const rename = async (name: string) => (await ask(posthorn, `PATCH /segments/${id}`, { body: { name } })).status;
  const wait = { type: "WAIT_FOR_EVENT", name: "Wait", config: { eventName: "segment.friends.exit" } };
  const workflow = await addWorkflow(posthorn, [wait], { eventName: "segment.friends.entry" });
  expect(await rename("Foes")).toBe(409);
  expect((await ask(posthorn, `PATCH /segments/${id}`, { body: { name: "friends", description: "x" } })).status).toBe(
    200,
  );
  await change(posthorn, "ada@example.com", {});
  await ask(posthorn, `POST /segments/${id}/members`, { body: { emails: ["ada@example.com"] } });
  await posthorn.settle();
  await ask(posthorn, `PATCH /workflows/${workflow.id}`, { body: { enabled: false } });
  expect(await rename("Foes")).toBe(409);
  const all = await ask(posthorn, `POST /workflows/${workflow.id}/executions/cancel-all`);
  expect(all.body).toEqual({ cancelled: 1 });
  expect(await rename("Foes")).toBe(200);
});

test("the list is bare, newest first", async () => {
  await using posthorn = await workspace();
  await change(posthorn, "ada@example.com", { plan: "pro" });
  await make(posthorn, STATIC);
  await make(posthorn, dynamic);
  const { body } = await ask(posthorn, "GET /segments");
  expect(body.map((segment: Json) => [segment.name, segment.memberCount])).toEqual([
    ["Pro users", 1],
    ["Friends", 0],
  ]);
  expect((await ask(posthorn, "GET /segments?limit=1")).body.map(({ name }: Json) => name)).toEqual(["Pro users"]);
  expect((await ask(posthorn, "GET /segments?limit=0")).status).toBe(400);
});

test("a tracked segment tells of each who comes to match and of each who no longer does, once", async () => {
  await using posthorn = await workspace();
  const id = await make(posthorn, { ...dynamic, trackMembership: true });
  for (const plan of ["pro", "pro", "free", "free", "pro"]) {
    await change(posthorn, "ada@example.com", { plan });
    await posthorn.settle();
  }
  await posthorn.settle();
  const entry = { name: "segment.pro-users.entry", contact: "ada@example.com", data: { ...IN, segmentId: id } };
  expect(await posthorn.events()).toEqual([entry, { ...entry, name: "segment.pro-users.exit" }, entry]);
  expect(await count(posthorn, id)).toBe(1);
});

test("one that is not tracked follows in silence", async () => {
  await using posthorn = await workspace();
  const id = await make(posthorn, dynamic);
  await change(posthorn, "ada@example.com", { plan: "pro" });
  expect([await count(posthorn, id), await contactsOf(posthorn, id)]).toEqual([1, ["ada@example.com"]]);
  await change(posthorn, "ada@example.com", { plan: null });
  expect([await count(posthorn, id), await contactsOf(posthorn, id)]).toEqual([0, []]);
  expect(await posthorn.eventNames()).toEqual([]);
});

test("what is read follows what was written, without waiting", async () => {
  await using posthorn = await workspace();
  const active = { groups: [{ filters: [{ field: "event.login", operator: "triggered" }] }] };
  const id = await make(posthorn, { name: "Active", condition: active });
  for (let n = 1; n <= 3; n++) {
    await ask(posthorn, "POST /v1/track", { body: { email: `u${n}@example.com`, event: "login" } });
    expect(await count(posthorn, id)).toBe(n);
  }
  expect(await contactsOf(posthorn, id)).toEqual(["u3@example.com", "u2@example.com", "u1@example.com"]);
});

test("contacts come in pages with true totals", async () => {
  await using posthorn = await workspace();
  const id = await make(posthorn, dynamic);
  for (let n = 1; n <= 5; n++) await change(posthorn, `u${n}@example.com`, { plan: "pro" });
  const { body } = await ask(posthorn, `GET /segments/${id}/contacts?page=2&pageSize=2`);
  expect(body).toMatchObject({ total: 5, page: 2, pageSize: 2, totalPages: 3 });
  expect(body.data.map((contact: Json) => contact.email)).toEqual(["u3@example.com", "u2@example.com"]);
  expect((await ask(posthorn, `GET /segments/${id}/contacts?pageSize=101`)).status).toBe(400);
});

test("segments that are built on others follow them, along the whole chain", async () => {
  await using posthorn = await workspace();
  const base = await make(posthorn, STATIC);
  const second = await make(posthorn, { name: "Second", condition: on(base), trackMembership: true });
  const third = await make(posthorn, { name: "Third", condition: on(second), trackMembership: true });
  const others = await make(posthorn, { name: "Others", condition: on(base, "notMemberOf") });
  await change(posthorn, "ada@example.com", {});
  await ask(posthorn, `POST /segments/${base}/members`, { body: { emails: ["ada@example.com"] } });
  await posthorn.settle();
  expect(await posthorn.eventNames()).toEqual(["segment.friends.entry", "segment.second.entry", "segment.third.entry"]);
  expect([await count(posthorn, third), await count(posthorn, others)]).toEqual([1, 0]);
  await ask(posthorn, `DELETE /segments/${base}/members`, { body: { emails: ["ada@example.com"] } });
  expect([await count(posthorn, third), await count(posthorn, others)]).toEqual([0, 1]);
});

test("at most eight segments name one another in a row, however the last one comes about", async () => {
  await using posthorn = await workspace();
  let below = await make(posthorn, STATIC);
  for (let n = 2; n <= 9; n++) below = await make(posthorn, { name: `Step ${n}`, condition: on(below) });
  const top = { name: "Top", condition: on(below) };
  const made = await ask(posthorn, "POST /segments", { body: top });
  expect([made.status, refusedFields(made)]).toEqual([422, { condition: "too_deep" }]);
  const id = await make(posthorn, dynamic);
  expect((await ask(posthorn, `PATCH /segments/${id}`, { body: top })).status).toBe(422);
});

test("time alone takes contacts out, with their events, and what is shown is right even before", async () => {
  await using posthorn = await workspace();
  const recent = { groups: [{ filters: [{ field: "createdAt", operator: "within", value: 1, unit: "hours" }] }] };
  const id = await make(posthorn, { name: "Recent", condition: recent, trackMembership: true });
  await change(posthorn, "ada@example.com", {});
  await posthorn.settle();
  expect([await count(posthorn, id), await posthorn.eventNames()]).toEqual([1, ["segment.recent.entry"]]);
  posthorn.clock.advance(61 * 60_000);
  expect([await count(posthorn, id), await contactsOf(posthorn, id)]).toEqual([0, []]);
  await posthorn.settle();
  expect(await posthorn.eventNames()).toEqual(["segment.recent.entry", "segment.recent.exit"]);
  expect(await countOf(posthorn, "segment_members")).toBe(0);
});

test("who leaves a segment with time is not shown in it any more, however short a time ago it was swept", async () => {
  await using posthorn = await workspace();
  const recent = { groups: [{ filters: [{ field: "createdAt", operator: "within", value: 1, unit: "minutes" }] }] };
  const id = await make(posthorn, { name: "Recent", condition: recent });
  await change(posthorn, "ada@example.com", {});
  posthorn.clock.advance(60_000);
  await posthorn.settle();
  expect([await count(posthorn, id), (await contactsOf(posthorn, id)).length]).toEqual([1, 1]);
  posthorn.clock.advance(1);
  expect([await count(posthorn, id), await contactsOf(posthorn, id)]).toEqual([0, []]);
});

test("computing finds changes that no event announced, and says what it changed", async () => {
  await using posthorn = await workspace();
  await change(posthorn, "ada@example.com", { plan: "pro" });
  await change(posthorn, "bob@example.com", { plan: "free" });
  const id = await make(posthorn, { ...dynamic, trackMembership: true });
  await posthorn.store.write(
    (tx) => tx.run`update contacts set data = ${tx.dialect.json('{"plan":"free"}')} where email = 'ada@example.com'`,
  );
  await posthorn.store.write(
    (tx) => tx.run`update contacts set data = ${tx.dialect.json('{"plan":"pro"}')} where email = 'bob@example.com'`,
  );
  const compute = async () => (await ask(posthorn, `POST /segments/${id}/compute`)).body;
  expect(await compute()).toEqual({ added: 1, removed: 1, total: 1 });
  expect(await compute()).toEqual({ added: 0, removed: 0, total: 1 });
  expect((await posthorn.eventNames()).sort()).toEqual(["segment.pro-users.entry", "segment.pro-users.exit"]);
});

test("an export and a bulk job may mean the contacts of a segment", async () => {
  await using posthorn = await workspace();
  await change(posthorn, "ada@example.com", { plan: "pro" });
  await change(posthorn, "bob@example.com", { plan: "free" });
  const id = await make(posthorn, dynamic);
  const { body: file } = await ask(posthorn, `GET /contacts/export?segmentId=${id}`);
  expect([file.includes("ada@example.com"), file.includes("bob@example.com")]).toEqual([true, false]);
  await ask(posthorn, "POST /contacts/bulk-unsubscribe", { body: { filter: { segmentId: id } } });
  await posthorn.settle();
  expect((await posthorn.events()).map(({ name, contact }) => [name, contact])).toEqual([
    ["contact.unsubscribed", "ada@example.com"],
  ]);
});

test("a sign-up that nobody confirms leaves its segments when it goes", async () => {
  await using posthorn = await workspace();
  const pending = { groups: [{ filters: [{ field: "status", value: "PENDING" }] }] };
  const id = await make(posthorn, { name: "Pending", condition: pending });
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", doubleOptIn: true } });
  expect(await count(posthorn, id)).toBe(1);
  posthorn.clock.advance(8 * 24 * 60 * 60_000);
  await posthorn.settle();
  expect([await count(posthorn, id), await countOf(posthorn, "contacts")]).toEqual([0, 0]);
});

test("every dynamic segment is looked at again by itself, minutes after it was made and each day", async () => {
  await using posthorn = await workspace();
  await change(posthorn, "ada@example.com", { plan: "free" });
  const id = await make(posthorn, dynamic);
  const unseen = (plan: string) =>
    posthorn.store.write((tx) => tx.run`update contacts set data = ${tx.dialect.json(JSON.stringify({ plan }))}`);
  await unseen("pro");
  posthorn.clock.advance(6 * 60_000);
  await posthorn.settle();
  expect(await count(posthorn, id)).toBe(1);
  await unseen("free");
  posthorn.clock.advance(25 * 60 * 60_000);
  await posthorn.settle();
  expect(await count(posthorn, id)).toBe(0);
});

test("a condition is answered whole, whatever its caller left out, also one that was kept as it came", async () => {
  await using posthorn = await workspace();
  const bare = { groups: [{ conditions: { groups: [{ filters: [{ field: "plan", value: "pro" }] }] } }] };
  const kept = { groups: [{ filters: [], conditions: { groups: [{ filters: [{ field: "plan", value: "pro" }] }] } }] };
  const inner = { logic: "AND", groups: [{ filters: [{ field: "plan", operator: "equals", value: "pro" }] }] };
  const whole = { logic: "AND", groups: [{ filters: [], conditions: inner }] };
  const segmentId = await make(posthorn, { name: "New", condition: bare });
  const older = await make(posthorn, { name: "Old", condition: bare });
  const input = { name: "News", subject: "Hi", body: "<p>Hi</p>", from: "news@example.test" };
  const campaign = (audience: object) => ask(posthorn, "POST /campaigns", { body: { ...input, ...audience } });
  const written = (await campaign({ audienceType: "FILTERED", audienceCondition: bare })).body.data.id;
  await campaign({ audienceType: "SEGMENT", segmentId: older });
  await posthorn.store.write(async (tx) => {
    await tx.run`update segments set condition = ${JSON.stringify(kept)} where id = ${older}`;
    await tx.run`update campaigns set audience_condition = ${JSON.stringify(kept)} where id = ${written}`;
  });
  const segments = (await ask(posthorn, "GET /segments")).body;
  expect(segments.map(({ id, condition }: Json) => [id, condition])).toEqual([
    [older, whole],
    [segmentId, whole],
  ]);
  const [built, filtered] = (await ask(posthorn, "GET /campaigns")).body.data;
  expect([built.segment.condition, filtered.audienceCondition]).toEqual([whole, whole]);
  const barest = {
    logic: null,
    groups: [{ conditions: { groups: [{ filters: [{ field: "plan", operator: null, value: "pro" }] }] } }],
  };
  await posthorn.store.write((tx) => tx.run`update segments set condition = ${JSON.stringify(barest)}`);
  expect((await ask(posthorn, "GET /segments")).body.map((one: Json) => one.condition)).toEqual([whole, whole]);
  await ask(posthorn, `PATCH /segments/${older}`, { body: { condition: bare } });
  const row = await posthorn.store.read((reader) => reader.get`select state from segments where id = ${older}`);
  expect(row).toEqual({ state: "CURRENT" });
});
