// Reads the head of a file in the browser, so its columns can be mapped before the upload.
import type { components } from "../../../api.gen.ts";
import { nameKeyFor } from "../../../base/name-fields.ts";
import { plainKey } from "./plain-key.ts";
import { isNoise } from "./noise.ts";

export type FileHead = {
  readonly file: File;
  readonly name: string;
  readonly encoding: Encoding;
  /** Null: a workbook or an archive. */
  readonly delimiter: Delimiter | null;
  readonly columns: readonly string[];
  readonly samples: readonly (readonly string[])[];
};

const DELIMITERS = [",", ";", "\t"];
export type Delimiter = string;
type FileCheck = components["schemas"]["ImportCheck"];
export type Encoding = FileCheck["encoding"];

const HEAD_BYTES = 64 * 1024;
const SAMPLES = 3;
/** The slice may cut a UTF-8 character: up to this many of its bytes. */
const MAX_CUT_BYTES = 3;

/** Null if the file is empty. */
export async function headOf(file: File): Promise<FileHead | null> {
  const start = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const encoding = encodingOf(start);
  const text = new TextDecoder(encoding).decode(start);
  const named = /^"?sep=([^\r\n"])"?(\r\n|\r|\n)/i.exec(text);
  const first = firstLineFrom(text, named?.[0].length ?? 0);
  if (first === -1) return null;
  const delimiter = named?.[1] ?? delimiterOf(text, first);
  const header = recordAt(text, first, delimiter);
  const samples: string[][] = [];
  for (let at = header.end; at < text.length && samples.length < SAMPLES;) {
    const record = recordAt(text, at, delimiter);
    if (record.cells.length > 1 || record.cells[0] !== "") samples.push(record.cells);
    at = record.end;
  }
  return { file, name: file.name, encoding, delimiter, columns: header.cells.map((cell) => cell.trim()), samples };
}

function firstLineFrom(text: string, from: number): number {
  const at = text.slice(from).search(/[^\r\n]/);
  return at === -1 ? -1 : from + at;
}

function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second] = bytes;
  // By the byte order mark, or the zero byte beside the first letter.
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be";
  try {
    const isCut = bytes.length === HEAD_BYTES;
    new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, bytes.length - (isCut ? MAX_CUT_BYTES : 0)), {
      stream: true,
    });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

/** The most frequent delimiter in the first line, outside quotes. */
function delimiterOf(text: string, from: number): Delimiter {
  const counts = { ",": 0, ";": 0, "\t": 0 };
  let isQuoted = false;
  for (let at = from; at < text.length; at++) {
    const sign = text[at] as string;
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /[\r\n]/.test(sign)) break;
    else if (!isQuoted && sign in counts) counts[sign as keyof typeof counts]++;
  }
  const count = (delimiter: string) => counts[delimiter as keyof typeof counts];
  return DELIMITERS.toSorted((one, other) => count(other) - count(one))[0] ?? ",";
}

/** `end`: the start of the next line. */
function recordAt(text: string, from: number, delimiter: Delimiter): { cells: string[]; end: number } {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  let at = from;
  for (; at < text.length; at++) {
    const sign = text[at] as string;
    if (sign === '"' && isQuoted && text[at + 1] === '"') cell += text[at++];
    else if (sign === '"' && (isQuoted || cell === "")) isQuoted = !isQuoted;
    else if (!isQuoted && sign === delimiter) (cells.push(cell), (cell = ""));
    else if (!isQuoted && /[\r\n]/.test(sign)) break;
    else cell += sign;
  }
  const end = text[at] === "\r" && text[at + 1] === "\n" ? at + 2 : at + 1;
  return { cells: [...cells, cell], end: Math.min(end, text.length) };
}

/** The format of a column's cells. */
export type DateFormat = NonNullable<FileCheck["columns"][number]["format"]>;

/**
 * The field of each column: `email`, `subscribed`, `data.<key>`; "" = left out, null = the server derives it from the
 * name. `type`: null = the format that fits all cells.
 */
export type Mapping = readonly ColumnChoice[];
/** `replace`: a list replaces the contact's list; otherwise it is added. */
type ColumnChoice = { readonly field: string | null; readonly type: DateFormat | null; readonly replace?: boolean };

/** Other products write tags as `"vip","new"`. */
const TAGS = /^tags$/i;
const FLAG = /^(newsletter|opt[ _-]?in|abonniert|angemeldet|consent|marketing)$/i;

/** Guesses the mapping before the server suggests one. `keys`: existing data keys, the most common first. */
export function guessMapping(columns: readonly string[], keys: readonly string[]): Mapping {
  const hasFlag = columns.some((column) => /^subscribed$/i.test(column));
  const used = new Set<string>();
  return columns.map((column) => {
    const name = nameKeyFor(column, columns, keys);
    const isTags = TAGS.test(column);
    const type = isTags ? "list" : null;
    const guess = isTags ? "data.tags" : FLAG.test(column) && !hasFlag ? "subscribed" : name && `data.${name}`;
    if (guess === undefined && isNoise(column, columns)) return { field: "", type: null };
    const isTaken = guess !== undefined && used.has(guess);
    if (guess !== undefined) used.add(guess);
    return { field: isTaken ? null : (guess ?? null), type };
  });
}

/** A plain data key from a name. */
export function keyFor(column: string): string {
  const key = plainKey(column.replace(/^data\./, "").trim());
  return key === "" ? "" : `data.${key}`;
}
