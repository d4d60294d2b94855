// POST /contacts/lookup.
import { expect, test } from "bun:test";
import { ask, scenarios } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const request = "POST /contacts/lookup";
const made = ["ada@example.com", "bob@example.com"];
const addresses = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@example.com`);

test("tells who is known, as records, and who is not, as it was written", async () => {
  await using posthorn = await workspace();
  for (const email of made) await ask(posthorn, "POST /contacts", { body: { email, data: { of: email } } });
  const emails = [
    "Nobody@Example.com",
    "BOB@example.com",
    "no address",
    " ada@example.com ",
    "bob@example.com",
    "no address",
  ];
  const { status, body } = await ask(posthorn, request, { body: { emails } });
  expect([status, body.notFound]).toEqual([200, ["Nobody@Example.com", "no address"]]);
  expect(body.found.map(({ email }: { email: string }) => email)).toEqual(["bob@example.com", "ada@example.com"]);
  expect(body.found[0]).toEqual((await ask(posthorn, `GET /contacts/${body.found[0].id}`)).body);
});

test("takes five hundred addresses at once", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "POST /contacts", { body: { email: "p499@example.com" } });
  const { body } = await ask(posthorn, request, { body: { emails: addresses(500) } });
  expect([body.found.length, body.found[0].email, body.notFound]).toEqual([1, "p499@example.com", addresses(499)]);
});

test("knows nobody of another workspace", async () => {
  await using posthorn = await workspace();
  for (const email of made) await ask(posthorn, "POST /contacts", { body: { email } });
  const { secret: bearer } = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  const { body } = await ask(posthorn, request, { key: { bearer }, body: { emails: made } });
  expect(body).toEqual({ found: [], notFound: made });
});

scenarios("a look-up is", [
  { name: "answered for one", request, body: { emails: ["x"] }, status: 200, answer: { found: [], notFound: ["x"] } },
  { name: "refused for none", request, body: { emails: [] }, status: 422, fields: { emails: "too_small" } },
  { name: "refused for 501", request, body: { emails: addresses(501) }, status: 422, fields: { emails: "too_big" } },
  { name: "refused without a list", request, body: {}, status: 422, fields: { emails: "required" } },
  {
    name: "refused for numbers",
    request,
    body: { emails: [1, "a"] },
    status: 422,
    fields: { "emails.0": "invalid_type" },
  },
  { name: "refused to a public key", request, body: { emails: ["x"] }, key: "public", status: 401 },
]);
