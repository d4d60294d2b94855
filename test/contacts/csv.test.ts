// Reading CSV: RFC 4180 and what people call CSV, whatever the pieces in which it comes.
import { describe, expect, test } from "bun:test";
import { cellText, typeOfCell, valueIn } from "../../src/audience/csv/cell.ts";
import { columnNamed, columnsOf } from "../../src/audience/csv/columns.ts";
import { PackedFile } from "../../src/audience/csv/packed/packed-file.ts";
import { CsvRecords, type CsvEncoding } from "../../src/audience/csv/records.ts";
import { csvLine, CsvReader } from "../../src/audience/csv/syntax.ts";
import { seeded } from "../support/seeded.ts";

/** In a column in which every cell is like this one. */
const valueOf = (text: string) => valueIn(text, typeOfCell(text));

function read(pieces: readonly string[]): string[][] {
  const reader = new CsvReader();
  const records = pieces.flatMap((piece) => [...reader.push(piece)]);
  return [...records, ...reader.end()].map(({ cells, fault }) => (fault ? [fault] : [...cells]));
}

describe("a file is read as", () => {
  const files: readonly [what: string, text: string, records: string[][]][] = [
    [
      "lines with CRLF",
      "a,b\r\n1,2\r\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "lines with LF, the last without one",
      "a,b\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "semicolons",
      "a;b;c,d\n1;2;3,4\n",
      [
        ["a", "b", "c,d"],
        ["1", "2", "3,4"],
      ],
    ],
    [
      "tabs",
      "a\tb\n1\t2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "lines with CR, as old spreadsheets of the Macintosh write them",
      "a,b\r1,2\r",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "lines whose ends were translated twice",
      'a,b\r\r\n1,"2"\r\r\n',
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "quotes around a CR, with a CR behind them",
      'a,b\r1,"2\r3"\r"4\r\n5",6',
      [
        ["a", "b"],
        ["1", "2\r3"],
        ["4\r\n5", "6"],
      ],
    ],
    [
      "a header with delimiters behind a line break in its quotes",
      'a,"b;c;d\n;e"\n1,2\n',
      [
        ["a", "b;c;d\n;e"],
        ["1", "2"],
      ],
    ],
    [
      "semicolons in the first line that is not empty",
      "\n\na;b\n1;2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "a quote inside a bare cell of the header",
      'a,5" b\n1,2\n',
      [
        ["a", '5" b'],
        ["1", "2"],
      ],
    ],
    ["one column", "a\n1;2\n", [["a"], ["1;2"]]],
    [
      "delimiters inside quotes are none",
      '"a,b,c";d\n1;2\n',
      [
        ["a,b,c", "d"],
        ["1", "2"],
      ],
    ],
    [
      "quotes around line breaks",
      'a,b\n"1\r\n\n2",3\n',
      [
        ["a", "b"],
        ["1\r\n\n2", "3"],
      ],
    ],
    [
      "doubled quotes",
      'a,b\n"say ""x""",""""\n',
      [
        ["a", "b"],
        ['say "x"', '"'],
      ],
    ],
    [
      "an empty text in quotes",
      'a,b\n"",\n',
      [
        ["a", "b"],
        ["", ""],
      ],
    ],
    [
      "a quote inside a bare cell",
      'a,b\n5" pipe,x\n',
      [
        ["a", "b"],
        ['5" pipe', "x"],
      ],
    ],
    ["empty lines left out", "a\n\n\r\n1\n\n", [["a"], ["1"]]],
    ["something behind a closing quote is broken", 'a,b\n"1" x,2\n3,4\n', [["a", "b"], ["tail"], ["3", "4"]]],
    ["quotes that end with the file", 'a\n"1"', [["a"], ["1"]]],
    ["cells that are missing are missing", "a,b\n1\n", [["a", "b"], ["1"]]],
    ["nothing", "", []],
  ];
  test.each(files)("%s", (_, text, records) => {
    expect(read([text])).toEqual(records);
  });

  test.each(files)("%s, also when it comes in blocks that are cut anywhere", (_, text, records) => {
    // The first block ends with the piece that makes it long enough; the rest is read in the next one.
    const long = `"${"x".repeat(70_000)}"\n`;
    for (let cut = 0; cut <= text.length; cut++) {
      expect(read([text.slice(0, cut), text.slice(cut), "\n", long]).slice(0, records.length)).toEqual(records);
      const [, ...rest] = read([long.replace("\n", ",y\n") + text.slice(0, cut), text.slice(cut)]);
      if (!/[;\t]/.test(text)) expect(rest).toEqual(records);
    }
  });
});

