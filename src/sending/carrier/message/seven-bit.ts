// A message with text beyond ASCII or over-long lines, made fit for every next hop: its parts are encoded, and the rest
// stays unchanged.
import { isAscii } from "node:buffer";
import { asciiField } from "../../../content/mime/ascii-field.ts";
import { fieldsIn, hasLongLine, takenApart } from "../../../content/mime/message-bytes.ts";
import { base64Body, encodedText } from "../../../content/mime/mime-part.ts";
import { boundaryIn, encodingIn, typeIn, withEncoding, withParts } from "./mime-entity.ts";

const MAX_DEPTH = 20;
const MAX_PARTS = 1_000;

/**
 * The same message in ASCII, with no line over 998 octets (RFC 2045 §6). `raw` has CRLF line ends.
 * @throws Error if that would break a signature, or a part cannot be read
 */
export function inSevenBits(raw: Buffer): Buffer {
  return entity(raw, { depth: 0, left: { parts: MAX_PARTS } });
}

type NestingBudget = { readonly depth: number; readonly left: { parts: number } };

function entity(raw: Buffer, place: NestingBudget): Buffer {
  if (isFit(raw)) return raw;
  if (place.depth > MAX_DEPTH || place.left.parts-- === 0) throw new Error("The message has too many parts.");
  const { header, body } = takenApart(raw);
  const fields = asciiFields(header);
  const type = typeIn(fields);
  if (type === "multipart/signed") throw new Error("A signed part cannot be encoded for a relay without 8BITMIME.");
  if (type.startsWith("multipart/")) return withEncoding(fields, "7bit", multipart(body, boundaryIn(fields), place));
  if (type === "message/rfc822") return withEncoding(fields, "7bit", entity(body, deeper(place)));
  return leaf(fields, type, body);
}

function leaf(fields: string, type: string, body: Buffer): Buffer {
  const encoding = encodingIn(fields);
  if (isFit(body)) return Buffer.concat([Buffer.from(`${fields}\r\n`, "latin1"), body]);
  if (encoding === "base64") {
    return withEncoding(
      fields,
      "base64",
      Buffer.from(base64Body(Buffer.from(body.toString("latin1"), "base64")), "latin1"),
    );
  }
  if (encoding === "quoted-printable") throw new Error("A part is not quoted-printable, as its header says.");
  if (!type.startsWith("text/")) return withEncoding(fields, "base64", Buffer.from(base64Body(body), "latin1"));
  const [name, text] = encodedText(body);
  return withEncoding(fields, name, Buffer.from(text, "latin1"));
}

/** Readers never see the text before the first and after the last part, so it is left out if it is not ASCII. */
function multipart(body: Buffer, boundary: string, place: NestingBudget): Buffer {
  return withParts(body, boundary, {
    part: (raw) => entity(raw, deeper(place)),
    beside: (raw) => (isFit(raw) ? raw : null),
  });
}

function asciiFields(header: string): string {
  return isAscii(Buffer.from(header, "latin1")) ? header : fieldsIn(header).map(sevenBitField).join("");
}

/** An unreadable field is encoded byte by byte, unless it delimits the message's parts. */
function sevenBitField(field: string): string {
  const written = asciiField(`${field}\r\n`);
  const ascii = written.replace(
    /[^\x00-\x7f]+/g,
    (bytes) => `=?utf-8?B?${Buffer.from(bytes, "latin1").toString("base64")}?=`,
  );
  const isKept = ascii === written || !/^content-type:/i.test(field);
  if (isKept && !hasLongLine(Buffer.from(ascii, "latin1"))) return ascii;
  throw new Error("A field beyond ASCII in the header of a part cannot be encoded.");
}

function isFit(bytes: Buffer): boolean {
  return isAscii(bytes) && !hasLongLine(bytes);
}

function deeper({ depth, left }: NestingBudget): NestingBudget {
  return { depth: depth + 1, left };
}
