// POST /contacts/import/check: a dry run says what the import then does.
import { expect, test } from "bun:test";
import { FORM, formWith, imported } from "../support/files.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, everything } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { workspace } from "../support/workspace.ts";

/** For rows that change nothing. */
const shared = sharedPosthorn();

async function checked(posthorn: Posthorn, csv: string | Uint8Array, query = ""): Promise<Json> {
  const before = await everything(posthorn);
  const route = `POST /contacts/import/check${query}`;
  const { status, body } = await ask(posthorn, route, { headers: FORM, body: formWith(csv) });
  expect([status, await everything(posthorn)]).toEqual([200, before]);
  return body;
}

const FILE = [
  "E-Mail;email;subscribed;plan;seats;since;data.id card;",
  "x;ada@example.com;ja;pro;3;2026-03-01;7;left out",
  "x;bob@example.com;nein;free;4;2026-03-02;;",
  "x;new@example.com;;pro;5;2026-03-03;;",
  "x;no address;;pro;;;;",
  "x;new@example.com;;free;;;;",
  "x;eve@example.com;perhaps;;;;;",
  "x;same@example.com;;pro;;;;",
].join("\n");

async function crowd(): Promise<Posthorn> {
  const posthorn = await workspace();
  const people = [
    { email: "ada@example.com", subscribed: false },
    {
      email: "bob@example.com",
      data: { plan: "free", seats: 4, since: "2026-03-02", "E-Mail": "x" },
      subscribed: false,
    },
    { email: "same@example.com", data: { plan: "pro", "E-Mail": "x" } },
  ];
  for (const body of people) await ask(posthorn, "POST /contacts", { body });
  return posthorn;
}

test("a dry run stores nothing, and its sum is the file", async () => {
  await using posthorn = await crowd();
  const { columns, errors, ...counts } = await checked(posthorn, FILE, "?resubscribe=true");
  expect(counts).toEqual({
    ...{ isComplete: true, rows: 7, created: 1, updated: 1, unchanged: 2, repeated: 1, failed: 2, resubscribed: 1 },
    ...{ undecided: 1, statuses: { subscribed: 3, unsubscribed: 1, pending: 0, suppressed: 0 } },
    ...{ skippedCellCount: 0, skippedCells: [] },
    encoding: "utf-8",
  });
  expect(errors).toEqual([
    { row: 5, email: "no address", error: expect.stringContaining("address") },
    { row: 7, email: "eve@example.com", error: "subscribed is neither true nor false." },
  ]);
  expect(columns.map(({ field, type, filled }: Json) => [field, type, filled])).toEqual([
    ["data.E-Mail", "string", 7],
    ["email", "string", 7],
    ["subscribed", "boolean", 3],
    ["data.plan", "string", 6],
    ["data.seats", "number", 3],
    ["data.since", "date", 3],
    ["data.id card", "number", 1],
    [null, "string", 1],
  ]);
  expect(columns[3]).toMatchObject({ name: "plan", examples: ["pro", "free"] });
});

test("the import then does what the dry run said", async () => {
  await using posthorn = await crowd();
  const check = await checked(posthorn, FILE, "?resubscribe=true");
  const { result } = await imported(posthorn, FILE, { query: "?resubscribe=true" });
  expect([result.totalRows, result.createdCount, result.failureCount]).toEqual([
    check.rows,
    check.created,
    check.failed,
  ]);
  expect(result.updatedCount).toBe(check.updated + check.unchanged + check.repeated);
  expect(result.errors).toEqual(check.errors);
  expect(await checked(posthorn, FILE)).toMatchObject({ created: 0, resubscribed: 0 });
});

test("people who have unsubscribed stay so unless the import shall subscribe them again", async () => {
  await using posthorn = await crowd();
  const file = "email,subscribed\nada@example.com,true\nnew@example.com,true\nsame@example.com,false\n";
  expect(await checked(posthorn, file)).toMatchObject({
    ...{ created: 1, updated: 1, unchanged: 1, resubscribed: 0 },
  });
  const { status, body } = await ask(posthorn, "POST /contacts/import", {
    headers: FORM,
    body: formWith(file),
  });
  expect(status).toBe(202);
  await posthorn.settle();
  expect((await ask(posthorn, `GET /contacts/import/${body.jobId}`)).body.result.failureCount).toBe(0);
  const flag = async (name: string) =>
    (await ask(posthorn, `GET /contacts/by-email/${name}@example.com`)).body.subscribed;
  expect([await flag("ada"), await flag("new"), await flag("same")]).toEqual([false, true, false]);
});

test("a file of more rows than a dry run takes is checked so far, and read to its end", async () => {
  await using posthorn = await workspace();
  const rows = Array.from({ length: 200_005 }, (_, n) => `p${n}@a.example`).join("\n");
  const check = await checked(posthorn, `email\n${rows}\n`);
  expect([check.isComplete, check.rows, check.created]).toEqual([false, 200_000, 200_000]);
});

test.each([
  ["without addresses", "name\nAda\n", "missing_column"],
  ["that is empty", "", "empty"],
  ["in no encoding", new Uint8Array([...Buffer.from("email,ä\n"), 0xfc]), "invalid_encoding"],
  ["with a quote that is open in its header", 'email,"a', "invalid_csv"],
])("a file %s is refused as by the import", async (_, csv, code) => {
  const posthorn = shared();
  const question = { headers: FORM, body: formWith(csv) };
  for (const route of ["POST /contacts/import/check", "POST /contacts/import"]) {
    const { status, body } = await ask(posthorn, route, question);
    expect([route, status, body.error.errors[0].code]).toEqual([route, 422, code]);
  }
});
