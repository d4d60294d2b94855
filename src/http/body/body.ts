// Reads a JSON body: its size, its encoding, its syntax, and text that no store could keep.
//
// A body is read as a stream once the key is known, because the key and the route decide how large it may be. What has
// arrived is taken from one memory for all bodies (brakes/shared-bytes.ts). An HTTP client that finds no memory is
// answered 503 and does not wait: Bun reads a megabyte ahead on each waiting connection.
import { AppError, invalidField } from "../../base/errors.ts";
import { jsonFault } from "./json-fault.ts";
import { SharedBytes, type ByteShare } from "../../base/brakes/shared-bytes.ts";

/** In place of the body until the caller's key is known and it may be read. */
export const UNREAD = Symbol("unread body");

/** The room for a body. */
export type BodyRoom = {
  readonly limitBytes: number;
  /** Shared by all bodies that are being read. */
  readonly memory: SharedBytes;
  /** The sender of the body: a single sender never takes all of the memory. */
  readonly holder: string;
};

/** A body that is announced as no larger than this arrives with the head of its request, and needs no room. */
const SMALL_BYTES = 16 * 1024;
const BUSY_SECONDS = 2;
/** A single caller gets half of the memory, which is two of the largest bodies. */
const LARGEST_BODIES = 4;
const LEAST_MEMORY_BYTES = 64 * 1024 * 1024;
/** All requests wait while a body is parsed and checked, which takes as long as it has parts. */
const BOUNDS = { levels: 100, keys: 20_000, items: 20_000 } as const;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** For all bodies that are being read, where the largest has `limitBytes`. */
export function memoryForBodies(limitBytes: number): SharedBytes {
  return new SharedBytes(Math.max(LEAST_MEMORY_BYTES, LARGEST_BODIES * limitBytes));
}

/**
 * The parsed body; an empty one, and null, is an empty object. `prepared`: its text as it is to be parsed.
 * @throws AppError PAYLOAD_TOO_LARGE, SERVER_BUSY, INVALID_JSON, VALIDATION_ERROR (too many keys or items, NUL or half
 * a surrogate pair in a string)
 */
export function readJson(request: Request, room: BodyRoom, prepared = asItIs): Promise<unknown> {
  return withBytes(request, room, (bytes) => {
    try {
      const text = asText(bytes);
      if (isForm(request, text)) throw formEncoded();
      return parseJson(prepared(text));
    } catch (error) {
      throw isCompressed(request) ? compressed() : error;
    }
  });
}

