// GET /contacts/fields.
import { expect, test } from "bun:test";
import type { Json } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const standard = [
  { field: "email", type: "string", coverage: 100 },
  { field: "subscribed", type: "boolean", coverage: 100 },
  { field: "status", type: "string", coverage: 100 },
  { field: "createdAt", type: "date", coverage: 100 },
  { field: "updatedAt", type: "date", coverage: 100 },
];
const request = "GET /contacts/fields";

test("the fields of the record come first, then those of data with the type of most values and how many have them", async () => {
  await using posthorn = await workspace();
  const people = [
    { plan: "pro", age: 7, born: "2019-01-31", seen: "2026-01-31T09:30:00.000Z", vip: true, "odd key": 1 },
    { plan: "free", age: 7.5, born: "2020-02-29", seen: "2026-01-31T09:30:00+01:00", vip: false, tags: ["a"] },
    { plan: 3, age: -1, born: "2021-12-05", address: { city: "Bonn" }, since: "2020-01-01" },
    { plan: "pro", since: "soon", __proto__: null },
  ];
  for (const [n, data] of people.entries()) {
    await ask(posthorn, "POST /contacts", { body: { email: `p${n}@example.com`, data } });
  }
  const { body } = await ask(posthorn, request);
  expect(body).toEqual({
    fields: [
      ...standard,
      { field: "data.plan", type: "string", coverage: 100 },
      { field: "data.age", type: "number", coverage: 75 },
      { field: "data.born", type: "date", coverage: 75 },
      { field: "data.seen", type: "date", coverage: 50 },
      { field: "data.since", type: "string", coverage: 50 },
      { field: "data.vip", type: "boolean", coverage: 50 },
      { field: "data.address", type: "object", coverage: 25 },
      { field: "data.odd key", type: "number", coverage: 25 },
      { field: "data.tags", type: "object", coverage: 25 },
    ],
    count: 14,
    notPlain: [{ key: "odd key", plain: "oddKey", coverage: 25 }],
  });
});

test("what no calendar and no clock has is a text", async () => {
  await using posthorn = await workspace();
  const data = {
    month: "2026-13-45",
    day: "2026-02-30",
    hour: "2026-01-31T25:00",
    leap: "2024-02-29",
    local: "2026-01-31T09:30",
  };
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data } });
  const { fields } = (await ask(posthorn, request)).body;
  const types = fields.slice(standard.length).map(({ field, type }: { field: string; type: string }) => [field, type]);
  expect(Object.fromEntries(types)).toEqual({
    "data.month": "string",
    "data.day": "string",
    "data.hour": "string",
    "data.leap": "date",
    "data.local": "date",
  });
});

test("a workspace without contacts has the fields of the record, and nothing of another's", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { plan: "pro" } } });
  const { secret: bearer } = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  expect((await ask(posthorn, request, { key: { bearer } })).body).toEqual({ fields: standard, count: 5 });
});

test("of many contacts some are looked at, from the first to the last (slow)", async () => {
  await using posthorn = await workspace();
  const chunk = (tens: number, key: string) =>
    posthorn.store.write(
      (tx) => tx.run`
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000)
        insert into contacts (id, workspace, email, subscribed, data, created_at, updated_at)
        select cast(${key} as text) || cast(i as text), 1, cast(${key} as text) || cast(i as text) || '@example.com', 0, ${tx.dialect.json(JSON.stringify({ [key]: tens }))}, ${tx.now}, ${tx.now}
        from n`,
    );
  for (const [n, key] of ["first", "second", "third", "last"].entries()) await chunk(n, key);
  await posthorn.store.write(
    (tx) => tx.run`insert into contact_counts (workspace, shard, total, subscribed) values (1, 0, 8000, 0)`,
  );
  const { fields } = (await ask(posthorn, request)).body;
  const found = Object.fromEntries(
    fields.slice(5).map((one: { field: string; coverage: number }) => [one.field, one.coverage]),
  );
  expect(Object.keys(found).sort()).toEqual(["data.first", "data.last", "data.second", "data.third"]);
  for (const coverage of Object.values(found)) expect(Math.abs((coverage as number) - 25)).toBeLessThanOrEqual(6);
});

test("a public key sees nothing", async () => {
  await using posthorn = await workspace();
  expect((await ask(posthorn, request, { key: "public" })).status).toBe(401);
});

test("keys that no filter can name are left out; each that is listed can be filtered by", async () => {
  await using posthorn = await workspace();
  const data = {
    "utm.source": "x",
    'a"b': 1,
    "a\\b": 1,
    "": 1,
    "tab\there": 1,
    "näme 💌": 1,
    "it's": 1,
    $: 1,
    "[0]": 1,
  };
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data } });
  const fields = (await ask(posthorn, request)).body.fields.slice(5).map(({ field }: Json) => field);
  expect(fields.sort()).toEqual(["data.$", "data.[0]", "data.it's", "data.näme 💌"]);
  for (const field of fields) {
    const condition = { groups: [{ filters: [{ field, operator: "equals", value: 1 }] }] };
    const segment = await ask(posthorn, "POST /segments", { body: { name: `Has ${field}`, condition } });
    expect([field, segment.status, segment.body.memberCount]).toEqual([field, 201, 1]);
  }
});

test("data of contacts and events comes back in the key order in which it was sent", async () => {
  await using posthorn = await workspace();
  const data = { zone: "b", a: 1, "much longer": { y: [{ d: 1, c: 2 }], x: null }, b: true };
  const { body: made } = await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data } });
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { name: "Ada", b: false } } });
  const event = { email: "ada@example.com", event: "seen", data };
  await ask(posthorn, "POST /v1/track", { body: event });
  await posthorn.settle();
  const kept = JSON.stringify({ ...data, name: "Ada" });
  expect(JSON.stringify((await ask(posthorn, `GET /contacts/${made.id}`)).body.data)).toBe(kept);
  expect(JSON.stringify((await ask(posthorn, "GET /contacts")).body.data[0].data)).toBe(kept);
  const { body: events } = await ask(posthorn, "GET /events?eventName=seen");
  expect(JSON.stringify(events.events[0].data)).toBe(JSON.stringify(data));
});
