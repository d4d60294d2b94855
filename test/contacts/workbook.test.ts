// The first sheet of an Excel workbook as the rows of a file: what cells say, and what is refused.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { WorkbookFault } from "../../src/audience/csv/workbook/fault.ts";
import { rowsOf } from "../../src/audience/csv/workbook/workbook.ts";
import type { CsvRecord } from "../../src/audience/csv/syntax.ts";
import { zipOf } from "../support/reports.ts";
import { escaped, relations, sheetOf, workbookOf, workbookWith } from "../support/workbooks.ts";

async function recordsOf(workbook: Uint8Array): Promise<CsvRecord[]> {
  return (await Array.fromAsync(rowsOf(workbook))).flat();
}

async function cellsOf(...given: Parameters<typeof workbookOf>): Promise<readonly (readonly string[])[]> {
  return (await recordsOf(workbookOf(...given))).map(({ cells }) => cells);
}

/** The code of the refusal; null = it is read. */
async function refusalOf(workbook: Uint8Array): Promise<string | null> {
  try {
    await recordsOf(workbook);
    return null;
  } catch (error) {
    if (error instanceof WorkbookFault) return error.code;
    throw error;
  }
}

test("cells are texts of their own, shared ones, truths, errors, and the results of formulas", async () => {
  const cells = await cellsOf(
    [
      [
        ['t="s"', "<v>1</v>"],
        ['t="s"', "<v>0</v>"],
        ['t="inlineStr"', "<is><r><t>of </t></r><r><t>two runs</t></r></is>"],
        ['t="b"', "<v>1</v>"],
        ['t="b"', "<v>0</v>"],
        ['t="e"', "<v>#N/A</v>"],
        ['t="str"', "<f>A1&amp;B1</f><v>joined</v>"],
        ["", "<f>SUM(1,2)</f><v>3</v>"],
        ["", "<f>NOW()</f>"],
        ['t="d"', "<v>2026-12-25</v>"],
      ],
    ],
    {
      shared: [
        "<t>&lt;b&gt; &amp; _x000D_line</t>",
        '<r><rPr><b/></rPr><t>東</t></r><r><t xml:space="preserve">京 </t></r><rPh sb="0" eb="1"><t>トウ</t></rPh><phoneticPr/>',
      ],
    },
  );
  expect(cells).toEqual([
    ["東京 ", "<b> & \rline", "of two runs", "TRUE", "FALSE", "#N/A", "joined", "3", "", "2026-12-25"],
  ]);
});

const NUMBERS: readonly (readonly [format: string, value: string, text: string])[] = [
  ["General", "491512345670", "491512345670"],
  ["General", "4.9151234567E+11", "491512345670"],
  ["General", "12345678901234567", "12345678901234567"],
  ["General", "0.10000000000000001", "0.1"],
  ["General", "1.5000000000000001E-7", "0.00000015"],
  ["General", "1E+21", "1000000000000000000000"],
  ["0.00", "7", "7"],
  ["0%", "0.15", "0.15"],
  ['#,##0.00 "€";[Red]-#,##0.00 "€"', "-1234.5", "-1234.5"],
  ["[$$-409]#,##0.00", "1000.5", "1000.5"],
  ['_-* #,##0.00 _d_-;-* "hidden days"', "5", "5"],
  ["0.00E+00", "1200", "1200"],
  ["00000", "1234", "01234"],
  ["00000", "-7", "-7"],
  ["00000", "1.5", "1.5"],
  ["00000", "1234567", "1234567"],
  ["000\\-00\\-0000", "12345678", "012-34-5678"],
  ['"K0-"0000', "42", "K0-0042"],
  ["0", "1.5", "1.5"],
  ["14", "46381", "2026-12-25"],
  ["22", "46381.604166666664", "2026-12-25T14:30:00"],
  ["dd.mm.yyyy", "46381.75", "2026-12-25"],
  ["yyyy\\-mm\\-dd\\ hh:mm:ss.000", "46381.000011574", "2026-12-25T00:00:01"],
  ["[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", "46381", "2026-12-25"],
  ["mmm\\ yy", "46381", "2026-12-25"],
  ["dd.mm.yyyy", "1", "1900-01-01"],
  ["dd.mm.yyyy", "59", "1900-02-28"],
  ["dd.mm.yyyy", "61", "1900-03-01"],
  ["dd.mm.yyyy", "2958465", "9999-12-31"],
  ["dd.mm.yyyy", "2958466", "2958466"],
  ["dd.mm.yyyy", "-1", "-1"],
  ["h:mm AM/PM", "0.75", "18:00:00"],
  ["mm:ss.0", "0.0001", "00:00:08.640"],
  ["[h]:mm", "1.5", "36:00:00"],
  ["[Red]0", "3", "3"],
];

