// Messages whose header does not fit their body: a multipart whose boundary does not occur, or with several
// Content-Type fields (RFC 2045 §5, RFC 2046 §5.1). The parser would find no part, and the message would be empty; here
// it gets the fitting type.
import { fieldsIn } from "../../../content/mime/message-bytes.ts";

const END_OF_HEADER = Buffer.from("\r\n\r\n");
const CRLF = Buffer.from("\r\n");
const MOST_PARTS = 1_000;
const MOST_DEPTH = 4;
const MOST_HEADER_BYTES = 256 * 1024;
/** A delimiter is guessed in the beginning of the body. */
const GUESSED_IN_BYTES = 16 * 1024;

type ByteSpan = { readonly start: number; readonly end: number };
type HeaderEdit = ByteSpan & { readonly header: string };

/** The same bytes if the message is correct. `raw` has CRLF line ends. */
export function withFittingTypes(raw: Buffer): Buffer {
  const edits: HeaderEdit[] = [];
  noteEdits(raw, { start: 0, end: raw.length }, { edits, depth: 0 });
  if (edits.length === 0) return raw;
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { start, end, header } of edits) {
    pieces.push(raw.subarray(at, start), Buffer.from(header, "latin1"));
    at = end;
  }
  return Buffer.concat([...pieces, raw.subarray(at)]);
}

/** A header and its body; edits are noted from the first to the last. */
function noteEdits(
  raw: Buffer,
  { start, end }: ByteSpan,
  { edits, depth }: { edits: HeaderEdit[]; depth: number },
): void {
  const beginning = raw.subarray(start, Math.min(end, start + MOST_HEADER_BYTES));
  const found = start + beginning.indexOf(END_OF_HEADER);
  // Without a header: the body follows the empty line.
  if (found < start || beginning.subarray(0, 2).equals(CRLF)) return;
  const header = raw.toString("latin1", start, found + 2);
  const fields = fieldsIn(header);
  const types = fields.filter((field) => /^content-type\s*:/i.test(field));
  const body = { start: found + 2, end };
  if (!types.some(isMultipart)) return lookAtNoType(raw, body, { edits, start, fields, types });
  const fitting = types.find((type) => isMultipart(type) && isIn(raw, body, boundaryOf(type)));
  const type = fitting ?? types.find((one) => !isMultipart(one)) ?? guessed(raw, body, types[0] as string);
  if (types.length > 1 || type !== types[0]) {
    const others = fields.filter((field) => !types.includes(field));
    edits.push({ start, end: found + 2, header: [...others, type].map((field) => `${field}\r\n`).join("") });
  }
  const boundary = isMultipart(type) ? boundaryOf(type) : "";
  if (boundary === "" || depth === MOST_DEPTH) return;
  for (const part of partsOf(raw, body, boundary)) noteEdits(raw, part, { edits, depth: depth + 1 });
}

type Header = {
  readonly edits: HeaderEdit[];
  readonly start: number;
  readonly fields: string[];
  readonly types: string[];
};

/** A part without a type is text (RFC 2045 §5.2), unless it is a file. */
function lookAtNoType(raw: Buffer, body: ByteSpan, { edits, start, fields, types }: Header): void {
  if (types.length === 0 || types.some((type) => NAMES_TYPE.test(type)) || fields.some(isOfFile)) return;
  const type = guessed(raw, body, types[0] as string);
  const header = [...fields.filter((field) => !types.includes(field)), type].map((field) => `${field}\r\n`).join("");
  edits.push({ start, end: body.start, header });
}

const NAMES_TYPE = /^content-type\s*:\s*[\w!#$&^+.-]+\/\w/i;

function isOfFile(field: string): boolean {
  return /^content-(type|disposition)\s*:/i.test(field) && /\bname\s*=|\battachment\b/i.test(field);
}

function isMultipart(field: string): boolean {
  return /^content-type\s*:\s*multipart\//i.test(field);
}

/** "" = none. */
function boundaryOf(field: string): string {
  const [, quoted, bare = ""] = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(field) ?? [];
  return (quoted?.replace(/\\(.)/g, "$1") ?? bare).trimEnd();
}

function isIn(raw: Buffer, body: ByteSpan, boundary: string): boolean {
  return boundary !== "" && !partsOf(raw, body, boundary).next().done;
}

/** `body` begins with the line end before it. */
function* partsOf(raw: Buffer, body: ByteSpan, boundary: string): Generator<ByteSpan> {
  const own = raw.subarray(body.start, body.end);
  const line = Buffer.from(`\r\n--${boundary}`, "latin1");
  let open: number | null = null;
  let parts = 0;
  for (let at = own.indexOf(line); at !== -1 && parts < MOST_PARTS; at = own.indexOf(line, at + 2)) {
    const lineEnd = own.indexOf(CRLF, at + line.length);
    const rest = own.toString("latin1", at + line.length, lineEnd === -1 ? own.length : lineEnd).trim();
    if (rest !== "" && rest !== "--") continue;
    if (open !== null) yield { start: body.start + open, end: body.start + at + 2 };
    open = rest === "" && lineEnd !== -1 ? lineEnd + 2 : null;
    parts++;
    if (rest === "--") return;
  }
  if (open !== null) yield { start: body.start + open, end: body.end };
}

const DELIMITER = /\r\n--([^\r\n]{1,70}?)[ \t]*\r\n(?=content-[a-z-]{1,40}:)/i;
const PAGE = /^\s*<(!doctype html|html|head|body)\b/i;

/** The type by a line that looks like a delimiter; without one the body is text. */
function guessed(raw: Buffer, body: ByteSpan, first: string): string {
  const text = raw.toString("latin1", body.start, Math.min(body.end, body.start + GUESSED_IN_BYTES));
  const boundary = DELIMITER.exec(text)?.[1];
  const subtype = /multipart\/([\w.+-]{1,40})/i.exec(first)?.[1] ?? "mixed";
  if (boundary !== undefined)
    return `Content-Type: multipart/${subtype}; boundary="${boundary.replace(/["\\]/g, "\\$&")}"`;
  const charset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(first)?.[1];
  return `Content-Type: text/${PAGE.test(text) ? "html" : "plain"}${charset === undefined ? "" : `; charset=${charset}`}`;
}