/** Some programs name a form and send plain JSON. */
function isForm({ headers }: Request, text: string): boolean {
  const type = headers.get("content-type");
  if (type === null || !/^\s*(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) return false;
  return /^\s*[^\s{["]/.test(text) && !/^\s*(null|true|false|-?\d+)\s*$/.test(text);
}

function formEncoded(): AppError {
  return new AppError("INVALID_JSON", "The body is form-encoded, and this call takes JSON.", {
    suggestion: "Send JSON, with the header Content-Type: application/json.",
  });
}

function asItIs(text: string): string {
  return text;
}

/** A body whose bytes are signed. @throws AppError PAYLOAD_TOO_LARGE, SERVER_BUSY, INVALID_JSON (not UTF-8) */
export function readText(request: Request, room: BodyRoom): Promise<string> {
  return withBytes(request, room, asText);
}

/** Checked only for an unreadable body: some callers name an encoding and send plain JSON. */
function isCompressed({ headers }: Request): boolean {
  return /gzip|deflate|compress|br|zstd/i.test(headers.get("content-encoding") ?? "");
}

function compressed(): AppError {
  return new AppError("INVALID_JSON", "The body has a Content-Encoding, which is not supported.", {
    suggestion: "Send the body uncompressed, without the header Content-Encoding.",
  });
}

/** The fields of a form of a page of ours. @throws AppError PAYLOAD_TOO_LARGE, SERVER_BUSY */
export function readForm(request: Request, room: BodyRoom): Promise<URLSearchParams> {
  return withBytes(request, room, (bytes) => new URLSearchParams(Buffer.from(bytes).toString("utf8")));
}

/** @throws AppError PAYLOAD_TOO_LARGE, SERVER_BUSY, and as `use` */
export async function withBytes<T>(
  request: Request,
  room: BodyRoom,
  use: (bytes: Uint8Array) => T | Promise<T>,
): Promise<T> {
  const { limitBytes, memory, holder } = room;
  const declared = Number(request.headers.get("content-length") ?? Number.NaN);
  if (declared > limitBytes) throw tooLarge(limitBytes);
  const share = declared <= SMALL_BYTES ? null : memory.share(holder);
  let bytes: Uint8Array | null = null;
  try {
    bytes = await (share ? readCounted(request, limitBytes, share) : request.bytes());
    const used = use(bytes);
    // JSON is read at once: a request that carries it does not pay for the wait.
    return used instanceof Promise ? await used : used;
  } catch (error) {
    throw bytes === null ? endedEarly(error) : error;
  } finally {
    share?.release();
  }
}

/** The caller has gone away: no fault of ours, and none to be logged. */
function endedEarly(error: unknown): unknown {
  return error instanceof AppError ? error : new AppError("INVALID_JSON", "The body ended early.");
}

/**
 * A larger body is counted while it comes in: only bytes that have arrived take room. When this throws, the rest of the
 * body is skipped.
 */
async function readCounted(request: Request, limitBytes: number, share: ByteShare): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > limitBytes) throw tooLarge(limitBytes);
    if (!share.take(chunk.length)) throw busy();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function busy(): AppError {
  const message = "The server has no memory left for large bodies at the moment.";
  return new AppError("SERVER_BUSY", message, { retryAfterSeconds: BUSY_SECONDS });
}

/** Text that is not UTF-8 would reach the recipient as replacement characters. */
function asText(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new AppError("INVALID_JSON", "The body is not UTF-8.");
  }
}

function parseJson(text: string): unknown {
  if (text.trim() === "") return {};
  const excess = excessOf(text, BOUNDS);
  if (excess) throw beyond(excess);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notJson(text);
  }
  if (/\\u(0000|[dD][89a-fA-F])/.test(text)) refuseBrokenText(value);
  if (/\d{16}/.test(text)) refuseLargeNumbers(text);
  return value ?? {};
}

function notJson(text: string): AppError {
  const fault = jsonFault(text);
  if (fault === null) return new AppError("INVALID_JSON", "The body is not JSON.");
  const { line, column, message } = fault;
  const where = `The body is not JSON: in line ${line}, column ${column}, ${message}.`;
  const errors = [{ field: "body", message: where, code: "invalid_json", line, column }];
  return new AppError("INVALID_JSON", where, { errors });
}

function beyond(excess: keyof JsonBounds): AppError {
  if (excess === "levels")
    return new AppError("INVALID_JSON", `The body is nested deeper than ${BOUNDS.levels} levels.`);
  return invalidField("body", `A body has at most ${BOUNDS[excess]} ${excess}.`, "too_big");
}

/** @throws AppError VALIDATION_ERROR at the first NUL character or half of a surrogate pair in any text of the value */
export function refuseBrokenText(value: unknown, path = ""): void {
  if (typeof value === "string" && broken(value)) throw brokenText(path);
  if (typeof value !== "object" || value === null) return;
  for (const name in value) {
    if (broken(name)) throw brokenText(path);
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    refuseBrokenText(inner, path === "" ? name : `${path}.${name}`);
  }
}

/**
 * @throws AppError VALIDATION_ERROR at a whole number that would lose digits, also one that is written as a fraction
 * (`….0`)
 */
function refuseLargeNumbers(json: string): void {
  const isLarge = (source: string, value: number) =>
    /^-?\d+(\.\d+)?$/.test(source) && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  // The compiler does not know that the reviver gets the source of a number.
  const mark = (_: string, value: unknown, { source }: { readonly source: string }) =>
    typeof value === "number" && isLarge(source, value) ? Infinity : value;
  const marked = JSON.parse(json, mark as (key: string, value: unknown) => unknown);
  const path = pathTo(Infinity, marked);
  if (path === null) return;
  const message = "A number is beyond 2^53 and would lose digits: send it as a text.";
  throw invalidField(path || "body", message, "too_big");
}

/** The path of the first place in `value` that has `target`; null = none has it. */
function pathTo(target: unknown, value: unknown): string | null {
  if (value === target) return "";
  if (typeof value !== "object" || value === null) return null;
  for (const name in value) {
    const rest = pathTo(target, (value as Readonly<Record<string, unknown>>)[name]);
    if (rest !== null) return rest === "" ? name : `${name}.${rest}`;
  }
  return null;
}

function broken(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}

function brokenText(path: string): AppError {
  return invalidField(path || "body", "The text contains a NUL character or half a surrogate pair.", "invalid_string");
}

export function tooLarge(limitBytes: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The body is larger than ${limitBytes} bytes.`);
}

/** Codes of characters: comparing them takes less time than comparing texts. */
const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The limits of a JSON text. */
export type JsonBounds = { readonly levels: number; readonly keys?: number; readonly items?: number };

/**
 * The bound that `json` exceeds; null = none. `items` are all values but the first of each list or object. Takes one
 * pass, and stops at the excess.
 */
export function excessOf(
  json: string,
  { levels, keys = Infinity, items = Infinity }: JsonBounds,
): keyof JsonBounds | null {
  // Each key has a colon, each item a comma, and each level a bracket: the usual body has not enough of them.
  if (json.length <= Math.min(keys, items) && !hasMore(levels, json)) return null;
  let [depth, colons, commas] = [0, 0, 0];
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === LIST_END || code === OBJECT_END) depth--;
    else if ((code === LIST || code === OBJECT) && ++depth > levels) return "levels";
    else if (code === COLON && ++colons > keys) return "keys";
    else if (code === COMMA && ++commas > items) return "items";
  }
  return null;
}

/** More brackets than `most` that open a level; those in strings count too. */
function hasMore(most: number, json: string): boolean {
  let count = 0;
  for (const bracket of ["[", "{"])
    for (let at = json.indexOf(bracket); at >= 0; at = json.indexOf(bracket, at + 1)) if (++count > most) return true;
  return false;
}

/** The end of the JSON string that begins at `start`. */
export function endOfString(json: string, start: number): number {
  const end = json.indexOf('"', start + 1);
  if (end === -1) return json.length;
  if (json.charCodeAt(end - 1) !== BACKSLASH) return end;
  // Where there is one escape there are many: HTML has its quotation marks escaped.
  for (let at = start + 1; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return json.length;
}