test.each(NUMBERS)("a number in the format %s: %s is %s", async (format, value, text) => {
  expect(await cellsOf([[['s="1"', `<v>${value}</v>`]]], { formats: [format] })).toEqual([[text]]);
});

test("days of a workbook that counts from 1904 are the same days", async () => {
  const options = { formats: ["dd.mm.yyyy"], is1904: true };
  const cells = [['s="1"', "<v>44919</v>"] as const, ['s="1"', "<v>0</v>"] as const];
  expect(await cellsOf([cells], options)).toEqual([["2026-12-25", "1904-01-01"]]);
});

test("rows have the numbers of the sheet; empty ones and empty cells behind the last text are left out", async () => {
  const rows = sheetOf(
    '<row r="3"><c r="A3" t="str"><v>email</v></c><c r="C3" t="str"><v>plan</v></c><c r="D3" s="1"/></row>' +
      '<row r="4"><c r="A4" s="1"/></row><row r="1000"><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row><row/>',
  );
  expect(await recordsOf(workbookWith(rows))).toEqual([
    { cells: ["email", "", "plan"], row: 3, fault: null },
    { cells: ["a", "b"], row: 1000, fault: null },
  ]);
});

test("the first visible sheet is read, also with prefixes and without styles or shared texts", async () => {
  const parts = {
    "xl/workbook.xml":
      '<x:workbook xmlns:x="m"><x:sheets><x:sheet name="Notes" state="hidden" q:id="a"/><x:sheet name="Chart" q:id="b"/><x:sheet name="People" q:id="c"/></x:sheets></x:workbook>',
    "xl/_rels/workbook.xml.rels": relations(
      ["a", "worksheet", "worksheets/notes.xml"],
      ["b", "chartsheet", "chartsheets/sheet1.xml"],
      ["c", "worksheet", "../xl/worksheets/Sheet1.xml"],
    ),
    "xl/styles.xml": null,
    "xl/sharedStrings.xml": null,
  };
  const sheet =
    '<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>here</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>';
  expect(await recordsOf(workbookWith(sheet, { parts }))).toEqual([{ cells: ["here"], row: 1, fault: null }]);
});

test("any texts come back as they were", async () => {
  const text = fc
    .string({ unit: "binary", maxLength: 20 })
    .map((one) => one.replace(/[\0-\x1f\x7f-\x9f\ufffe\uffff]|[\ud800-\udfff]|_x/gu, "-"));
  const rows = fc.array(fc.array(text, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 });
  const trimmed = (cells: readonly string[]) => cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1);
  await fc.assert(
    fc.asyncProperty(rows, async (sheet) => {
      const all = sheet.flat();
      const shared = sheet.map((cells) => cells.map((cell) => ['t="s"', `<v>${all.indexOf(cell)}</v>`] as const));
      const wanted = sheet.map(trimmed).filter(({ length }) => length > 0);
      expect(await cellsOf(sheet)).toEqual(wanted);
      expect(await cellsOf(shared, { shared: all.map((one) => `<t>${escaped(one)}</t>`) })).toEqual(wanted);
    }),
    { numRuns: 60 },
  );
});

const PLAIN = workbookOf([["email"], ["a@a.example"]]);
const long = (chars: number) => "x".repeat(chars);
const rowsTo = (last: number) => sheetOf(`<row r="${last}"><c t="str"><v>x</v></c></row>`);
const inPart = (name: string, text: string | Uint8Array | null) => workbookWith(rowsTo(1), { parts: { [name]: text } });

