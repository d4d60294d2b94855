// A message with text beyond ASCII or with over-long lines, made fit for every next hop: its parts encoded again, all else as it was.
import { isAscii } from "node:buffer";
import { asciiField } from "../emails/ascii-field.ts";
import { fieldsIn, hasLongLine, takenApart } from "../emails/message-bytes.ts";
import { base64Body, encodedText } from "../emails/mime-part.ts";

const DEEPEST_PARTS = 20;
const MOST_PARTS = 1_000;
const CRLF = Buffer.from("\r\n");

/**
 * The same message in ASCII, with no line over 998 octets (RFC 2045 §6). `raw` has CRLF line ends and a header in ASCII.
 * @throws Error if that would change what somebody has signed, or a part cannot be understood
 */
export function inSevenBits(raw: Buffer): Buffer {
  return entity(raw, { depth: 0, left: { parts: MOST_PARTS } });
}

type Place = { readonly depth: number; readonly left: { parts: number } };

function entity(raw: Buffer, place: Place): Buffer {
  if (isFit(raw)) return raw;
  if (place.depth > DEEPEST_PARTS || place.left.parts-- === 0) throw new Error("The message has too many parts.");
  const { header, body } = takenApart(raw);
  const fields = asciiFields(header);
  const type = /^content-type:\s*([\w.+-]+\/[\w.+-]+)/im.exec(fields)?.[1]?.toLowerCase() ?? "text/plain";
  if (type === "multipart/signed") throw new Error("What is signed cannot be encoded for a relay without 8BITMIME.");
  if (type.startsWith("multipart/")) return joined(fields, "7bit", multipart(body, boundaryIn(fields), place));
  if (type === "message/rfc822") return joined(fields, "7bit", entity(body, deeper(place)));
  return leaf(fields, type, body);
}

function leaf(fields: string, type: string, body: Buffer): Buffer {
  const encoding = /^content-transfer-encoding:\s*([\w-]+)/im.exec(fields)?.[1]?.toLowerCase() ?? "7bit";
  if (isFit(body)) return Buffer.concat([Buffer.from(`${fields}\r\n`, "latin1"), body]);
  if (encoding === "base64") {
    return joined(fields, "base64", Buffer.from(base64Body(Buffer.from(body.toString("latin1"), "base64")), "latin1"));
  }
  if (encoding === "quoted-printable") throw new Error("A quoted-printable part is not encoded as it says.");
  if (!type.startsWith("text/")) return joined(fields, "base64", Buffer.from(base64Body(body), "latin1"));
  const [name, text] = encodedText(body);
  return joined(fields, name, Buffer.from(text, "latin1"));
}

/** The field that tells the encoding is replaced, or put at the end of the header. */
function joined(fields: string, encoding: string, body: Buffer): Buffer {
  const others = fields.replace(/^content-transfer-encoding:.*\r\n(?:[ \t].*\r\n)*/gim, "");
  const mime = /^mime-version:/im.test(fields) || /^content-/im.test(fields) ? "" : "MIME-Version: 1.0\r\n";
  const header = `${others}${mime}Content-Transfer-Encoding: ${encoding}\r\n\r\n`;
  return Buffer.concat([Buffer.from(header, "latin1"), body]);
}

function boundaryIn(fields: string): string {
  const unfolded = fields.replace(/\r\n(?=[ \t])/g, "");
  const found = /^content-type:.*?;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/im.exec(unfolded);
  const boundary = found?.[1]?.replace(/\\(.)/g, "$1") ?? found?.[2];
  if (!boundary) throw new Error("A part that is made of parts does not say where they begin.");
  return boundary;
}

/** What stands before the first and after the last part is read by nobody and may not hold anything but ASCII either. */
function multipart(body: Buffer, boundary: string, place: Place): Buffer {
  const delimiter = `--${boundary}`;
  const pieces: Buffer[] = [];
  const push = (piece: Buffer, isPart: boolean) => {
    if (isPart) pieces.push(entity(piece, deeper(place)));
    else if (isFit(piece)) pieces.push(piece);
  };
  let start = 0;
  let isPart = false;
  for (const { from, to, isLast } of delimiters(body, delimiter)) {
    push(body.subarray(start, Math.max(start, from)), isPart);
    pieces.push(body.subarray(Math.max(start, from), to));
    start = to;
    isPart = !isLast;
    if (isLast) break;
  }
  push(body.subarray(start), isPart);
  return Buffer.concat(pieces);
}

type Delimiter = { readonly from: number; readonly to: number; readonly isLast: boolean };

/** The CRLF before a delimiter belongs to it (RFC 2046 §5.1.1). */
function* delimiters(body: Buffer, delimiter: string): Generator<Delimiter> {
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + 1)) {
    if (at > 0 && body[at - 1] !== 10) continue;
    const lineEnd = body.indexOf(CRLF, at);
    const line = body.toString("latin1", at + delimiter.length, lineEnd < 0 ? body.length : lineEnd);
    if (!/^(--)?[ \t]*$/.test(line)) continue;
    yield { from: at === 0 ? 0 : at - 2, to: lineEnd < 0 ? body.length : lineEnd + 2, isLast: line.startsWith("--") };
  }
}

function asciiFields(header: string): string {
  return isAscii(Buffer.from(header, "latin1")) ? header : fieldsIn(header).map(sevenBitField).join("");
}

/** What cannot be read is encoded all the same, where it stands, unless its parts are found by it. */
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

function deeper({ depth, left }: Place): Place {
  return { depth: depth + 1, left };
}
