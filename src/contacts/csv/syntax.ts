// CSV as text (RFC 4180): records from pieces of a file, and a record as a line.
import { invalidField } from "../../errors.ts";

const DELIMITERS = [",", ";", "\t"] as const;
type Delimiter = (typeof DELIMITERS)[number];
/** Line ends, and quotes, which may contain them. */
type Mark = "\n" | "\r" | '"';

export type CsvRecord = {
  readonly cells: readonly string[];
  /** As a spreadsheet counts, from 1: an empty line is a row, a line break in quotes is not. */
  readonly row: number;
  /** There is text behind a closing quote. */
  readonly isBroken: boolean;
};

/** Characters; a contact holds at most 64 KB of data, and a quote that is never closed must not fill the memory. */
const MAX_RECORD_CHARS = 1_000_000;
/** So much is read at once, however small the pieces are. */
const BLOCK_CHARS = 64 * 1024;

/**
 * Reads records from a text that arrives in pieces. A line ends with LF, CRLF or a lone CR. The header, which is the first line
 * that is not empty, determines the delimiter. Empty lines are not records.
 *
 * csv-parse reads a quote inside a bare cell only in a mode in which text behind a closing quote is no error, does not find the
 * delimiter, and takes five times as long.
 */
export class CsvReader {
  #text = "";
  #at = 0;
  /** The next place of each. */
  #next = nowhereYet();
  #row = 0;
  #delimiter: Delimiter | null = null;
  #isEnd = false;

  /** Takes the next piece; answers the complete records. @throws AppError VALIDATION_ERROR on `file` */
  *push(piece: string): Generator<CsvRecord> {
    this.#text += piece;
    if (this.#text.length >= BLOCK_CHARS) yield* this.#records();
  }

  /** The end of the text. @throws AppError VALIDATION_ERROR on `file` if it ends inside quotes */
  *end(): Generator<CsvRecord> {
    this.#isEnd = true;
    yield* this.#records();
    if (this.#text !== "") throw invalidField("file", "The file ends inside quotes.", "invalid_csv");
  }

  *#records(): Generator<CsvRecord> {
    this.#at = 0;
    this.#next = nowhereYet();
    for (let record = this.#record(); record; record = this.#record()) {
      if (record.cells.length > 1 || record.cells[0] !== "") yield record;
    }
    this.#text = this.#text.slice(this.#at);
    if (this.#text.length > MAX_RECORD_CHARS)
      throw invalidField("file", "A row of the file is too long, or a quote in it is never closed.", "too_big");
  }

  /** Null if no complete record is left. */
  #record(): CsvRecord | null {
    const [text, start] = [this.#text, this.#at];
    if (start >= text.length) return null;
    const end = Math.min(this.#find("\n"), this.#find("\r"));
    if (!this.#isWhole(end)) return null;
    if (end > start) this.#delimiter ??= this.#delimiterOfHeader();
    if (this.#find('"') < end) return this.#delimiter && this.#quotedRecord(this.#delimiter);
    this.#at = behindLine(text, end);
    return { cells: text.slice(start, end).split(this.#delimiter ?? ","), row: ++this.#row, isBroken: false };
  }

  /** The end of the text if there is none. Looked for once, not in each line: most files have hardly any quotes or CRs. */
  #find(mark: Mark): number {
    if (this.#next[mark] < this.#at) {
      const found = this.#text.indexOf(mark, this.#at);
      this.#next[mark] = found === -1 ? this.#text.length : found;
    }
    return this.#next[mark];
  }

  /** False if the second half of a CRLF may come with the next piece. */
  #isWhole(end: number): boolean {
    return this.#isEnd || end + (this.#text[end] === "\r" ? 1 : 0) < this.#text.length;
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
      const tail = text.slice(at, end);
      isBroken ||= tail !== "" && text[at - 1] === '"' && at > this.#at;
      cells.push(cell + tail);
      at = end + 1;
      if (text[end] === delimiter) continue;
      if (!this.#isWhole(end)) return null;
      this.#at = behindLine(text, end);
      return { cells, row: ++this.#row, isBroken };
    }
  }

  /** The most frequent one in the header, outside quotes; null if the header is not complete yet. */
  #delimiterOfHeader(): Delimiter | null {
    const text = this.#text;
    const counts = { ",": 0, ";": 0, "\t": 0 };
    let at = this.#at;
    for (let isCellStart = true; at < text.length && !isLineEnd(text[at]); at++) {
      const mark = text[at];
      if (mark === '"' && isCellStart) at = this.#closingQuote(at + 1);
      if (at === -1) return null;
      // Whichever of them is the delimiter, a quoted cell may follow it.
      isCellStart = mark === "," || mark === ";" || mark === "\t";
      if (isCellStart) counts[mark as Delimiter]++;
    }
    const [best = null] = DELIMITERS.toSorted((one, other) => counts[other] - counts[one]);
    return this.#isWhole(at) ? best : null;
  }

  /** -1 if it has not arrived yet. */
  #closingQuote(from: number): number {
    for (let at = this.#text.indexOf('"', from); at !== -1; at = this.#text.indexOf('"', at + 2)) {
      if (at + 1 === this.#text.length) return this.#isEnd ? at : -1;
      if (this.#text[at + 1] !== '"') return at;
    }
    return -1;
  }
}

function nowhereYet(): Record<Mark, number> {
  return { "\n": -1, "\r": -1, '"': -1 };
}

function cellEnd(text: string, from: number, delimiter: Delimiter): number {
  let at = from;
  while (at < text.length && text[at] !== delimiter && !isLineEnd(text[at])) at++;
  return at;
}

function isLineEnd(character: string | undefined): boolean {
  return character === "\n" || character === "\r";
}

/** Where the next line begins. */
function behindLine(text: string, end: number): number {
  return text[end] === "\r" && text[end + 1] === "\n" ? end + 2 : end + 1;
}

/** One record with its line end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(",")}\r\n`;
}

function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
