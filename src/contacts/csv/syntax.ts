// CSV as text (RFC 4180): records out of pieces of a file, and a record as a line.
import { invalidField } from "../../errors.ts";

type Delimiter = "," | ";" | "\t";

export type CsvRecord = {
  readonly cells: readonly string[];
  /** As a spreadsheet counts, from 1 on: an empty line is a row, a line break in quotes is none. */
  readonly row: number;
  /** Something stands behind a closing quote. */
  readonly isBroken: boolean;
};

/** Characters; a contact holds at most 64 KB of data, and a quote that is never closed must not fill the memory. */
const MAX_RECORD_CHARS = 1_000_000;
/** So much is looked through at once, however small the pieces are in which it comes. */
const BLOCK_CHARS = 64 * 1024;

/** Reads records from a text that comes in pieces. The first line tells the delimiter. Empty lines are no records. */
export class CsvReader {
  #text = "";
  #at = 0;
  #quoteAt = -1;
  #row = 0;
  #delimiter: Delimiter | null = null;
  #isEnd = false;

  /** Gives the next piece; answers the records that are whole. @throws AppError VALIDATION_ERROR on `file` */
  *push(piece: string): Generator<CsvRecord> {
    this.#text += piece;
    if (this.#text.length >= BLOCK_CHARS) yield* this.#records();
  }

  /** The text is over. @throws AppError VALIDATION_ERROR on `file` if it ends inside quotes */
  *end(): Generator<CsvRecord> {
    this.#isEnd = true;
    yield* this.#records();
    if (this.#text !== "") throw invalidField("file", "The file ends inside quotes.", "invalid_csv");
  }

  *#records(): Generator<CsvRecord> {
    this.#at = 0;
    this.#quoteAt = -2;
    for (let next = this.#next(); next; next = this.#next()) {
      if (next.cells.length > 1 || next.cells[0] !== "") yield next;
    }
    this.#text = this.#text.slice(this.#at);
    if (this.#text.length > MAX_RECORD_CHARS)
      throw invalidField("file", "A row of the file is too long, or a quote in it is never closed.", "too_big");
  }

  /** Null if no whole record is left. */
  #next(): CsvRecord | null {
    if (this.#at >= this.#text.length) return null;
    const lineEnd = this.#text.indexOf("\n", this.#at);
    if (lineEnd === -1 && !this.#isEnd) return null;
    const end = lineEnd === -1 ? this.#text.length : lineEnd;
    this.#delimiter ??= delimiterOf(this.#text.slice(this.#at, end));
    // Looked for once, not in each line: most files have hardly any.
    if (this.#quoteAt !== -1 && this.#quoteAt < this.#at) this.#quoteAt = this.#text.indexOf('"', this.#at);
    if (this.#quoteAt !== -1 && this.#quoteAt < end) return this.#quotedRecord(this.#delimiter);
    const line = this.#text.slice(this.#at, this.#text[end - 1] === "\r" ? Math.max(this.#at, end - 1) : end);
    this.#at = end + 1;
    return { cells: line.split(this.#delimiter), row: ++this.#row, isBroken: false };
  }

  #quotedRecord(delimiter: Delimiter): CsvRecord | null {
    const text = this.#text;
    const cells: string[] = [];
    let isBroken = false;
    let at = this.#at;
    for (;;) {
      let cell = "";
      if (text[at] === '"') {
        const close = this.#closingQuote(at + 1);
        if (close === -1) return null;
        cell = text.slice(at + 1, close).replaceAll('""', '"');
        at = close + 1;
      }
      const end = cellEnd(text, at, delimiter);
      const isLast = end === text.length || text[end] === "\n";
      if (end === text.length && !this.#isEnd) return null;
      const tail = text.slice(at, isLast && text[end - 1] === "\r" ? Math.max(at, end - 1) : end);
      isBroken ||= tail !== "" && text[at - 1] === '"' && at > this.#at;
      cells.push(cell + tail);
      at = end + 1;
      if (!isLast) continue;
      this.#at = at;
      return { cells, row: ++this.#row, isBroken };
    }
  }

  /** -1 if it has not come yet. */
  #closingQuote(from: number): number {
    for (let at = this.#text.indexOf('"', from); at !== -1; at = this.#text.indexOf('"', at + 2)) {
      if (at + 1 === this.#text.length) return this.#isEnd ? at : -1;
      if (this.#text[at + 1] !== '"') return at;
    }
    return -1;
  }
}

function cellEnd(text: string, from: number, delimiter: Delimiter): number {
  let at = from;
  while (at < text.length && text[at] !== delimiter && text[at] !== "\n") at++;
  return at;
}

/** The one that stands most often in the first line, outside of quotes. */
function delimiterOf(line: string): Delimiter {
  const bare = line.replace(/"[^"]*"/g, "");
  const count = (one: Delimiter) => bare.split(one).length;
  const [best] = ([",", ";", "\t"] as const).toSorted((one, other) => count(other) - count(one));
  return best as Delimiter;
}

/** One record with its line end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(",")}\r\n`;
}

function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
