// POST /contacts/import and POST /suppressions/imports: the first sheet of an Excel workbook is read like a CSV file.
import { expect, test } from "bun:test";
import { expectCpuBelow } from "../support/cpu-time.ts";
import { checked, imported, upload, uploadSuppressions } from "../support/files.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";
import { sheetOf, workbookOf, workbookWith } from "../support/workbooks.ts";

const PEOPLE = workbookOf(
  [
    ["Email", "subscribed", "Since", "Zip", "Spent", "Plan"],
    [
      "ada@a.example",
      ['t="b"', "<v>1</v>"],
      ['s="1"', "<v>46381</v>"],
      ['s="2"', "<v>1234</v>"],
      ['s="3"', "<v>12.5</v>"],
      "pro",
    ],
    [],
    [
      "bob@a.example",
      ['t="b"', "<v>0</v>"],
      ['s="1"', "<v>46382</v>"],
      ['s="2"', "<v>90948</v>"],
      ['s="3"', "<v>7</v>"],
      ['t="e"', "<v>#N/A</v>"],
    ],
    ["not an address", null, null, null, null, "free"],
  ],
  { formats: ["dd.mm.yyyy", "00000", '#,##0.00 "€"'] },
);

test("a check says what the columns of the sheet become, and names its rows", async () => {
  await using posthorn = await workspace();
  const check = await checked(posthorn, PEOPLE);
  expect(check).toMatchObject({ rows: 3, created: 2, failed: 1, isComplete: true });
  expect(check.errors).toMatchObject([{ row: 5, email: "not an address" }]);
  const columns = check.columns.map(({ name, field, format, examples }: Record<string, unknown>) => [
    ...[name, field, format],
    examples,
  ]);
  expect(columns).toEqual([
    ["Email", "email", null, ["ada@a.example", "bob@a.example", "not an address"]],
    ["subscribed", "subscribed", null, ["TRUE", "FALSE"]],
    ["Since", "data.Since", "date", ["2026-12-25", "2026-12-26"]],
    ["Zip", "data.Zip", "text", ["01234", "90948"]],
    ["Spent", "data.Spent", "number", ["12.5", "7"]],
    ["Plan", "data.Plan", "text", ["pro", "#N/A", "free"]],
  ]);
});

test("an import takes the sheet over, and is undone as a whole", async () => {
  await using posthorn = await workspace();
  const job = await imported(posthorn, PEOPLE, {
    fields: { columns: '[null, null, null, null, null, "data.tariff"]' },
  });
  expect(job.result).toMatchObject({ createdCount: 2, failureCount: 1 });
  const contact = async (email: string) => (await ask(posthorn, `GET /contacts/by-email/${email}`)).body;
  expect(await contact("ada@a.example")).toMatchObject({
    subscribed: true,
    data: { Since: "2026-12-25", Zip: "01234", Spent: 12.5, tariff: "pro" },
  });
  expect((await contact("bob@a.example")).subscribed).toBe(false);
  await ask(posthorn, `POST /contacts/import/${job.id}/undo`);
  await posthorn.settle();
  expect((await ask(posthorn, "GET /contacts/by-email/ada@a.example")).status).toBe(404);
});

test("suppressions are read from a sheet as well", async () => {
  await using posthorn = await workspace();
  const sheet = workbookOf([["email", "reason"], ["gone@a.example", "HardBounce"], [], ["nothing", "manual"]]);
  const { status, body } = await uploadSuppressions(posthorn, sheet);
  expect(status).toBe(202);
  await posthorn.settle();
  const { result } = (await ask(posthorn, `GET /suppressions/imports/${body.jobId}`)).body;
  expect(result).toMatchObject({ totalRows: 2, addedCount: 1, failureCount: 1, errors: [{ row: 4 }] });
});

const old = (name: string) =>
  Buffer.concat([
    Buffer.from("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "latin1"),
    Buffer.alloc(4_096),
    Buffer.from(name, "utf16le"),
  ]);
const REFUSED: readonly (readonly [string, Uint8Array, string, RegExp])[] = [
  ["is protected", old("EncryptedPackage"), "protected_file", /protected by a password/],
  ["is an old .xls", old("Workbook"), "spreadsheet_file", /Save it as \.xlsx or CSV/],
  ["is cut off", PEOPLE.subarray(0, PEOPLE.length - 200), "broken_file", /damaged/],
  ["becomes damaged behind many good rows", late(), "broken_file", /damaged/],
  ["has no rows", workbookOf([]), "empty", /empty/],
  ["has too many rows", workbookWith(sheetOf('<row r="1048577"><c><v>1</v></c></row>')), "big_file", /too big/],
];

/** Its rows are stored as they are read, before the fault. */
function late(): Buffer {
  const rows = Array.from({ length: 20_000 }, (_, at) => `<row><c t="str"><v>p${at}@a.example</v></c></row>`);
  return workbookWith(sheetOf(`<row><c t="str"><v>email</v></c></row>${rows.join("")}<row r="7"/>`));
}

test.each(REFUSED)("a workbook that %s is refused, and leaves nothing", async (_, file, code, message) => {
  await using posthorn = await workspace();
  const { status, body } = await upload(posthorn, file);
  expect([status, body.error.errors[0].field, body.error.errors[0].code]).toEqual([422, "file", code]);
  expect(body.error.errors[0].message).toMatch(message);
  expect((await checked(posthorn, file)).error.errors).toEqual(body.error.errors);
  await posthorn.settle();
  expect((await ask(posthorn, "GET /contacts/import")).body.data).toEqual([]);
  expect((await ask(posthorn, "GET /contacts")).body.data).toEqual([]);
});

test("requests of several workspaces are read side by side, and those of one after another", async () => {
  await using one = await workspace();
  await using other = await workspace();
  const all = await Promise.all([one, one, other, other].map((posthorn) => checked(posthorn, PEOPLE)));
  expect(all.map(({ rows }) => rows)).toEqual([3, 3, 3, 3]);
});

test("the main thread does not parse: a sheet that says nothing costs it nothing", async () => {
  await using posthorn = await workspace();
  const empty = workbookWith(
    sheetOf(`<row r="1"><c t="str"><v>email</v></c></row>${'<row><c s="0"/></row>'.repeat(500_000)}`),
  );
  await expectCpuBelow(300, async () => expect((await checked(posthorn, empty)).rows).toBe(0));
});
