// Reading a JSON body: its size, its encoding, its syntax, and text that no store could keep.
import { AppError, invalidFields, type FieldError } from "../errors.ts";
import { isDeeperThan } from "./nesting.ts";

/** Stands for a body that is not read before the caller's key is known. */
export const UNREAD = Symbol("unread body");

const MAX_NESTING_LEVELS = 100;
const MAX_FIELD_ERRORS = 100;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The parsed body; an empty one is an empty object.
 * @throws AppError PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR (NUL or half a surrogate pair in a string)
 */
export async function readJson(request: Request, limitBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, limitBytes);
  try {
    return parseJson(asText(bytes));
  } catch (error) {
    throw isCompressed(request) ? compressed() : error;
  }
}

/** Asked only of a body that cannot be read: some callers name an encoding and send plain JSON. */
function isCompressed({ headers }: Request): boolean {
  return /gzip|deflate|compress|br|zstd/i.test(headers.get("content-encoding") ?? "");
}

function compressed(): AppError {
  return new AppError("INVALID_JSON", "The body has a Content-Encoding, which is not supported.", {
    suggestion: "Send the body uncompressed, without the header Content-Encoding.",
  });
}

/** The fields of a form of a page of ours. @throws AppError PAYLOAD_TOO_LARGE */
export async function readForm(request: Request, limitBytes: number): Promise<URLSearchParams> {
  return new URLSearchParams(Buffer.from(await readBytes(request, limitBytes)).toString("utf8"));
}

async function readBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limitBytes) throw tooLarge(limitBytes);
  try {
    return await (declared === null ? readCounted(request, limitBytes) : request.bytes());
  } catch (error) {
    // The caller has gone away: no fault of ours, and none to be logged.
    throw error instanceof AppError ? error : new AppError("INVALID_JSON", "The body ended early.");
  }
}

/** A body without a declared length is counted while it comes in. */
async function readCounted(request: Request, limitBytes: number): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > limitBytes) throw tooLarge(limitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What is not UTF-8 would reach the recipient as replacement characters. */
function asText(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new AppError("INVALID_JSON", "The body is not UTF-8.");
  }
}

function parseJson(text: string): unknown {
  if (text.trim() === "") return {};
  if (isDeeperThan(text, MAX_NESTING_LEVELS))
    throw new AppError("INVALID_JSON", `The body is nested deeper than ${MAX_NESTING_LEVELS} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message.replace(/^JSON Parse error: /, "").slice(0, 100);
    throw new AppError("INVALID_JSON", `The body is not JSON: ${reason}`);
  }
  if (/\\u(0000|[dD][89a-fA-F])/.test(text)) refuseBrokenText(value);
  return value;
}

/** @throws AppError VALIDATION_ERROR for a NUL character or half a surrogate pair in any text of the value */
export function refuseBrokenText(value: unknown): void {
  const errors: FieldError[] = [];
  const open: [path: string, value: unknown][] = [["", value]];
  for (let next = open.pop(); next && errors.length < MAX_FIELD_ERRORS; next = open.pop()) {
    const [path, part] = next;
    if (typeof part === "string" && broken(part)) errors.push(brokenText(path));
    if (typeof part !== "object" || part === null) continue;
    for (const [name, inner] of Object.entries(part)) {
      if (broken(name)) errors.push(brokenText(path));
      else open.push([path === "" ? name : `${path}.${name}`, inner]);
    }
  }
  if (errors.length > 0) throw invalidFields(errors.slice(0, MAX_FIELD_ERRORS));
}

function broken(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}

function brokenText(path: string): FieldError {
  const message = "The text holds a NUL character or half a surrogate pair.";
  return { field: path || "body", message, code: "invalid_string" };
}

export function tooLarge(limitBytes: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The body is larger than ${limitBytes} bytes.`);
}
