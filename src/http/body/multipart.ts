// A form with a file (multipart/form-data, RFC 7578), read as it arrives: only a piece of the file is in memory.
import { on } from "node:events";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { AppError, invalidField } from "../../base/errors.ts";
import { tooLarge } from "./body.ts";

const LIMITS = { parts: 100, headerSize: 8 * 1024, headerPairs: 20 };
const MAX_FIELD_BYTES = 256 * 1024;

export type MultipartForm = {
  readonly request: Request;
  readonly limitBytes: number;
  /** Receives the texts of the other fields, those behind the file once it has been read. */
  readonly fields: Map<string, string>;
  /** Called with the name of the file, if it has one. */
  readonly named?: (fileName: string) => void;
};

/**
 * The bytes of the form's field `field`, to be read to their end.
 * @throws AppError INVALID_MULTIPART, PAYLOAD_TOO_LARGE, VALIDATION_ERROR if the field is missing or occurs twice
 */
export async function* fileOf(
  { request, limitBytes, fields, named }: MultipartForm,
  field: string,
): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get("content-length")) > limitBytes) throw tooLarge(limitBytes);
  const form = formOf(request);
  const parts = on(form, "file", { close: ["finish"] });
  let [found, part]: [number, BusboyFileStream | null] = [0, null];
  // A failed body fails the part that is being read, and the loop.
  pipeline(counted(request, limitBytes), form).catch((error: Error) => part?.destroy(error));
  try {
    for await (const [name, stream, fileName] of parts as AsyncIterable<readonly [string, BusboyFileStream, string?]>) {
      part = stream.on("error", () => undefined);
      if (name !== field) fields.set(name, await fieldValue(stream, name));
      else if (++found === 1) {
        if (fileName) named?.(fileName);
        yield* part as AsyncIterable<Uint8Array>;
      } else throw invalidField(field, "The form has more than one file.", "too_many");
    }
  } catch (error) {
    throw error instanceof AppError ? error : broken((error as Error).message);
  } finally {
    form.destroy();
  }
  if (found === 0) throw invalidField(field, "The form has no such field.", "required");
}

/** @throws AppError VALIDATION_ERROR */
async function fieldValue(stream: BusboyFileStream, name: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size <= MAX_FIELD_BYTES) pieces.push(piece);
  }
  if (size > MAX_FIELD_BYTES) throw invalidField(name, "The field is too long.", "too_big");
  return Buffer.concat(pieces).toString("utf8");
}

/**
 * Every part counts as a file, so that none is kept in memory. @throws AppError INVALID_MULTIPART for another content
 * type
 */
function formOf({ headers }: Request): BusboyInstance {
  const type = headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;.*boundary="?[^\s";]/i.test(type))
    throw broken("The body is not a form (multipart/form-data).");
  const form = new Busboy({ headers: { "content-type": type }, limits: LIMITS, isPartAFile: () => true });
  form.once("partsLimit", () => form.destroy(broken(`The form has more than ${LIMITS.parts} fields.`)));
  return form;
}

/** @throws AppError INVALID_MULTIPART if the caller goes away in the middle */
async function* counted(request: Request, limitBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  const pieces = (request.body ?? new Blob([]).stream())[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await pieces.next().catch(() => Promise.reject(broken("The body ended early.")));
    if (done) return;
    size += value.length;
    if (size > limitBytes) throw tooLarge(limitBytes);
    yield value;
  }
}

function broken(message: string): AppError {
  return new AppError("INVALID_MULTIPART", message);
}
