// MIME entities as text: header fields, an empty line, a body; all ASCII with CRLF line ends (RFC 2045, RFC 2046).

// RFC 5322 §2.1.1 recommends lines of at most 78 characters; RFC 2045 §6.7 and §6.8 require 76 in encoded bodies.
const PLAIN_LINE_CHARS = 78;
const ENCODED_LINE_CHARS = 76;
const LINE_BYTES = (ENCODED_LINE_CHARS / 4) * 3;
/** Attachments shared by several mails are encoded once while they are in memory. */
const encoded = new WeakMap<Uint8Array, string>();
// The beginning of every boundary; quoted-printable and base64 can never contain it (RFC 2045 §6.7).
const BOUNDARY_START = "=_";
/** A part that contains it is encoded, as it could be mistaken for a boundary. */
export const BOUNDARY_SIGN = `--${BOUNDARY_START}`;
const ESCAPES = Array.from({ length: 256 }, (_, byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`);

/** A text/plain or text/html part, in the encoding that is shortest and survives every relay. */
export function textPart(subtype: "plain" | "html", text: string): string {
  const lines = text.toWellFormed().replace(/\r\n?|\n/g, "\r\n");
  const [encoding, body] = encodedLines(lines);
  return `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`;
}

function encodedLines(text: string): readonly [string, string] {
  if (/[^\t\r\n\x20-\x7e]/.test(text)) return encodedText(Buffer.from(text));
  const lines = text.split("\r\n");
  const isFit = lines.every((line) => line.length <= PLAIN_LINE_CHARS) && !text.includes(BOUNDARY_SIGN);
  // A single search of the whole text decides.
  return isFit ? ["7bit", text] : ["quoted-printable", folded(text.replaceAll("=", "=3D").split("\r\n"))];
}

/** A part of bytes in base64; `fields` are its other header fields, each with its CRLF. */
export function binaryPart(fields: string, content: Uint8Array): string {
  return `${fields}Content-Transfer-Encoding: base64\r\n\r\n${base64Body(content)}`;
}

/**
 * A multipart entity. `contentType` is for instance `multipart/mixed`; `name` is unique among boundaries of the mail.
 */
export function multipart(contentType: string, name: string, parts: readonly string[]): string {
  const boundary = BOUNDARY_START + name;
  const body = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("");
  return `Content-Type: ${contentType};\r\n boundary="${boundary}"\r\n\r\n${body}--${boundary}--\r\n`;
}

/** Text in the shorter of the two encodings, with its name. Lines end in CRLF. */
export function encodedText(bytes: Buffer): readonly [string, string] {
  // One character for each byte: the engine's searches are twenty times as fast as a loop over bytes.
  const text = bytes.toString("latin1");
  const escapes = text.length - text.replace(/[\x7f-\xff]+/g, "").length;
  // An escape takes three characters for one, base64 with its line breaks about 1.37 throughout.
  if (escapes * 2 > bytes.length * 0.37) return ["base64", base64Body(bytes)];
  const escaped = (line: string) => line.replace(/[^\t\x20-\x3c\x3e-\x7e]/g, escapedByte);
  return ["quoted-printable", folded(text.split("\r\n").map(escaped))];
}

function folded(lines: readonly string[]): string {
  return lines.map(foldedLine).join("\r\n");
}

// A space or tab at the end of a line would be lost in transit. A soft line break never splits an escape.
function foldedLine(line: string): string {
  const escaped = line.endsWith(" ") || line.endsWith("\t") ? line.slice(0, -1) + escapedByte(line.slice(-1)) : line;
  if (escaped.length <= ENCODED_LINE_CHARS) return escaped;
  let [lines, at] = ["", 0];
  for (let end = at; escaped.length - at >= ENCODED_LINE_CHARS; at = end) {
    end = at + ENCODED_LINE_CHARS - 1;
    if (escaped[end - 1] === "=") end -= 1;
    else if (escaped[end - 2] === "=") end -= 2;
    lines += `${escaped.slice(at, end)}=\r\n`;
  }
  return lines + escaped.slice(at);
}

function escapedByte(byte: string): string {
  return ESCAPES[byte.charCodeAt(0)] ?? "";
}

/** Lines of base64. */
export function base64Body(content: Uint8Array): string {
  const known = encoded.get(content);
  if (known !== undefined) return known;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += LINE_BYTES) lines.push(bytes.toString("base64", at, at + LINE_BYTES));
  const body = lines.join("\r\n");
  encoded.set(content, body);
  return body;
}
