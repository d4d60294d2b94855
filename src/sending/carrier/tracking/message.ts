// A complete message with tracked HTML: the rest of it stays unchanged, byte by byte.
import { fieldsIn, takenApart, valueIn } from "../../../content/mime/message-bytes.ts";
import { encodedText } from "../../../content/mime/mime-part.ts";
import { boundaryIn, encodingIn, typeIn, withEncoding, withParts } from "../message/mime-entity.ts";
import { tracked } from "./html.ts";
import type { TrackingMarks } from "./links.ts";

const MAX_DEPTH = 20;

/** A change would break the signature, or the part cannot be read. */
const SEALED = /^multipart\/(signed|encrypted)$/;

type TrackingSearch = { readonly marks: TrackingMarks; readonly untouched: readonly string[]; isFound: boolean };

/**
 * As `tracked`, for the first HTML part that is shown. A message without such a part, signed or encrypted, or
 * unreadable, stays unchanged. `raw` has CRLF line ends.
 */
export function trackedMessage(raw: Buffer, marks: TrackingMarks, untouched: readonly string[]): Buffer {
  try {
    return entity(raw, { marks, untouched, isFound: false }, 0);
  } catch {
    return raw;
  }
}

function entity(raw: Buffer, search: TrackingSearch, depth: number): Buffer {
  if (search.isFound || depth > MAX_DEPTH) return raw;
  const { header, body } = takenApart(raw);
  const type = typeIn(header);
  if (type === "text/html") return htmlPart(header, body, search) ?? raw;
  if (!type.startsWith("multipart/") || SEALED.test(type)) return raw;
  const part = (piece: Buffer) => entity(piece, search, depth + 1);
  const parts = withParts(body, boundaryIn(header), { part, beside: (piece) => piece });
  return Buffer.concat([raw.subarray(0, raw.length - body.length), parts]);
}

/** Null if no part is shown, or it cannot be read. */
function htmlPart(header: string, body: Buffer, search: TrackingSearch): Buffer | null {
  const html = isShown(header) ? decodedBody(body, encodingIn(header)) : null;
  if (!html) return null;
  search.isFound = true;
  const [encoding, text] = encodedText(Buffer.from(tracked(html, search.marks, search.untouched)));
  return withEncoding(header, encoding, Buffer.from(text, "latin1"));
}

/** In UTF-8, as everything that we write, and not a file. */
function isShown(header: string): boolean {
  const headerValue = (name: string) =>
    valueIn(fieldsIn(header).find((field) => field.toLowerCase().startsWith(name)) ?? "");
  const charset = /;\s*charset\s*=\s*"?([\w-]+)/i.exec(headerValue("content-type:"))?.[1] ?? "us-ascii";
  return /^(utf-8|us-ascii)$/i.test(charset) && !/^attachment\b/i.test(headerValue("content-disposition:"));
}

/** Null if it is not encoded as its header says. */
function decodedBody(body: Buffer, encoding: string): string | null {
  const bytes = decoded(body, encoding);
  const text = bytes?.toString("utf8");
  return text !== undefined && bytes?.equals(Buffer.from(text)) ? text : null;
}

function decoded(body: Buffer, encoding: string): Buffer | null {
  if (encoding === "base64") return Buffer.from(body.toString("latin1"), "base64");
  if (encoding === "7bit" || encoding === "8bit" || encoding === "binary") return body;
  if (encoding !== "quoted-printable") return null;
  const text = body
    .toString("latin1")
    .replace(/=[ \t]*\r\n/g, "")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(text, "latin1");
}