const HOSTILE: readonly (readonly [string, () => Uint8Array, string])[] = [
  ["no archive behind its head", () => PLAIN.subarray(0, 400), "broken_file"],
  ["an archive of something else", () => zipOf([{ name: "xl/a.csv", bytes: Buffer.from("a") }]), "broken_file"],
  ["no sheet", () => inPart("xl/worksheets/sheet1.xml", null), "broken_file"],
  ["no relations", () => inPart("xl/_rels/workbook.xml.rels", null), "broken_file"],
  ["no workbook", () => inPart("xl/workbook.xml", null), "broken_file"],
  ["styles that are named and missing", () => inPart("xl/styles.xml", null), "broken_file"],
  ["shared texts that are named and missing", () => inPart("xl/sharedStrings.xml", null), "broken_file"],
  [
    "a sheet outside of the archive",
    () => inPart("xl/_rels/workbook.xml.rels", relations(["rId1", "worksheet", "../../../../etc/passwd"])),
    "broken_file",
  ],
  [
    "a workbook that names itself as its sheet",
    () => inPart("xl/_rels/workbook.xml.rels", relations(["rId1", "styles", "workbook.xml"])),
    "broken_file",
  ],
  [
    "a document of Word whose name comes late",
    () => inPart("_rels/.rels", relations(["rId1", "officeDocument", "word/document.xml"])),
    "document_file",
  ],
  [
    "a binary workbook",
    () => inPart("_rels/.rels", relations(["rId1", "officeDocument", "xl/workbook.bin"])),
    "spreadsheet_file",
  ],
  ["a shared text that is not there", () => workbookOf([[['t="s"', "<v>7</v>"]]]), "broken_file"],
  ["a sheet that is cut off", () => workbookWith("<worksheet><sheetData><row>"), "broken_file"],
  [
    "bytes that are no UTF-8",
    () => inPart("xl/worksheets/sheet1.xml", Buffer.from(sheetOf("\xff"), "latin1")),
    "broken_file",
  ],
  [
    "entities",
    () => workbookWith(`<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${sheetOf("")}`),
    "broken_file",
  ],
  ["rows that go back", () => workbookWith(sheetOf('<row r="2"/><row r="1"/>')), "broken_file"],
  ["a cell without a column", () => workbookWith(sheetOf('<row><c r="7"><v>1</v></c></row>')), "broken_file"],
  ["deep markup", () => workbookWith(sheetOf("<a>".repeat(100_000))), "broken_file"],
  ["a row behind the last", () => workbookWith(rowsTo(1_048_577)), "big_file"],
  ["a text in the last column", () => workbookWith(sheetOf('<row><c r="XFD1"><v>1</v></c></row>')), "big_file"],
  ["a long cell", () => workbookOf([[["", `<v>${long(70_000)}</v>`]]]), "big_file"],
  ["a long shared text", () => workbookOf([["a"]], { shared: [`<t>${long(70_000)}</t>`] }), "big_file"],
  [
    "a long row",
    () => workbookWith(sheetOf(`<row>${`<c t="str"><v>${long(60_000)}</v></c>`.repeat(20)}</row>`)),
    "big_file",
  ],
  ["a long attribute", () => workbookWith(sheetOf(`<row a="${long(3_000_000)}"/>`)), "big_file"],
  ["more rows than a sheet has", () => workbookWith(sheetOf("<row/>".repeat(1_048_577))), "big_file"],
  ["a bomb", () => workbookWith(sheetOf(" ".repeat(40_000_000))), "big_file"],
  ["a bomb of texts that are shared", () => sharedBomb(), "big_file"],
  [
    "a bomb of parts",
    () => zipOf(Array.from({ length: 10_001 }, (_, at) => ({ name: `${at}`, bytes: Buffer.alloc(0) }))),
    "broken_file",
  ],
];

/** Few bytes, of which each cell makes sixty thousand. */
function sharedBomb(): Buffer {
  const cell = '<c t="s"><v>0</v></c>';
  return workbookWith(sheetOf(`<row>${cell.repeat(16)}</row>`.repeat(4_000)), { shared: [`<t>${long(60_000)}</t>`] });
}

describe("a workbook is refused for", () => {
  test.each(HOSTILE)("%s", async (_, workbook, code) => {
    expect(await refusalOf(workbook())).toBe(code);
  });
});

test("a workbook in which bytes are wrong is read or refused, and nothing else", async () => {
  const whole = workbookOf(
    [
      ["email", "n"],
      ["a@a.example", ['s="1"', "<v>46381</v>"]],
    ],
    { formats: ["dd.mm.yyyy"] },
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), async (at, byte, isCut) => {
      const broken = Buffer.from(isCut ? whole.subarray(0, at) : whole);
      if (!isCut) broken[at] = byte;
      expect(await refusalOf(broken)).toBeOneOf([null, "broken_file", "big_file", "document_file", "spreadsheet_file"]);
    }),
    { numRuns: 300 },
  );
});

test("all rows of a full sheet pass in batches", async () => {
  const rows = Array.from({ length: 1_048_576 }, () => "<row><c><v>1</v></c></row>").join("");
  let [count, largest] = [0, 0];
  for await (const batch of rowsOf(workbookWith(sheetOf(rows)))) {
    count += batch.length;
    largest = Math.max(largest, batch.length);
  }
  expect(count).toBe(1_048_576);
  expect(largest).toBeLessThan(1_000);
});
