// The rows of a sheet, as its markup arrives: the same records that a CSV file has.
import type { CsvRecord } from "../syntax.ts";
import { WorkbookFault } from "./fault.ts";
import { textOf, type NumberFormat } from "./formats.ts";
import type { Attributes, MarkupTaker, UnpackingBudget } from "./part.ts";
import type { SharedStrings } from "./strings.ts";
import { extended, TextRuns, unescaped } from "./text.ts";

/** Excel's limit of rows. */
const MAX_ROWS = 1_048_576;
/** More than a file of contacts may have. */
const MAX_COLUMNS = 2_001;
/** In characters; a contact holds at most 64 KB of data. */
const MAX_ROW_CHARS = 1_000_000;
const BATCH_ROWS = 500;
const BATCH_CHARS = 64 * 1024;

export type SheetSurroundings = {
  readonly strings: SharedStrings;
  /** By the number that cells name. */
  readonly formats: readonly NumberFormat[];
  readonly is1904: boolean;
};

export class SheetRows implements MarkupTaker {
  #records: CsvRecord[] = [];
  #chars = 0;
  #row = 0;
  #cells: string[] = [];
  #rowChars = 0;
  #column = -1;
  #cell: { readonly type: string; readonly style: number } | null = null;
  #value = "";
  #isInValue = false;
  readonly #inline = new TextRuns();
  #isInRows = false;

  /** `budget`: shared texts count wherever they stand, or a few would fill the memory. */
  constructor(
    private readonly around: SheetSurroundings,
    private readonly budget: UnpackingBudget,
  ) {}

  /** There is enough for a batch. */
  get isFull(): boolean {
    return this.#records.length >= BATCH_ROWS || this.#chars >= BATCH_CHARS;
  }

  /** The rows since the last call. Rows without a text are left out. */
  drain(): CsvRecord[] {
    const records = this.#records;
    this.#records = [];
    this.#chars = 0;
    return records;
  }

  readonly open = (name: string, attributes: Attributes): void => {
    if (name === "sheetData") this.#isInRows = true;
    else if (!this.#isInRows) return;
    else if (name === "row") this.#beginRow(attributes);
    else if (name === "c") this.#beginCell(attributes);
    else if (name === "v") this.#isInValue = true;
    else this.#inline.open(name);
  };

  readonly text = (text: string): void => {
    if (!this.#cell) return;
    if (this.#isInValue) this.#value = extended(this.#value, text);
    else this.#inline.add(text);
  };

  readonly close = (name: string): void => {
    if (!this.#isInRows) return;
    if (name === "sheetData") this.#isInRows = false;
    else if (name === "row") this.#endRow();
    else if (name === "c") this.#endCell();
    else if (name === "v") this.#isInValue = false;
    else this.#inline.close(name);
  };

  #beginRow({ r }: Attributes): void {
    const row = r === undefined ? this.#row + 1 : Number(r);
    if (!Number.isInteger(row) || row <= this.#row) throw new WorkbookFault("broken_file");
    if (row > MAX_ROWS) throw new WorkbookFault("big_file");
    this.#row = row;
    [this.#cells, this.#rowChars, this.#column] = [[], 0, -1];
  }

  #beginCell({ r, t: type = "n", s = "0" }: Attributes): void {
    this.#column = r === undefined ? this.#column + 1 : columnIn(r);
    this.#cell = { type, style: Number(s) };
    this.#value = "";
  }

  #endCell(): void {
    if (!this.#cell) throw new WorkbookFault("broken_file");
    const inline = this.#inline.told();
    const text = this.#cell.type === "inlineStr" ? inline : this.#textOf(this.#cell);
    this.#cell = null;
    if (text === "") return;
    if (this.#column >= MAX_COLUMNS) throw new WorkbookFault("big_file", "A file has at most 2000 columns.");
    while (this.#cells.length < this.#column) this.#cells.push("");
    this.#cells[this.#column] = text;
    this.#rowChars += text.length;
    this.budget.take(text.length);
    if (this.#rowChars > MAX_ROW_CHARS)
      throw new WorkbookFault("big_file", `Row ${this.#row} of the file is too long.`);
  }

  #textOf({ type, style }: { readonly type: string; readonly style: number }): string {
    const value = this.#value;
    if (value === "") return "";
    if (type === "s") return this.around.strings.at(Number(value));
    if (type === "b") return value.trim() === "1" || value.trim() === "true" ? "TRUE" : "FALSE";
    if (type === "n") return textOf(value, this.around.formats[style] ?? { kind: "number" }, this.around.is1904);
    // The result of a formula, the name of an error, or a date in ISO 8601.
    return unescaped(value);
  }

  #endRow(): void {
    if (this.#rowChars === 0) return;
    this.#records.push({ cells: this.#cells, row: this.#row, fault: null });
    this.#chars += this.#rowChars;
  }
}

/** From 0: `B7` is 1. @throws WorkbookFault */
function columnIn(place: string): number {
  const letters = /^\$?([A-Za-z]{1,3})\$?\d*$/.exec(place)?.[1];
  if (letters === undefined) throw new WorkbookFault("broken_file");
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
