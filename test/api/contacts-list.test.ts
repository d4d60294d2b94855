// GET /contacts: pages by cursor, in each order, filtered and searched.
import { expect, test } from "bun:test";
import { cursorOf } from "../../src/store/page.ts";
import { exportedFrom } from "../support/files.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, scenarios, type Given } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const NAMES = ["dora", "ada", "eve", "bob", "cleo", "finn", "gus"];
const people: Given = NAMES.map((name, index) => [
  "POST /contacts",
  { email: `${name}@${index % 2 ? "b" : "a"}.example`, subscribed: index % 3 > 0 },
]);
const named = (list: Json[]) => list.map(({ email }) => email.split("@")[0]);
const byName = [...NAMES].sort();
const subscribed = NAMES.filter((_, index) => index % 3 > 0);
const others = NAMES.filter((_, index) => index % 3 === 0);

async function crowd(): Promise<Posthorn> {
  const posthorn = await workspace();
  for (const [route, body] of people) await ask(posthorn, route, { body });
  return posthorn;
}

/** All pages of `query`, each as the names on it. */
async function pages(posthorn: Posthorn, query: string): Promise<string[][]> {
  const seen: string[][] = [];
  for (let cursor: string | null = null; ;) {
    const path = `GET /contacts?${query}${cursor === null ? "" : `&cursor=${cursor}`}`;
    const { body } = await ask(posthorn, path);
    seen.push(named(body.data));
    expect([body.hasMore, "total" in body]).toEqual([body.cursor !== null, cursor === null]);
    cursor = body.cursor;
    if (cursor === null) return seen;
  }
}

test("a page shows contacts as they are shown by their ids, newest first, and says how many there are", async () => {
  await using posthorn = await crowd();
  const { status, body } = await ask(posthorn, "GET /contacts");
  expect([status, named(body.data), body.cursor, body.hasMore, body.total]).toEqual([
    200,
    NAMES.toReversed(),
    null,
    false,
    7,
  ]);
  expect(body.data[0]).toEqual((await ask(posthorn, `GET /contacts/${body.data[0].id}`)).body);
});

/** Whatever a contact may hold that JSON writes in a way of its own. */
const HOSTILE: readonly Json[] = [
  {},
  { "": "", 'quo"te': 'back\\slash " and\nline\tend', comma: ",\n{" },
  { ["__proto__"]: { constructor: null }, 10: "ten", 9: "nine" },
  { numbers: [0, -1, 0.1, 1e21, 1e-7, 9007199254740991], flags: [true, false, null], deep: { a: [{ b: {} }] } },
  { text: "ü 😀 \u2028 \u0001 %s %d %% $1 ?" },
];

test("records on a page are the same as by their ids, whatever they hold", async () => {
  await using posthorn = await workspace();
  const emails = [
    "ü@example.com",
    "o'neil+a_b@example.com",
    "a%s@example.com",
    "üser@größe.example",
    "plain@example.com",
  ];
  for (const [index, data] of HOSTILE.entries())
    await ask(posthorn, "POST /contacts", { body: { email: emails[index], subscribed: index % 2 === 0, data } });
  await ask(posthorn, "POST /contacts", { body: { email: "asked@example.com", subscribed: true, doubleOptIn: true } });
  const { data } = (await ask(posthorn, "GET /contacts?dir=asc")).body;
  expect(data).toHaveLength(HOSTILE.length + 1);
  for (const record of data) expect(record).toEqual((await ask(posthorn, `GET /contacts/${record.id}`)).body);
  expect(data.at(-1)).toMatchObject({ status: "PENDING", expiresAt: expect.any(String) });
});

test("a page has a length, however large it is and however many ask at once", async () => {
  await using posthorn = await workspace();
  const data = { note: "x".repeat(60_000) };
  for (let n = 0; n < 20; n++) await ask(posthorn, "POST /contacts", { body: { email: `p${n}@a.example`, data } });
  const headers = { authorization: `Bearer ${posthorn.keys.secret}` };
  const pageOf = async (limit: number) => {
    const reply = await fetch(`${posthorn.server.url}/contacts?limit=${limit}`, { headers });
    const text = await reply.text();
    expect(reply.headers.get("content-length")).toBe(String(text.length));
    return JSON.parse(text).data.length as number;
  };
  expect(await Promise.all([20, 20, 1].map(pageOf))).toEqual([20, 20, 1]);
});

