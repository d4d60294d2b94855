// POST /contacts/import: columns are typed as a whole, and read as spreadsheets write them. The dry run says the same.
import { describe, expect, test } from "bun:test";
import { checked, exportedFrom, imported } from "../support/files.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { workspace } from "../support/workspace.ts";

async function dataAt(posthorn: Posthorn, email: string): Promise<Json> {
  return (await ask(posthorn, `GET /contacts/by-email/${email}`)).body.data;
}

/** The rows of a table share it: each has people and a key of its own, or imports nothing. */
const shared = sharedPosthorn();
let files = 0;

/** The values of a column, one person each. */
async function valuesOf(cells: readonly string[]): Promise<unknown[]> {
  const file = ++files;
  const [key, at] = [`key${file}`, (row: number) => `p${row}@f${file}.example`];
  await imported(shared(), `email,${key}\n${cells.map((cell, row) => `${at(row)},${cell}\n`).join("")}`);
  return Promise.all(cells.map(async (_, row) => (await dataAt(shared(), at(row)))[key]));
}

describe("a column of", () => {
  test.each<[string, string[], unknown[]]>([
    ["canonical numbers", ["7", "-1.5", "0"], [7, -1.5, 0]],
    ["numbers and nothing", ["7", "", "8"], [7, undefined, 8]],
    ["a postcode with a nought", ["01067", "80331"], ["01067", "80331"]],
    ["numbers and a code", ["A12", "12"], ["A12", "12"]],
    ["an exponent", ["1e3", "1"], ["1e3", "1"]],
    ["more digits than a number has", ["9007199254740993", "1"], ["9007199254740993", "1"]],
    ["TRUE and FALSE", ["TRUE", "False", "true"], [true, false, true]],
    ["WAHR and FALSCH", ["WAHR", "FALSCH"], [true, false]],
    ["oui and non", ["Oui", "NON"], [true, false]],
    ["sí and no", ["SÍ", "no"], [true, false]],
    ["tak and nie", ["tak", "NIE"], [true, false]],
    ["да and нет", ["ДА", "НЕТ"], [true, false]],
    ["Norway", ["NO", "NO"], ["NO", "NO"]],
    ["yes, no and a text", ["yes", "no", "later"], ["yes", "no", "later"]],
    ["true and 1", ["true", "1"], ["true", "1"]],
    ["lists", ['"[1,2]"', "[]"], [[1, 2], []]],
    ["a list and a text", ["[1]", "one"], ["[1]", "one"]],
  ])("%s", async (_, cells, values) => {
    expect(await valuesOf(cells)).toEqual(values);
  });
});

test("a column of tags is a list where it is chosen, as other products and our own export write it", async () => {
  const cells = { a: '"""vip"",""new, 2026"""', b: '"vip, new,vip"', c: '"[""old""]"', d: "Ann's", e: "" };
  const rows = Object.entries(cells).map(([name, cell]) => `${name}@tags.example,${cell}\n`);
  const columns = JSON.stringify(["email", { field: "data.tags", type: "list" }]);
  const file = `email,TAGS\n${rows.join("")}`;
  const facts = (await checked(shared(), file, { fields: { columns } })).columns[1];
  expect([facts.type, facts.format, facts.filled]).toEqual(["object", "list", 4]);
  await imported(shared(), file, { fields: { columns, tag: "fair" } });
  const tags = Object.keys(cells).map(async (name) => (await dataAt(shared(), `${name}@tags.example`)).tags);
  expect(await Promise.all(tags)).toEqual([
    ["vip", "new, 2026", "fair"],
    ["vip", "new", "fair"],
    ["old", "fair"],
    ["Ann's", "fair"],
    ["fair"],
  ]);
});

test("the last row of a long file types the first one, in the dry run too", async () => {
  await using posthorn = await workspace();
  const rows = Array.from({ length: 9_000 }, (_, row) => `p${row}@a.example,${row}\n`).join("");
  const file = `email,zip\n${rows}z@a.example,D-80331\n`;
  expect((await checked(posthorn, file)).columns[1]).toMatchObject({ field: "data.zip", type: "string" });
  await imported(posthorn, file);
  expect(await dataAt(posthorn, "p7@a.example")).toEqual({ zip: "7" });
  expect(await checked(posthorn, file)).toMatchObject({ created: 0, updated: 0, unchanged: 9_001 });
});

test("a key that is text stays text, and a key that would get another type is named", async () => {
  await using posthorn = await workspace();
  const data = { zip: "01067", seats: 4, optin: true };
  await ask(posthorn, "POST /contacts", { body: { email: "ada@a.example", data } });
  const file = "email,zip,seats,optin\nada@a.example,80331,4,TRUE\nbob@a.example,80333,four,maybe\n";
  const { warnings, columns } = await checked(posthorn, file);
  expect(columns.map(({ type }: Json) => type)).toEqual(["string", "string", "string", "string"]);
  expect(warnings.map(({ field }: Json) => field)).toEqual(["data.seats", "data.optin"]);
  expect(warnings[0].message).toContain("Contacts have numbers in seats; this file makes it text.");
  const { result } = await imported(posthorn, file);
  expect(result.warnings).toEqual(warnings);
  expect(await dataAt(posthorn, "ada@a.example")).toEqual({ zip: "80331", seats: "4", optin: "TRUE" });
});

