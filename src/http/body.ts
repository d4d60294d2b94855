// Reading a JSON body: its size, its encoding, its syntax, and text that no store could keep.
import { AppError, invalidField } from "../errors.ts";
import { excessOf, type Bounds } from "./nesting.ts";

/** Stands for a body that is not read before the caller's key is known. */
export const UNREAD = Symbol("unread body");

/** interface-gaps.md §1. Everybody waits while a body is parsed and checked, and that takes as long as it has parts. */
const BOUNDS = { levels: 100, keys: 20_000, items: 100_000 } as const;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The parsed body; an empty one is an empty object.
 * @throws AppError PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR (too many keys or items, NUL or half a surrogate
 * pair in a string)
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
  const excess = excessOf(text, BOUNDS);
  if (excess) throw beyond(excess);
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

function beyond(excess: keyof Bounds): AppError {
  if (excess === "levels")
    return new AppError("INVALID_JSON", `The body is nested deeper than ${BOUNDS.levels} levels.`);
  return invalidField("body", `At most ${BOUNDS[excess]} ${excess} can stand in one body.`, "too_big");
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

function broken(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}

function brokenText(path: string): AppError {
  return invalidField(path || "body", "The text holds a NUL character or half a surrogate pair.", "invalid_string");
}

export function tooLarge(limitBytes: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The body is larger than ${limitBytes} bytes.`);
}