test("rows are numbered as a spreadsheet numbers them: empty lines count, line breaks in quotes do not", () => {
  const text = '\nemail,note\r\n\r\na@example.com,"two\nlines"\n\n\nb@example.com,x\n';
  for (const pieces of [[text], [...text]]) {
    const reader = new CsvReader();
    const records = [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end()];
    expect(records.map(({ row, cells }) => `${row} ${cells[0]}`)).toEqual([
      "2 email",
      "4 a@example.com",
      "7 b@example.com",
    ]);
  }
});

describe("a quote that is never closed is one bad row, and the rows behind it are read:", () => {
  test.each<[string, string, string[][]]>([
    ["to the end of the file", 'a,b\n1,"2\n3,4\n', [["a", "b"], ["open"], ["3", "4"]]],
    ["to the next quote", 'a,b\n1,"2\n3,4\n5,"6"\n', [["a", "b"], ["open"], ["3", "4"], ["5", "6"]]],
    [
      "to a quote that closes it behind other people's rows",
      'a,b\nx@a.example,"2\ny@a.example,3\nz@a.example,4"\n',
      [["a", "b"], ["open"], ["y@a.example", "3"], ["z@a.example", '4"']],
    ],
    ["twice", 'a,b\n1,"2\n3,"4\n5,6\n', [["a", "b"], ["open"], ["open"], ["5", "6"]]],
    ["for very long", `a,b\n1,"2\n${"3,4\n".repeat(300_000)}`.slice(0, 1_200_000), [["a", "b"], ["open"], ["3", "4"]]],
  ])("%s", (_, text, records) => {
    expect(read([text]).slice(0, records.length)).toEqual(records);
    if (text.length < 100)
      for (let cut = 0; cut <= text.length; cut++) expect(read([text.slice(0, cut), text.slice(cut)])).toEqual(records);
  });

  test("its row has the number of its line", () => {
    const reader = new CsvReader();
    const records = [...reader.push('a,b\n1,"2\n3,4\n'), ...reader.end()];
    expect(records.map(({ row, fault }) => [row, fault])).toEqual([
      [1, null],
      [2, "open"],
      [3, null],
    ]);
  });

  test("a note of several lines that names an address is none", () => {
    const note = "Write to\nann@a.example, please\nor call";
    expect(read([csvLine(["a", "b"]), csvLine(["x@a.example", note])])).toEqual([
      ["a", "b"],
      ["x@a.example", note],
    ]);
  });
});

test("a line that is too long is refused before the memory is full", () => {
  const reader = new CsvReader();
  const endless = () => Array.from({ length: 100 }, () => [...reader.push("x".repeat(100_000))]);
  expect(endless).toThrow("too long");
});

test("a first line may name the delimiter", () => {
  expect(read(["sep=;\r\na,b;c\r\n1;2\r\n"])).toEqual([
    ["a,b", "c"],
    ["1", "2"],
  ]);
  expect(read(["sep=|\na|b\n"])).toEqual([["a", "b"]]);
  expect(read(['"sep=,"\na,b;c;d\n'])).toEqual([["a", "b;c;d"]]);
});

test("every record that is written is read again", () => {
  const random = seeded(7);
  const parts = ['"', ",", ";", "\t", "\r\n", "\n", "\r", " ", "'", "x", "é", "😀", '""', "=1"];
  const records = Array.from({ length: 500 }, () => [
    "key",
    random.text(parts, random.below(8)),
    random.text(parts, 3),
  ]);
  const text = [["a", "b", "c"], ...records].map(csvLine).join("");
  expect(read([text])).toEqual([["a", "b", "c"], ...records]);
});

