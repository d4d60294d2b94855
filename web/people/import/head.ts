// The head of a file of people, read in the browser: its columns are named here, and the rest of it goes to the server as it is.

export type Head = {
  readonly file: Blob;
  readonly name: string;
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  readonly columns: readonly string[];
  readonly samples: readonly (readonly string[])[];
  /** Where the first line ends, in bytes. */
  readonly endsAt: number;
};

const DELIMITERS = [",", ";", "\t"] as const;
export type Delimiter = (typeof DELIMITERS)[number];
export type Encoding = "utf-8" | "windows-1252" | "utf-16le" | "utf-16be";

const HEAD_BYTES = 64 * 1024;
const SAMPLES = 3;
/** A character that the piece cuts through has so many bytes at most. */
const MAX_CUT_BYTES = 3;

/** `as`: what the file turned out to be. Null if the file has no line. */
export async function headOf(file: File, as?: Encoding): Promise<Head | null> {
  const start = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const encoding = as ?? encodingOf(start);
  if (encoding === "utf-8") return inUtf8(file, file.name, encoding);
  // The server takes UTF-8 alone; spreadsheets often write something else.
  const text = new TextDecoder(encoding).decode(await file.arrayBuffer());
  return inUtf8(new Blob([text], { type: "text/csv" }), file.name, encoding);
}

function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
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

async function inUtf8(file: Blob, name: string, encoding: Encoding): Promise<Head | null> {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const first = text.search(/[^\uFEFF\r\n]/);
  if (first === -1) return null;
  const delimiter = delimiterOf(text, first);
  const header = recordAt(text, first, delimiter);
  const samples: string[][] = [];
  for (let at = header.end; at < text.length && samples.length < SAMPLES;) {
    const record = recordAt(text, at, delimiter);
    if (record.cells.length > 1 || record.cells[0] !== "") samples.push(record.cells);
    at = record.end;
  }
  const endsAt = new TextEncoder().encode(text.slice(0, header.end)).length;
  return { file, name, encoding, delimiter, columns: header.cells.map((cell) => cell.trim()), samples, endsAt };
}

/** The most frequent one in the first line, outside quotes. */
function delimiterOf(text: string, from: number): Delimiter {
  const counts = { ",": 0, ";": 0, "\t": 0 };
  let isQuoted = false;
  for (let at = from; at < text.length; at++) {
    const sign = text[at] as string;
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /[\r\n]/.test(sign)) break;
    else if (!isQuoted && sign in counts) counts[sign as Delimiter]++;
  }
  return [...DELIMITERS].sort((one, other) => counts[other] - counts[one])[0] ?? ",";
}

/** `end`: where the next line begins. */
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

/** What each column becomes: `email`, `subscribed`, `data.<key>`; "" = left out. */
export type Mapping = readonly string[];

/** The file with its columns named so; the line count stays. */
export function fileFor({ file, name, delimiter, endsAt }: Head, mapping: Mapping): File {
  const quoted = mapping.map((field) => (/[",;\t]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field));
  // A first cell without a name would make the line look empty.
  const line = mapping.length === 1 ? quoted.join("") : quoted.join(delimiter);
  return new File([`${line}\n`, file.slice(endsAt)], name, { type: "text/csv" });
}

const ADDRESS = /^e-?mail([ -_]?(address|adresse))?$|^(mail|address|adresse)$/i;
const FLAG = /^(subscribed|newsletter|opt[ -_]?in|abonniert|angemeldet|consent|marketing)$/i;

const NAME = /^(full[ _-]?)?name$|^vollständiger name$/i;
const FIRST_NAME = /^(first|given)[ _-]?name$|^vorname$/i;
const LAST_NAME = /^(last|family)[ _-]?name$|^surname$|^(nach|familien)name$/i;

/** What the columns most likely are. */
export function guessed(columns: readonly string[]): Mapping {
  const taken = new Set<string>();
  return columns.map((column) => {
    const guess = ADDRESS.test(column)
      ? "email"
      : FLAG.test(column)
        ? "subscribed"
        : (nameIn(column, columns) ?? keyFor(column));
    if (guess === "" || taken.has(guess)) return "";
    taken.add(guess);
    return guess;
  });
}

/** What people are called, as the pages and the first words of a mail read it: a first name alone is the name. */
function nameIn(column: string, columns: readonly string[]): string | undefined {
  if (NAME.test(column)) return "data.name";
  if (LAST_NAME.test(column)) return "data.lastName";
  if (!FIRST_NAME.test(column)) return undefined;
  return columns.some((other) => NAME.test(other) || LAST_NAME.test(other)) ? "data.firstName" : "data.name";
}

/** A key that filters can name. */
export function keyFor(column: string): string {
  const key = column
    .replace(/^data\./, "")
    .replace(/[."\\\p{Cc}]/gu, " ")
    .trim();
  return key === "" ? "" : `data.${key}`;
}
