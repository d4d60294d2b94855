// CSV as text (RFC 4180): parses records from pieces of a file, and writes a record as a line.
import { invalidField } from "../../base/errors.ts";
import type { ConsentStatus } from "./consent.ts";

const DELIMITERS = [",", ";", "\t"];
/** A first line in which spreadsheets name the delimiter. */
const NAMED_DELIMITER = /^"?sep=([^\r\n"])"?$/i;
/** Line ends, and quotes, which may contain them. */
type CsvMark = "\n" | "\r" | '"';

export type CsvRecord = {
  readonly cells: readonly string[];
  /** A spreadsheet's row number, from 1: an empty line is a row, a line break in quotes is not. */
  readonly row: number;
  /**
   * `tail`: text after a closing quote; `open`: a quote is never closed, and the record ends with its first line;
   * `long`: more cells than the first line of its file in an archive.
   */
  readonly fault: "tail" | "open" | "long" | null;
  /** On the first record: the cells of the second. */
  readonly next?: readonly string[];
  /** In an archive: what its file says of everybody in it; null = nothing. */
  readonly standing?: ConsentStatus | null;
};

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
/** In characters. A contact holds at most 64 KB of data, and neither a line nor an open quote may fill the memory. */
const MAX_RECORD_CHARS = 1_000_000;
const MAX_NAMING_CHARS = 10;
/** Characters parsed in one step, even if the pieces are smaller. */
const BLOCK_CHARS = 64 * 1024;

/**
 * Reads records from a text that arrives in pieces. A line ends with LF, CRLF or a lone CR. The header, which is the
 * first line that is not empty, determines or names the delimiter. Empty lines are not records. A quote that is never
 * closed would swallow the rows after it: its line becomes a record, and parsing resumes on the next line.
 *
 * csv-parse reads a quote inside a bare cell only in a mode in which text after a closing quote is no error, does not
 * detect the delimiter, and takes five times as long.
 */
export class CsvReader {
  #text = "";
  #at = 0;
  /** The next position of each mark. */
  #next = nowhereYet();
  #row = 0;
  #delimiter: string | null = null;
  /** The number of columns in the header; 0 before it is read. */
  #columns = 0;
  #isEnd = false;