describe("a cell means", () => {
  test.each<[string, unknown]>([
    ["7", 7],
    ["-7.5", -7.5],
    ["0", 0],
    ["1e+21", "1e+21"],
    ["12345678901234567000", "12345678901234567000"],
    ["9007199254740991", 9007199254740991],
    ["007", "007"],
    ["+7", "+7"],
    ["7.0", "7.0"],
    ["-0", "-0"],
    ["1e3", "1e3"],
    [" 7", " 7"],
    ["Infinity", "Infinity"],
    ["NaN", "NaN"],
    ["9007199254740993", "9007199254740993"],
    ["true", true],
    ["false", false],
    ["True", true],
    ["FALSCH", false],
    ["Sí", true],
    ["НЕТ", false],
    ["null", "null"],
    ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ["[]", []],
    ['"7"', "7"],
    ['""', ""],
    ["{name}", "{name}"],
    ["[1,", "[1,"],
    ["'=1+1", "=1+1"],
    ["'+49 30 1", "+49 30 1"],
    ["''=x", "'=x"],
    ["'tis", "'tis"],
    ["=1+1", "=1+1"],
  ])("%p: %p", (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });

  test.each(["a\0b", '"\\u0000"', '{"\\ud800":1}'])("nothing that can be stored: %p", (text) => {
    expect(() => valueOf(text)).toThrow("NUL");
  });
});

test("no cell that is written starts a formula, but for numbers", () => {
  const fullWidth = ["＝1+1", "＋1", "－1+1", "＠SUM(A1)", "'＝x"];
  for (const text of ["=1+1", "+1", "-1+1", "@SUM(A1)", "\tx", "\r=x", "\n=x", "'=x", "''=x", ...fullWidth]) {
    expect(cellText(text)).toBe(`'${text}`);
    expect(valueOf(cellText(text))).toBe(text);
  }
  expect([cellText("-7"), cellText(-7)]).toEqual(['"-7"', "-7"]);
});

test("every text has a cell that means this text and starts no formula (slow)", () => {
  const random = seeded(3);
  const parts = ["'", "'", "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "7", "a", '"'];
  for (let nth = 0; nth < 5_000; nth++) {
    const text = random.text(parts, 1 + random.below(5));
    expect(valueOf(cellText(text))).toBe(text);
    expect(cellText(text)).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
  }
});

test("each key of data has a column that means this key", () => {
  const keys = [
    "plan",
    "",
    " x",
    "x ",
    "email",
    "Email",
    "SUBSCRIBED",
    "data",
    "Data",
    "data.x",
    "data.",
    "=x",
    "＝x",
    "'=x",
    "ü",
    "a,b",
    "\ufeff",
  ];
  const columns = columnsOf(["email", ...keys.map(columnNamed)]);
  expect(columns.keys.map(([, key]) => key)).toEqual(keys);
  expect(["plan", "email", "=x"].map(columnNamed)).toEqual(["plan", "data.email", "data.=x"]);
});

describe("a file in any encoding is read in whatever pieces it comes:", () => {
  const text = "email;näme\r\na@a.example;😀 Zoë\ufeff\r\n";
  const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");
  test.each<[string, Uint8Array, string]>([
    ["utf-8", Buffer.from(text), "😀 Zoë\ufeff"],
    ["utf-8", Buffer.from(`\ufeff${text}`), "😀 Zoë\ufeff"],
    ["utf-16le", utf16, "😀 Zoë\ufeff"],
    ["utf-16be", Buffer.from(utf16).swap16(), "😀 Zoë\ufeff"],
    ["windows-1252", Buffer.from("email;n\xe4me\r\na@a.example;Zo\xeb \x80\r\n", "latin1"), "Zoë €"],
  ])("%s", async (encoding, bytes, name) => {
    for (const size of [1, 2, 3, 5, 1_000]) {
      async function* pieces() {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      }
      const records = new CsvRecords(new PackedFile(1));
      const read: string[][] = [];
      for await (const some of records.in(pieces())) for (const { cells } of some) read.push([...cells]);
      expect({ size, encoding: records.encoding, read }).toEqual({
        ...{ size, encoding: encoding as CsvEncoding },
        read: [
          ["email", "näme"],
          ["a@a.example", name],
        ],
      });
    }
  });
});
