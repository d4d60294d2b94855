// POST /contacts/import: numbers, dates and flags as other countries write them, types that the caller chooses, and the
// cells that do not fit them.
import { describe, expect, test } from "bun:test";
import { checked, exportedFrom, imported, upload } from "../support/files.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { workspace } from "../support/workspace.ts";

async function dataAt(posthorn: Posthorn, email: string): Promise<Json> {
  return (await ask(posthorn, `GET /contacts/by-email/${email}`)).body.data;
}

const shared = sharedPosthorn();

/** The format of a column of these cells, what else it could be, and what the cells become. */
async function columnOf(cells: readonly string[]): Promise<[string, string | null, unknown[]]> {
  const rows = cells.map((cell, row) => `p${row}@a.example\t${cell}\n`).join("");
  const [, column] = (await checked(shared(), `email\tkey\n${rows}`)).columns;
  return [column.format, column.otherwise, column.values];
}

describe("a column is read as a whole:", () => {
  test.each<[string, string[], string, string | null, unknown[]]>([
    ["German decimals", ["2.270,48", "12,00", "-0,5"], "number-comma", null, [2270.48, 12, -0.5]],
    ["English decimals", ["2,270.48", "12.00"], "number", null, [2270.48, 12]],
    ["Swiss thousands", ["1'250.50", "7.00"], "number", null, [1250.5, 7]],
    ["versions", ["1.9", "1.10"], "text", null, ["1.9", "1.10"]],
    ["three digits behind a point", ["1.234", "5"], "number", "number-comma", [1.234, 5]],
    ["three digits behind a comma", ["1,234", "5"], "number", "number-comma", [1234, 5]],
    ["whole numbers", ["7", "8"], "number", null, [7, 8]],
    ["German dates", ["01.06.1982", "31.12.2020"], "date-dmy", null, ["1982-06-01", "2020-12-31"]],
    ["a German date that could be American", ["01.06.1982"], "date-dmy", null, ["1982-06-01"]],
    ["day and month", ["03/04/2020", "25/12/2020"], "date-dmy", null, ["2020-04-03", "2020-12-25"]],
    ["month and day", ["03/04/2020", "12/25/2020"], "date-mdy", null, ["2020-03-04", "2020-12-25"]],
    ["either", ["03/04/2020"], "date-dmy", "date-mdy", ["2020-04-03"]],
    ["both, which cannot be", ["25/12/2020", "12/25/2020"], "text", null, ["25/12/2020", "12/25/2020"]],
    ["dates with a time", ["12/25/2020 2:30 PM"], "date-mdy", null, ["2020-12-25T14:30"]],
    ["a day that does not exist", ["31.02.2020"], "text", null, ["31.02.2020"]],
    ["the year first", ["2020/12/5"], "date", null, ["2020-12-05"]],
    ["ISO 8601, as it is", ["2020-12-25T14:30:00Z"], "date", null, ["2020-12-25T14:30:00Z"]],
    ["WAHR and FALSCH", ["WAHR", "FALSCH"], "boolean", null, [true, false]],
    ["VRAI and FAUX", ["VRAI", "FAUX"], "boolean", null, [true, false]],
    ["SI and NO", ["SI", "NO"], "boolean", null, [true, false]],
    ["JA and NEIN", ["JA", "NEIN"], "boolean", null, [true, false]],
    ["NO alone", ["NO"], "text", null, ["NO"]],
    ["digits behind an apostrophe", ["'90948", "'01067"], "text", null, ["90948", "01067"]],
    ["one such cell among numbers", ["'90948", "10115"], "text", null, ["90948", "10115"]],
    ["a name with an apostrophe", ["'t Hooft"], "text", null, ["'t Hooft"]],
    ["postcodes", ["01067", "80331"], "text", null, ["01067", "80331"]],
    ["phone numbers", ["+49 170 5550101", "0170 5550101"], "text", null, ["+49 170 5550101", "0170 5550101"]],
  ])("%s", async (_, cells, format, otherwise, values) => {
    expect(await columnOf(cells)).toEqual([format, otherwise, values]);
  });

  test("what could be read in two ways is read as the other columns of the file", async () => {
    const file = "email;sure;doubtful;day;either\na@a.example;2,5;1.234;12/25/2020;03/04/2020\n";
    const { columns } = await checked(shared(), file);
    expect(columns.map(({ format }: Json) => format)).toEqual([
      null,
      "number-comma",
      "number-comma",
      "date-mdy",
      "date-mdy",
    ]);
  });
});

test("a German file is imported as the check shows it (slow)", async () => {
  await using posthorn = await workspace();
  const file = "email;seit;umsatz;aktiv;plz\na@a.example;01.06.1982;2.270,48;WAHR;'90948\n";
  const { values } = (await checked(posthorn, file)).columns[1];
  await imported(posthorn, file);
  expect(values).toEqual(["1982-06-01"]);
  expect(await dataAt(posthorn, "a@a.example")).toEqual({
    ...{ seit: "1982-06-01", umsatz: 2270.48, aktiv: true, plz: "90948" },
  });
  expect((await checked(posthorn, file)).unchanged).toBe(1);
});