const orders: readonly [query: string, names: readonly string[]][] = [
  ["", NAMES.toReversed()],
  ["dir=desc", NAMES.toReversed()],
  ["dir=asc", NAMES],
  ["sort=createdAt&dir=asc", NAMES],
  ["sort=email", byName],
  ["sort=email&dir=asc", byName],
  ["sort=email&dir=desc", byName.toReversed()],
  ["subscribed=true", subscribed.toReversed()],
  ["subscribed=false&dir=asc", others],
  ["subscribed=true&sort=email", [...subscribed].sort()],
  ["subscribed=false&sort=email&dir=desc", [...others].sort().toReversed()],
  ["search=@a.", NAMES.filter((_, index) => index % 2 === 0).toReversed()],
  ["search=%20@A.EXAMPLE%20", NAMES.filter((_, index) => index % 2 === 0).toReversed()],
  ["search=o&sort=email", ["bob", "cleo", "dora"]],
  ["search=o&sort=email&dir=desc&subscribed=false", ["dora", "bob"]],
  ["search=example&subscribed=true&dir=asc", subscribed],
  ["search=", NAMES.toReversed()],
  ["search=%25", []],
  ["search=nobody", []],
];

test.each([1, 2, 3, 100])("in pages of %d every list comes in its order, each contact once", async (limit) => {
  await using posthorn = await crowd();
  for (const [query, names] of orders) {
    const seen = await pages(posthorn, `limit=${limit}&${query}`);
    expect([query, seen.flat()]).toEqual([query, [...names]]);
    expect(seen.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    expect(seen.length).toBe(Math.max(1, Math.ceil(names.length / limit)));
    const first = (await ask(posthorn, `GET /contacts?limit=${limit}&${query}`)).body;
    expect([query, first.total]).toEqual([query, names.length]);
  }
});

test("contacts that stand still come once each, whatever happens to those beside them", async () => {
  await using posthorn = await crowd();
  for (const order of ["sort=createdAt", "sort=createdAt&dir=asc", "sort=email", "sort=email&dir=desc"]) {
    const first = (await ask(posthorn, `GET /contacts?limit=3&${order}`)).body;
    await ask(posthorn, "POST /contacts", { body: { email: `0${crypto.randomUUID()}@a.example` } });
    await ask(posthorn, "POST /contacts", { body: { email: `z${crypto.randomUUID()}@a.example` } });
    await ask(posthorn, "POST /contacts", {
      body: { email: first.data[2].email, subscribed: !first.data[2].subscribed },
    });
    const rest = (await ask(posthorn, `GET /contacts?limit=100&${order}&cursor=${first.cursor}`)).body;
    const seen = [...named(first.data), ...named(rest.data)];
    expect(seen.filter((name) => NAMES.includes(name)).sort()).toEqual(byName);
  }
});

test("a page may be asked for again with the same cursor", async () => {
  await using posthorn = await crowd();
  const { cursor } = (await ask(posthorn, "GET /contacts?limit=2")).body;
  const once = await ask(posthorn, `GET /contacts?limit=2&cursor=${cursor}`);
  expect((await ask(posthorn, `GET /contacts?limit=2&cursor=${cursor}`)).body).toEqual(once.body);
});

test("twenty is the size of a page unless another is asked for, and a hundred the largest", async () => {
  await using posthorn = await workspace();
  await Promise.all(
    Array.from({ length: 101 }, (_, n) => ask(posthorn, "POST /contacts", { body: { email: `p${n}@a.example` } })),
  );
  expect((await ask(posthorn, "GET /contacts")).body).toMatchObject({
    data: { length: 20 },
    hasMore: true,
    total: 101,
  });
  const { body } = await ask(posthorn, "GET /contacts?limit=100");
  expect(body.data).toHaveLength(100);
  const rest = (await ask(posthorn, `GET /contacts?limit=100&cursor=${body.cursor}`)).body;
  expect([rest.data.length, rest.cursor]).toEqual([1, null]);
});

test("a domain beyond ASCII is found as it is written, by searches, exports, bulk jobs and segments", async () => {
  await using posthorn = await workspace();
  for (const email of ["b@münchen.example", "b@example.com"])
    await ask(posthorn, "POST /contacts", { body: { email } });
  const [search, stored] = ["B@München.example", "b@xn--mnchen-3ya.example"];
  const found = (await ask(posthorn, `GET /contacts?search=${encodeURIComponent(search)}`)).body;
  expect([found.total, found.data.map(({ email }: Json) => email)]).toEqual([1, [stored]]);
  expect(await exportedFrom(posthorn, `?search=${encodeURIComponent(search)}`)).toBe(
    `email,subscribed\r\n${stored},true\r\n`,
  );
  const field = { field: "email", operator: "contains", value: "@münchen.example" };
  const condition = { groups: [{ filters: [field] }] };
  const segment = await ask(posthorn, "POST /segments", { body: { name: "Munich", condition } });
  expect(segment.body.memberCount).toBe(1);
  await ask(posthorn, "POST /contacts/bulk-unsubscribe", { body: { filter: { search } } });
  await posthorn.settle();
  const { data } = (await ask(posthorn, "GET /contacts?subscribed=false")).body;
  expect(data.map(({ email }: Json) => email)).toEqual([stored]);
});

test("of its own workspace only", async () => {
  await using posthorn = await crowd();
  const { secret: bearer } = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  for (const query of ["", "?search=a", "?sort=email", "?subscribed=true"]) {
    const { body } = await ask(posthorn, `GET /contacts${query}`, { key: { bearer } });
    expect(body).toEqual({ data: [], cursor: null, hasMore: false, total: 0 });
  }
  const { cursor } = (await ask(posthorn, "GET /contacts?limit=1")).body;
  expect((await ask(posthorn, `GET /contacts?cursor=${cursor}`, { key: { bearer } })).body.data).toEqual([]);
});

const list = "GET /contacts";
const refusedQueries: readonly [query: string, field: string, code: string][] = [
  ["limit=0", "limit", "too_small"],
  ["limit=101", "limit", "too_big"],
  ["limit=1.5", "limit", "invalid_type"],
  ["limit=ten", "limit", "invalid_type"],
  ["limit=1&limit=2", "limit", "invalid_type"],
  ["subscribed=yes", "subscribed", "invalid_type"],
  ["sort=id", "sort", "invalid"],
  ["dir=up", "dir", "invalid"],
  [`search=${"x".repeat(321)}`, "search", "too_big"],
  ["cursor=", "cursor", "invalid"],
  ["cursor=x", "cursor", "invalid"],
  ["cursor=%F0%9F%92%8C", "cursor", "invalid"],
  [`cursor=${"x".repeat(1001)}`, "cursor", "too_big"],
  [`cursor=${Buffer.from("page:2").toString("base64url")}`, "cursor", "invalid"],
  [`cursor=${cursorOf("contacts.createdAt.asc", 3)}`, "cursor", "invalid"],
  [`cursor=${cursorOf("contacts.createdAt.desc", 3)}&dir=asc`, "cursor", "invalid"],
  [`cursor=${cursorOf("contacts.createdAt.desc", 3)}&sort=email&dir=desc`, "cursor", "invalid"],
  [`cursor=${cursorOf("contacts.createdAt.desc", -3)}`, "cursor", "invalid"],
  [`cursor=${cursorOf("contacts.createdAt.desc", 2.5)}`, "cursor", "invalid"],
  [`cursor=${cursorOf("contacts.createdAt.desc", 1e300)}`, "cursor", "invalid"],
  [`cursor=${cursorOf("contacts.createdAt.desc", "a@b.c")}`, "cursor", "invalid"],
  [`cursor=${cursorOf("contacts.email.asc", 3)}&sort=email`, "cursor", "invalid"],
  [`cursor=${cursorOf("contacts.email.asc", "a\0b")}&sort=email`, "cursor", "invalid"],
  [`cursor=${cursorOf("contacts.email.asc", "a\ud800b")}&sort=email`, "cursor", "invalid"],
  [`cursor=${cursorOf("events", 3)}`, "cursor", "invalid"],
];

scenarios(
  "a query is refused",
  refusedQueries.map(([query, field, code]) => ({
    name: query.slice(0, 100),
    request: `${list}?${query}`,
    status: 400,
    code: "INVALID_PARAMETERS",
    fields: { [field]: code },
  })),
);

scenarios("a query is refused", [
  {
    name: "with all its faults at once",
    request: `${list}?limit=0&subscribed=maybe&sort=x`,
    status: 400,
    fields: { limit: "too_small", subscribed: "invalid_type", sort: "invalid" },
  },
  { name: "to a public key", request: list, key: "public", status: 401, code: "INVALID_API_KEY" },
]);