test("the flag is read in the words of a spreadsheet, a cell at a time", async () => {
  await using posthorn = await workspace();
  const words = { a: "WAHR", b: "FALSCH", c: "VRAI", d: "faux", e: "Sí", f: "NIE", g: "ДА", h: "いいえ" };
  const rows = Object.entries(words).map(([name, word]) => `${name}@a.example;${word}\r\n`);
  const { result } = await imported(posthorn, `email;subscribed\r\n${rows.join("")}`);
  expect(result).toMatchObject({ createdCount: 8, failureCount: 0 });
  const { body } = await ask(posthorn, "GET /contacts?sort=email&dir=asc");
  expect(body.data.map(({ subscribed }: Json) => subscribed)).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
    true,
    false,
  ]);
});

describe("a file in", () => {
  const text = "email;näme\r\na@a.example;Zoë\r\nb@a.example;Jürgen\r\n";
  const mark = (bytes: number[], rest: Uint8Array) => new Uint8Array([...bytes, ...rest]);
  const utf16 = Buffer.from(text, "utf16le");
  test.each<[string, Uint8Array]>([
    ["utf-8", Buffer.from(text)],
    ["utf-8", mark([0xef, 0xbb, 0xbf], Buffer.from(text))],
    ["utf-16le", mark([0xff, 0xfe], utf16)],
    ["utf-16be", mark([0xfe, 0xff], Buffer.from(utf16).swap16())],
    ["utf-16le", utf16],
    ["utf-16be", Buffer.from(utf16).swap16()],
    ["windows-1252", Buffer.from(text, "latin1")],
  ])("%s is read, and Windows-1252 is said", async (encoding, bytes) => {
    await using posthorn = await workspace();
    const check = await checked(posthorn, bytes);
    expect([check.encoding, check.warnings?.length ?? 0]).toEqual([encoding, encoding === "windows-1252" ? 1 : 0]);
    await imported(posthorn, bytes);
    expect(await dataAt(posthorn, "b@a.example")).toEqual({ näme: "Jürgen" });
  });
});

test.each([
  "E-Mail",
  "Email Address",
  "E-Mail-Adresse",
  "e-mail address",
  "Mail",
  "Courriel",
  "Correo electrónico",
  "メールアドレス",
])("a column %p is the address", async (name) => {
  expect((await checked(shared(), `name,${name}\nAda,ada@a.example\n`)).columns[1].field).toBe("email");
});

test("a quote that is never closed is one bad row, named with its number", async () => {
  await using posthorn = await workspace();
  const file = 'email,name\na@a.example,"Ann\nb@a.example,Bo\nc@a.example,"Cy"\n';
  const { result } = await imported(posthorn, file);
  expect(result).toMatchObject({ totalRows: 3, createdCount: 2 });
  expect(result.errors).toEqual([{ row: 2, email: "a@a.example", error: "A quote in this row is never closed." }]);
});

test("a field that no contact can have is not shown as one", async () => {
  await using posthorn = await workspace();
  const { columns } = await checked(posthorn, "email,subscribed,data.subscribed,id\na@a.example,true,false,7\n");
  expect(columns.map(({ field }: Json) => field)).toEqual(["email", "subscribed", null, null]);
});

test("values of several types under one key leave in cells that mean them again", async () => {
  await using here = await workspace();
  await using there = await workspace();
  const people = { a: 7, b: "7", c: true, d: "yes", e: [1], f: "x" };
  for (const [name, key] of Object.entries(people))
    await ask(here, "POST /contacts", { body: { email: `${name}@a.example`, data: { key } } });
  await imported(there, await exportedFrom(here));
  for (const [name, key] of Object.entries(people)) expect(await dataAt(there, `${name}@a.example`)).toEqual({ key });
});

test("an export may begin with the mark by which Excel knows UTF-8", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "POST /contacts", { body: { email: "zoe@a.example", data: { name: "Zoë" } } });
  const bytes = async (query: string) => {
    const reply = await fetch(`${posthorn.server.url}/contacts/export${query}`, {
      headers: { authorization: `Bearer ${posthorn.keys.secret}` },
    });
    return [...new Uint8Array(await reply.arrayBuffer()).slice(0, 3)];
  };
  expect(await bytes("?bom=true")).toEqual([0xef, 0xbb, 0xbf]);
  expect(await bytes("")).toEqual([...Buffer.from("ema")]);
});