describe("a chosen type", () => {
  const columns = (...types: Json[]) => ({ columns: JSON.stringify(["email", ...types]) });
  const file = "email,seats,day,ok\na@a.example,007,03/04/2020,1\nb@a.example,many,n/a,x\n";
  const chosen = columns(
    { field: null, type: "number" },
    { field: "data.since", type: "date-mdy" },
    { field: null, type: "boolean" },
  );

  test("decides what cells become, and cells that do not fit it are left out and named by line", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: "b@a.example", data: { seats: 3 } } });
    const skipped = [
      { row: 3, email: "b@a.example", field: "data.seats", type: "number", cell: "many" },
      { row: 3, email: "b@a.example", field: "data.since", type: "date-mdy", cell: "n/a" },
    ];
    const check = await checked(posthorn, file, { fields: chosen });
    expect(check).toMatchObject({ created: 1, updated: 1, failed: 0, skippedCellCount: 2, skippedCells: skipped });
    expect(check.columns.map(({ values }: Json) => values)).toEqual([
      ["a@a.example", "b@a.example"],
      [7, null],
      ["2020-03-04", null],
      [true, true],
    ]);
    const { result } = await imported(posthorn, file, { fields: chosen });
    expect(result).toMatchObject({ failureCount: 0, errors: [], skippedCellCount: 2, skippedCells: skipped });
    expect(await dataAt(posthorn, "a@a.example")).toEqual({ seats: 7, since: "2020-03-04", ok: true });
    expect(await dataAt(posthorn, "b@a.example")).toEqual({ seats: 3, ok: true });
  });

  test("holds for a key that was text, with a warning", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: "b@a.example", data: { seats: "3" } } });
    const { warnings } = await checked(posthorn, "email,seats\na@a.example,4\n", {
      fields: columns({ field: null, type: "number" }),
    });
    expect(warnings.map(({ field }: Json) => field)).toEqual(["data.seats"]);
  });

  test("leaves nothing of a person who is erased", async () => {
    await using posthorn = await workspace();
    const own = "email,seats\na@a.example,b@a.example\nb@a.example,2\n";
    const fields = columns({ field: null, type: "number" });
    const { id, result } = await imported(posthorn, own, { fields });
    expect(result.skippedCellCount).toBe(1);
    const person = (await ask(posthorn, "GET /contacts/by-email/b@a.example")).body;
    await ask(posthorn, `DELETE /contacts/${person.id}`);
    await posthorn.settle();
    expect((await ask(posthorn, `GET /contacts/import/${id}`)).body.result.skippedCells).toEqual([]);
  });

  test.each(['[{"field": "data.a", "type": "money"}]', '[{"field": "id"}]', "[7]", "{}"])(
    "is refused unless there is such a one: %s",
    async (text) => {
      const { status, body } = await upload(shared(), file, { fields: { columns: text } });
      expect([status, body.error.errors[0].field]).toEqual([422, "columns"]);
    },
  );
});

test("texts that look like dates, numbers or digits in quotes leave and come back as they were (slow)", async () => {
  await using here = await workspace();
  await using there = await workspace();
  const texts = ["01.06.1982", "2.270,48", "12.50", "'90948", "''1", "2020/12/5", "2020-12-25", "1'250", "03/04/2020"];
  for (const [at, key] of texts.entries())
    await ask(here, "POST /contacts", { body: { email: `p${at}@a.example`, data: { [`k${at}`]: key, key } } });
  await imported(there, await exportedFrom(here));
  for (const [at, key] of texts.entries())
    expect(await dataAt(there, `p${at}@a.example`)).toEqual({ [`k${at}`]: key, key });
});

describe("the encoding of a file", () => {
  const polish = Buffer.concat([
    Buffer.from("email,name\na@a.example,"),
    Buffer.from([0xa3, 0xf3, 0x64, 0x9f]),
    Buffer.from("\n"),
  ]);

  test("is taken for Windows-1252, and can be said", async () => {
    await using posthorn = await workspace();
    const taken = await checked(posthorn, polish);
    expect([taken.encoding, taken.columns[1].examples, taken.warnings.length]).toEqual(["windows-1252", ["£ódŸ"], 1]);
    const fields = { encoding: "windows-1250" };
    const said = await checked(posthorn, polish, { fields });
    expect([said.encoding, said.columns[1].examples, said.warnings]).toEqual(["windows-1250", ["Łódź"], undefined]);
    await imported(posthorn, polish, { fields });
    expect(await dataAt(posthorn, "a@a.example")).toEqual({ name: "Łódź" });
  });

  test.each([
    ["utf-8", "file"],
    ["ebcdic", "encoding"],
  ])("is refused if the file is not %s or there is no such one", async (encoding, field) => {
    const { status, body } = await upload(shared(), polish, { fields: { encoding } });
    expect([status, body.error.errors[0].field]).toEqual([422, field]);
  });
});
