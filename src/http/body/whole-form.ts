// A form as a whole (multipart/form-data or x-www-form-urlencoded), for calls of services that take no JSON.
import { AppError, invalidField } from "../../base/errors.ts";
import { readJson, refuseBrokenText, UNREAD, withBytes, type BodyRoom } from "./body.ts";

/** `content`: base64. */
export type FormFile = { readonly filename: string; readonly contentType: string; readonly content: string };

/** The values of each field, in their order. `json`: what came in place of a form. */
export type WholeForm = {
  readonly texts: Readonly<Record<string, readonly string[]>>;
  readonly files: Readonly<Record<string, readonly FormFile[]>>;
  readonly json?: unknown;
};

/** The last value of a text field; undefined = it is missing or empty. */
export function lastValue({ texts }: WholeForm, field: string): string | undefined {
  return texts[field]?.at(-1) || undefined;
}

/** Each costs some microseconds. */
const MOST_FIELDS = 5_000;

/**
 * The form of a request, which is empty without a body.
 * @throws AppError PAYLOAD_TOO_LARGE, SERVER_BUSY, INVALID_MULTIPART, VALIDATION_ERROR, and as `readJson`
 */
export async function readWholeForm(request: Request, body: unknown, room: BodyRoom): Promise<unknown> {
  if (body !== UNREAD) return body;
  const type = request.headers.get("content-type") ?? "";
  if (/^\s*application\/json\b/i.test(type)) return { texts: {}, files: {}, json: await readJson(request, room) };
  return withBytes(request, room, (bytes) => formIn(bytes, type));
}

async function formIn(bytes: Uint8Array, type: string): Promise<WholeForm> {
  if (bytes.length === 0) return { texts: {}, files: {} };
  refuseTooMany(bytes, type);
  const form = await parsed(bytes, type);
  const texts: Record<string, string[]> = Object.create(null);
  const files: Record<string, FormFile[]> = Object.create(null);
  for (const [name, value] of form) {
    if (typeof value === "string") (texts[name] ??= []).push(value);
    else (files[name] ??= []).push(await fileFrom(value));
  }
  refuseBrokenText(texts);
  return { texts, files };
}

async function parsed(bytes: Uint8Array, type: string): Promise<Iterable<readonly [string, string | File]>> {
  try {
    return (await new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: { "content-type": type },
    }).formData()) as unknown as Iterable<readonly [string, string | File]>;
  } catch {
    throw new AppError("INVALID_MULTIPART", "The body is not a form (multipart/form-data).");
  }
}

async function fileFrom(file: File): Promise<FormFile> {
  return {
    filename: file.name,
    contentType: file.type,
    content: Buffer.from(await file.arrayBuffer()).toString("base64"),
  };
}

/** @throws AppError VALIDATION_ERROR */
function refuseTooMany(bytes: Uint8Array, type: string): void {
  const boundary = /boundary="?([^\s";]+)/i.exec(type)?.[1];
  const between = boundary === undefined ? "&" : `--${boundary}`;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = body.indexOf(between); at >= 0; at = body.indexOf(between, at + between.length))
    if (++count > MOST_FIELDS) throw invalidField("request", `A form has at most ${MOST_FIELDS} fields.`, "too_big");
}
