// POST /contacts/import: a column that becomes a field which holds lists, and what an import would replace.
import { describe, expect, test } from "bun:test";
import { checked, imported, upload } from "../support/files.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

async function dataAt(posthorn: Posthorn, name: string): Promise<Json> {
  return (await ask(posthorn, `GET /contacts/by-email/${name}@a.example`)).body.data;
}

async function have(posthorn: Posthorn, data: Readonly<Record<string, Json>>): Promise<void> {
  for (const [name, one] of Object.entries(data))
    await ask(posthorn, "POST /contacts", { body: { email: `${name}@a.example`, data: one } });
}

/** The columns of a file: of addresses, then these. */
const columns = (...others: Json[]) => ({ columns: JSON.stringify(["email", ...others]) });

const NOTHING = { count: 0, samples: [] };
const FILE = 'email,Labels\nada@a.example,"new, vip"\nbob@a.example,new\neve@a.example,\nzoe@a.example,new; fair\n';

describe("a column that becomes a field of lists", () => {
  const people = { ada: { tags: ["vip"] }, bob: { tags: ["old"] }, eve: { tags: ["kept"] } };

  test("is read as lists, and adds to them, as the check says, also twice (slow)", async () => {
    await using posthorn = await workspace();
    await have(posthorn, people);
    const fields = columns("data.tags");
    const check = await checked(posthorn, FILE, { fields });
    expect(check).toMatchObject({ created: 1, updated: 2, unchanged: 1 });
    expect(check.warnings).toBeUndefined();
    expect(check.columns[1]).toMatchObject({ format: "list", values: ['["new","vip"]', '["new"]', '["new","fair"]'] });
    expect(check.columns[1].replaced).toEqual(NOTHING);
    const { id } = await imported(posthorn, FILE, { fields });
    const tags = () =>
      Promise.all(["ada", "bob", "eve", "zoe"].map(async (name) => (await dataAt(posthorn, name)).tags));
    expect(await tags()).toEqual([["vip", "new"], ["old", "new"], ["kept"], ["new", "fair"]]);
    expect(await checked(posthorn, FILE, { fields })).toMatchObject({ updated: 0, unchanged: 4 });
    await ask(posthorn, `POST /contacts/import/${id}/undo`);
    await posthorn.settle();
    expect((await dataAt(posthorn, "ada")).tags).toEqual(["vip"]);
  });

  test("replaces them if somebody says so, which the check counts and shows", async () => {
    await using posthorn = await workspace();
    await have(posthorn, people);
    const fields = columns({ field: "data.tags", replace: true });
    const { replaced } = (await checked(posthorn, FILE, { fields })).columns[1];
    expect(replaced).toEqual({
      count: 1,
      samples: [{ row: 3, email: "bob@a.example", before: '["old"]', after: '["new"]' }],
    });
    await imported(posthorn, FILE, { fields });
    expect(await dataAt(posthorn, "bob")).toEqual({ tags: ["new"] });
  });

  test("replaces them if it is to be read as text, which the check counts", async () => {
    await using posthorn = await workspace();
    await have(posthorn, people);
    const fields = columns({ field: "data.tags", type: "text" });
    const { columns: told, warnings } = await checked(posthorn, FILE, { fields });
    expect(told[1].replaced).toMatchObject({ count: 2, samples: [{ before: '["vip"]', after: "new, vip" }, {}] });
    expect(warnings.map(({ field }: Json) => field)).toEqual(["data.tags"]);
  });

  test("adds lists in JSON, and to a text that a few have in place of a list", async () => {
    await using posthorn = await workspace();
    await have(posthorn, { ...people, dan: { tags: "old" } });
    await imported(
      posthorn,
      'email,tags\nada@a.example,"[""new""]"\ndan@a.example,"[""old""]"\nbob@a.example,"[""new""]"\n',
    );
    expect((await dataAt(posthorn, "ada")).tags).toEqual(["vip", "new"]);
    expect((await dataAt(posthorn, "dan")).tags).toBe("old");
    await imported(posthorn, "email,tags\ndan@a.example,new\n");
    expect((await dataAt(posthorn, "dan")).tags).toEqual(["old", "new"]);
  });

  test("keeps the lists of people where most have a text", async () => {
    await using posthorn = await workspace();
    await have(posthorn, { ada: { tags: ["vip"] }, bob: { tags: "old" }, dan: { tags: "old" } });
    await imported(posthorn, "email,tags\nada@a.example,new\nbob@a.example,new\n");
    expect((await dataAt(posthorn, "ada")).tags).toEqual(["vip", "new"]);
    expect((await dataAt(posthorn, "bob")).tags).toBe("new");
  });

  test("leaves full lists alone with onlyEmpty, and is added to by a tag", async () => {
    await using posthorn = await workspace();
    await have(posthorn, { ada: { tags: ["vip"] }, bob: { tags: [] } });
    await imported(posthorn, FILE, { fields: { ...columns("data.tags"), onlyEmpty: "true", tag: "fair" } });
    expect((await dataAt(posthorn, "ada")).tags).toEqual(["vip", "fair"]);
    expect((await dataAt(posthorn, "bob")).tags).toEqual(["new", "fair"]);
  });
});

test("1 and 0 stay yes and no where contacts have yes and no", async () => {
  await using posthorn = await workspace();
  await have(posthorn, { ada: { member: true }, bob: { member: false } });
  const check = await checked(posthorn, "email,member\nada@a.example,0\nbob@a.example,x\n");
  expect([check.columns[1].format, check.columns[1].values, check.warnings]).toEqual([
    "boolean",
    [false, true],
    undefined,
  ]);
});

test("a check says of each column what it would replace, three of it before and after", async () => {
  await using posthorn = await workspace();
  const names = ["ada", "bob", "cyd", "dan"];
  await have(posthorn, Object.fromEntries(names.map((name, at) => [name, { plan: "free", seats: at, city: "" }])));
  const rows = names.map((name) => `${name}@a.example,pro,1,Rome\n`).join("");
  const [, plan, seats, city] = (await checked(posthorn, `email,plan,seats,city\n${rows}`)).columns;
  expect(plan.replaced.count).toBe(4);
  expect(plan.replaced.samples.map(({ email }: Json) => email)).toEqual([
    "ada@a.example",
    "bob@a.example",
    "cyd@a.example",
  ]);
  expect(plan.replaced.samples[0]).toMatchObject({ row: 2, before: "free", after: "pro" });
  expect(seats.replaced).toMatchObject({ count: 3, samples: [{ before: 0, after: 1 }, {}, {}] });
  expect(city.replaced).toEqual(NOTHING);
  const kept = await checked(posthorn, `email,plan,seats,city\n${rows}`, { fields: { onlyEmpty: "true" } });
  expect(kept.columns.map(({ replaced }: Json) => replaced.count)).toEqual([0, 0, 0, 0]);
});

test("whether a column replaces lists is yes or no", async () => {
  await using posthorn = await workspace();
  const { status, body } = await upload(posthorn, FILE, { fields: columns({ field: "data.tags", replace: "yes" }) });
  expect([status, body.error.errors[0].field]).toEqual([422, "columns"]);
});
