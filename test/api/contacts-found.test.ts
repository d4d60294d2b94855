// Finding contacts by what people know of them: names, external ids, parts of addresses.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, refusedFields } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const PEOPLE = [
  { email: "jm@example.com", data: { firstName: "Jürgen", lastName: "Müller-Lüdenscheidt", customerId: "K-90948" } },
  { email: "ada@example.com", data: { first_name: "Ada", last_name: "Lovelace", customerId: 4711, note: "Müller" } },
  { email: "grace.hopper@example.org", data: { name: "Grace Brewster Hopper" } },
  { email: "wei@example.net", data: { FNAME: '伟 "Wei" 100%', LNAME: "王" } },
];

let posthorn: Posthorn;

beforeAll(async () => {
  posthorn = await workspace();
  for (const person of PEOPLE) await ask(posthorn, "POST /contacts", { body: person });
});
afterAll(() => posthorn[Symbol.asyncDispose]());

async function listed(search: string): Promise<string[]> {
  const { body } = await ask(posthorn, `GET /contacts?sort=email&search=${encodeURIComponent(search)}`);
  return body.data.map(({ email }: Json) => email);
}

async function offered(q: string): Promise<Json[]> {
  return (await ask(posthorn, `GET /search?q=${encodeURIComponent(q)}`)).body.contacts;
}

test.each([
  ["müller", ["jm@example.com"]],
  ["MULLER jurgen", ["jm@example.com"]],
  ["denscheidt", ["jm@example.com"]],
  ["lovelace", ["ada@example.com"]],
  ["love ada@", ["ada@example.com"]],
  ["brewster example.org", ["grace.hopper@example.org"]],
  ["example", ["ada@example.com", "grace.hopper@example.org", "jm@example.com", "wei@example.net"]],
  ['"wei"', ["wei@example.net"]],
  ["100%", ["wei@example.net"]],
  ["王", ["wei@example.net"]],
  ["a%a", []],
  ["ada grace", []],
])("a search for %s finds %p", async (search, emails) => {
  expect(await listed(search)).toEqual(emails);
});

test("the search for anything shows the names of whom it finds", async () => {
  expect(await offered("brewster")).toMatchObject([
    { email: "grace.hopper@example.org", name: "Grace Brewster Hopper" },
  ]);
  expect(await offered("love")).toMatchObject([{ email: "ada@example.com", name: "Ada Lovelace" }]);
  expect(await offered("100%")).toMatchObject([{ email: "wei@example.net", name: `伟 "Wei" 100% 王` }]);
});

test("a name that changes is found as it is now, and that of an erased person no more", async () => {
  const { id } = (
    await ask(posthorn, "POST /contacts", { body: { email: "eve@example.com", data: { name: "Eve Old" } } })
  ).body;
  await ask(posthorn, `PATCH /contacts/${id}`, { body: { data: { name: "Eve Newman" }, email: "eva@example.com" } });
  expect([await listed("eve old"), await listed("newman"), await listed("eva@")]).toEqual([
    [],
    ["eva@example.com"],
    ["eva@example.com"],
  ]);
  await ask(posthorn, `DELETE /contacts/${id}`);
  expect([await listed("newman"), await offered("newman")]).toEqual([[], []]);
});

test("bulk changes and exports cover whom the same search finds", async () => {
  const { body } = await ask(posthorn, "POST /contacts/bulk-unsubscribe", {
    body: { filter: { search: "hopper grace" } },
  });
  await posthorn.settle();
  const job = (await ask(posthorn, `GET /contacts/bulk/${body.jobId}`)).body;
  expect(job).toMatchObject({ status: "COMPLETED", result: { totalRequested: 1, successCount: 1 } });
});

test("fields that a workspace chooses are searched too, of contacts that are there and of later ones (slow)", async () => {
  await using other = await workspace();
  const found = async (search: string) =>
    (await ask(other, `GET /contacts?sort=email&search=${search}`)).body.data.map(({ email }: Json) => email);
  for (const person of PEOPLE) await ask(other, "POST /contacts", { body: person });
  expect(await found("k-90948")).toEqual([]);
  const chosen = ["data.customerId"];
  expect((await ask(other, "PATCH /workspace", { body: { searchFields: chosen } })).body.searchFields).toEqual(chosen);
  await ask(other, "POST /contacts", { body: { email: "new@example.com", data: { customerId: "K-90950" } } });
  await other.settle();
  expect([await found("k-909"), await found("4711")]).toEqual([
    ["jm@example.com", "new@example.com"],
    ["ada@example.com"],
  ]);
  await ask(other, "PATCH /workspace", { body: { searchFields: [] } });
  await other.settle();
  expect([await found("4711"), await found("muller")]).toEqual([[], ["jm@example.com"]]);
});

test.each([
  [["email"], { "searchFields.0": "invalid" }],
  [["data.a.b"], { "searchFields.0": "invalid" }],
  [["data.a", "data.b", "data.c", "data.d", "data.e", "data.f"], { searchFields: "too_big" }],
])("the fields %p are refused", async (searchFields, fields) => {
  const reply = await ask(posthorn, "PATCH /workspace", { body: { searchFields } });
  expect([reply.status, refusedFields(reply)]).toEqual([422, fields]);
});

test("another workspace finds nobody", async () => {
  const { secret } = await addWorkspace(posthorn, { name: "another", domain: "another.example" });
  const { body } = await ask(posthorn, "GET /contacts?search=lovelace", { key: { bearer: secret } });
  expect(body).toMatchObject({ data: [], total: 0 });
});
