// Excel workbooks as programs write them, from a few rows.
import { deflateRawSync } from "node:zlib";
import { zipOf } from "./reports.ts";

/** A text; or the attributes and the content of a cell, as `t="b"` and `<v>1</v>`. */
type Cell = string | readonly [attributes: string, content: string] | null;

type WorkbookOptions = {
  /** The codes of formats, by the number (from 1) that cells have as `s`. */
  readonly formats?: readonly string[];
  readonly shared?: readonly string[];
  readonly is1904?: boolean;
  /** In place of, or beside, the usual parts; null = left out. */
  readonly parts?: Readonly<Record<string, string | Uint8Array | null>>;
};

const KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export function relations(...all: readonly (readonly [id: string, kind: string, target: string])[]): string {
  const list = all.map(([id, kind, target]) => `<Relationship Id="${id}" Type="${KIND}/${kind}" Target="${target}"/>`);
  return `${HEAD}<Relationships>${list.join("")}</Relationships>`;
}

export function sheetOf(rows: string): string {
  return `${HEAD}<worksheet><dimension ref="A1"/><sheetData>${rows}</sheetData></worksheet>`;
}

/** A workbook with one sheet of these rows; empty rows are left out of the file, as Excel does. */
export function workbookOf(rows: readonly (readonly Cell[])[], options: WorkbookOptions = {}): Buffer {
  const lines = rows.map((cells, at) => (cells.length === 0 ? "" : rowOf(cells, at + 1)));
  return workbookWith(sheetOf(lines.join("")), options);
}

export function workbookWith(sheet: string, options: WorkbookOptions = {}): Buffer {
  const { formats = [], shared = [], is1904 = false, parts = {} } = options;
  const usual = {
    "[Content_Types].xml": `${HEAD}<Types/>`,
    "_rels/.rels": relations(["rId1", "officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml": `${HEAD}<workbook><workbookPr${is1904 ? ' date1904="1"' : ""}/><sheets><sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(
      ["rId1", "worksheet", "worksheets/sheet1.xml"],
      ["rId2", "styles", "styles.xml"],
      ["rId3", "sharedStrings", "/xl/sharedStrings.xml"],
    ),
    "xl/worksheets/sheet1.xml": sheet,
    "xl/styles.xml": stylesOf(formats),
    "xl/sharedStrings.xml": `${HEAD}<sst>${shared.map((text) => `<si>${text}</si>`).join("")}</sst>`,
  };
  const files = Object.entries({ ...usual, ...parts }).flatMap(([name, text]) =>
    text === null ? [] : [{ name, bytes: Buffer.from(text) }],
  );
  return zipOf(files, deflateRawSync);
}

function rowOf(cells: readonly Cell[], row: number): string {
  const texts = cells.map((cell, column) => {
    if (cell === null) return "";
    const [attributes, content] =
      typeof cell === "string" ? ['t="inlineStr"', `<is><t>${escaped(cell)}</t></is>`] : cell;
    return `<c r="${String.fromCharCode(65 + column)}${row}" ${attributes}>${content}</c>`;
  });
  return `<row r="${row}">${texts.join("")}</row>`;
}

/** Style 0 is of plain cells; the others take the formats in order. A number is that of a built-in one. */
function stylesOf(formats: readonly string[]): string {
  const own = formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`);
  const cells = formats.map((code, at) => `<xf numFmtId="${/^\d\d$/.test(code) && code !== "00" ? code : 164 + at}"/>`);
  return `${HEAD}<styleSheet><numFmts>${own.join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${cells.join("")}</cellXfs></styleSheet>`;
}
