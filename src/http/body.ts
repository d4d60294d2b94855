// Reading a JSON body: its size, its syntax, and text that no store could keep.
import { AppError, invalidFields, type FieldError } from "../errors.ts";

/**
 * The parsed body; an empty one is an empty object.
 * @throws AppError PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR (NUL or half a surrogate pair in a string)
 */
export async function readJson(request: Request, limitBytes: number): Promise<unknown> {
  return parseJson(await readText(request, limitBytes));
}

export async function readText(request: Request, limitBytes: number): Promise<string> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limitBytes) throw tooLarge(limitBytes);
  if (declared !== null) return request.text();
  return readCounted(request, limitBytes);
}

export function parseJson(text: string): unknown {
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AppError("INVALID_JSON", `The body is not JSON: ${(error as Error).message}`);
  }
  if (/\\u(0000|[dD][89a-fA-F])/.test(text)) refuseBrokenText(value);
  return value;
}

/** A body without a declared length is counted while it comes in. */
async function readCounted(request: Request, limitBytes: number): Promise<string> {
  if (!request.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > limitBytes) throw tooLarge(limitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function refuseBrokenText(value: unknown): void {
  const errors: FieldError[] = [];
  const open: [path: string, value: unknown][] = [["", value]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, part] = next;
    if (typeof part === "string" && broken(part)) errors.push(brokenText(path));
    if (typeof part !== "object" || part === null) continue;
    for (const [name, inner] of Object.entries(part)) {
      const field = path === "" ? name : `${path}.${name}`;
      if (broken(name)) errors.push(brokenText(path === "" ? "body" : path));
      else open.push([field, inner]);
    }
  }
  if (errors.length > 0) throw invalidFields(errors.slice(0, 100));
}

function broken(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}

function brokenText(field: string): FieldError {
  return { field, message: "The text holds a NUL character or half a surrogate pair.", code: "invalid_string" };
}

function tooLarge(limitBytes: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The body is larger than ${limitBytes} bytes.`);
}
