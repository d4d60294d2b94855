// The file of a form (multipart/form-data, RFC 7578), read as it comes in: never more of it in memory than a piece.
import { AppError, invalidField } from "../errors.ts";
import { tooLarge } from "./body.ts";

/** RFC 2046 §5.1.1: a boundary has at most 70 characters. */
const BOUNDARY = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i;
const NAME = /^content-disposition:\s*form-data\s*;(?:.*?;)??\s*name=(?:"((?:[^"\\\r\n]|\\.)*)"|([^\s;"]+))/im;
const MAX_HEAD_BYTES = 8 * 1024;
const MAX_PARTS = 100;

/**
 * The bytes of the form's field `field`, to be read to their end; other fields are passed over.
 * @throws AppError INVALID_MULTIPART, PAYLOAD_TOO_LARGE, VALIDATION_ERROR if the field is missing or there twice
 */
export async function* fileOf(request: Request, field: string, limitBytes: number): AsyncGenerator<Uint8Array> {
  const [, quoted, plain] = BOUNDARY.exec(request.headers.get("content-type") ?? "") ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw broken("The body is no form (multipart/form-data).");
  if (Number(request.headers.get("content-length")) > limitBytes) throw tooLarge(limitBytes);
  const body = new Pieces(counted(request, limitBytes));
  const end = Buffer.from(`\r\n--${boundary}`);
  await drained(body.until(end));
  let found = 0;
  for (let parts = 0; !(await body.startsWith("--")); parts++) {
    if (parts === MAX_PARTS) throw broken(`The form has more than ${MAX_PARTS} fields.`);
    const isFile = nameIn(await headOf(body)) === field;
    if (isFile && ++found > 1) throw invalidField(field, "The form has more than one file.", "too_many");
    if (isFile) yield* body.until(end);
    else await drained(body.until(end));
  }
  await drained(body.rest());
  if (found === 0) throw invalidField(field, "The form has no such field.", "required");
}

/** Bytes that come in pieces, cut where they are to be cut. As if a line ended before them: the first boundary may come at once. */
class Pieces {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.from("\r\n");

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** What comes before `mark`, which is taken off. @throws AppError INVALID_MULTIPART if it never comes */
  async *until(mark: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      const sure = at === -1 ? Math.max(0, this.#held.length - mark.length + 1) : at;
      if (sure > 0) yield this.#take(sure);
      if (at !== -1) return void this.#take(mark.length);
      if (!(await this.#more())) throw broken("The form ends in the middle.");
    }
  }

  /** Takes nothing. */
  async startsWith(text: string): Promise<boolean> {
    while (this.#held.length < text.length) {
      if (!(await this.#more())) throw broken("The form ends in the middle.");
    }
    return this.#held.toString("latin1", 0, text.length) === text;
  }

  async *rest(): AsyncGenerator<Uint8Array> {
    while (await this.#more()) yield this.#take(this.#held.length);
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#source.next();
    if (done) return false;
    this.#held =
      this.#held.length === 0
        ? Buffer.from(value.buffer, value.byteOffset, value.length)
        : Buffer.concat([this.#held, value]);
    return true;
  }
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

/** The header fields of a part, with the line end before them. */
async function headOf(body: Pieces): Promise<string> {
  let head = "";
  for await (const piece of body.until(Buffer.from("\r\n\r\n"))) {
    head += Buffer.from(piece).toString("utf8");
    if (head.length > MAX_HEAD_BYTES) throw broken("A field of the form has too long a head.");
  }
  return head;
}

function nameIn(head: string): string | null {
  const [, quoted, plain] = NAME.exec(head) ?? [];
  return quoted?.replace(/\\(.)/g, "$1") ?? plain ?? null;
}

async function drained(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of pieces);
}

function broken(message: string): AppError {
  return new AppError("INVALID_MULTIPART", message);
}