  /** Takes the next piece; answers the complete records. @throws AppError VALIDATION_ERROR on `file` */
  *push(piece: string): Generator<CsvRecord> {
    this.#text += piece;
    if (this.#text.length >= BLOCK_CHARS) yield* this.#records();
  }

  /** The end of the text. @throws AppError VALIDATION_ERROR on `file` */
  *end(): Generator<CsvRecord> {
    this.#isEnd = true;
    yield* this.#records();
  }

  *#records(): Generator<CsvRecord> {
    this.#at = 0;
    this.#next = nowhereYet();
    for (let record = this.#record(); record; record = this.#record()) {
      if (record.cells.length === 1 && record.cells[0] === "") continue;
      if (this.#columns === 0) this.#columns = record.cells.length;
      yield record;
    }
    this.#text = this.#text.slice(this.#at);
    if (this.#text.length > MAX_RECORD_CHARS)
      throw invalidField("file", `Row ${this.#row + 1} of the file is too long.`, "too_big");
  }

  /** Null if no complete record is left. */
  #record(): CsvRecord | null {
    const [text, start] = [this.#text, this.#at];
    if (start >= text.length) return null;
    const end = Math.min(this.#find("\n"), this.#find("\r"));
    if (!this.#isWhole(end)) return null;
    if (end > start && this.#delimiter === null) {
      const named = NAMED_DELIMITER.exec(text.slice(start, Math.min(end, start + MAX_NAMING_CHARS)))?.[1];
      if (named !== undefined) return this.#skipLine(named, end);
      this.#delimiter =
        this.#delimiterOfHeader() ?? (this.#hasWaitedEnough() ? mostFrequent(text.slice(start, end)) : null);
    }
    if (this.#find('"') >= end) return this.#line(end, null);
    const record = this.#delimiter === null ? null : this.#quotedRecord(this.#delimiter);
    return record ?? (this.#hasWaitedEnough() ? this.#line(end, "open") : null);
  }

  /** A record that is incomplete by now stays incomplete. */
  #hasWaitedEnough(): boolean {
    return this.#isEnd || this.#text.length - this.#at > MAX_RECORD_CHARS;
  }

  #skipLine(delimiter: string, end: number): CsvRecord | null {
    this.#delimiter = delimiter;
    this.#at = behindLine(this.#text, end);
    this.#row++;
    return this.#record();
  }

  /** Ignores quotes. */
  #line(end: number, fault: CsvRecord["fault"]): CsvRecord {
    const cells = this.#text.slice(this.#at, end).split(this.#delimiter ?? ",");
    this.#at = behindLine(this.#text, end);
    return { cells, row: ++this.#row, fault };
  }

  /** The end of the text if there is no such mark. Searched once, since most files have hardly any quotes or CRs. */
  #find(mark: CsvMark): number {
    if (this.#next[mark] < this.#at) {
      const found = this.#text.indexOf(mark, this.#at);
      this.#next[mark] = found === -1 ? this.#text.length : found;
    }
    return this.#next[mark];
  }

  /** False if the second half of a CRLF may arrive with the next piece. */
  #isWhole(end: number): boolean {
    return this.#isEnd || end + (this.#text[end] === "\r" ? 1 : 0) < this.#text.length;
  }

  /** Null if the record is not complete yet. */
  #quotedRecord(delimiter: string): CsvRecord | null {
    const text = this.#text;
    const cells: string[] = [];
    const firstEnd = Math.min(this.#find("\n"), this.#find("\r"));
    let [isBroken, hasSwallowed] = [false, false];
    let at = this.#at;
    for (;;) {
      let cell = "";
      if (text[at] === '"') {
        const close = this.#closingQuote(at + 1);
        if (close === -1) return null;
        cell = text.slice(at + 1, close).replaceAll('""', '"');
        hasSwallowed ||= close > firstEnd && this.#hasRows(cell, delimiter, cells);
        at = close + 1;
      }
      const end = cellEnd(text, at, delimiter);
      const tail = text.slice(at, end);
      isBroken ||= tail !== "" && text[at - 1] === '"' && at > this.#at;
      cells.push(cell + tail);
      at = end + 1;
      if (text[end] === delimiter) continue;
      if (!this.#isWhole(end)) return null;
      if (hasSwallowed || (isBroken && end > firstEnd)) return this.#line(firstEnd, "open");
      this.#at = behindLine(text, end);
      return { cells, row: ++this.#row, fault: isBroken ? "tail" : null };
    }
  }

  /**
   * True if a line of the cell, after its first one, looks like the current row, with an address in the same column:
   * the quote before it should have been closed earlier. `before`: the cells of the row so far. A blank after the
   * delimiter means prose.
   */
  #hasRows(cell: string, delimiter: string, before: readonly string[]): boolean {
    const place = before.findIndex((one) => ADDRESS.test(one));
    if (place === -1) return false;
    const [, ...lines] = cell.split(/\r\n|\r|\n/);
    return lines.some((line) => {
      const cells = line.includes("@") ? line.split(delimiter) : [];
      const isLike = cells.length === this.#columns && ADDRESS.test(cells[place] ?? "");
      return isLike && !cells.some((one) => one.startsWith(" "));
    });
  }

  /** The most frequent delimiter in the header, outside quotes; null if the header is not complete yet. */
  #delimiterOfHeader(): string | null {
    const text = this.#text;
    let at = this.#at;
    let marks = "";
    for (let isCellStart = true; at < text.length && !isLineEnd(text[at]); at++) {
      const mark = text[at] as string;
      if (mark === '"' && isCellStart) at = this.#closingQuote(at + 1);
      if (at === -1) return null;
      // A quoted cell may follow any of the possible delimiters.
      isCellStart = DELIMITERS.includes(mark);
      if (isCellStart) marks += mark;
    }
    return this.#isWhole(at) ? mostFrequent(marks) : null;
  }

  /** -1 if the closing quote has not arrived yet. */
  #closingQuote(from: number): number {
    for (let at = this.#text.indexOf('"', from); at !== -1; at = this.#text.indexOf('"', at + 2)) {
      if (at + 1 === this.#text.length) return this.#isEnd ? at : -1;
      if (this.#text[at + 1] !== '"') return at;
    }
    return -1;
  }
}

function mostFrequent(text: string): string {
  const count = (delimiter: string) => text.split(delimiter).length;
  const [best = ","] = DELIMITERS.toSorted((one, other) => count(other) - count(one));
  return best;
}

function nowhereYet(): Record<CsvMark, number> {
  return { "\n": -1, "\r": -1, '"': -1 };
}

function cellEnd(text: string, from: number, delimiter: string): number {
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
