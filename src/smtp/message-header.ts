// The header of a message as it was handed in: its fields, in order, byte for byte (RFC 5322 §2.2).
import { SmtpReply } from "../smtp-listener/smtp-reply.ts";

/** `name` in lower case; `raw` is the whole field in latin1, folded as it came, with its CRLF. */
export type Field = { readonly name: string; readonly raw: string };
export type Message = { readonly fields: readonly Field[]; readonly body: Buffer };

const LARGEST_HEADER_BYTES = 256 * 1024;
// RFC 5322 §2.1.1.
const LONGEST_LINE = /[^\r\n]{999}/;
const FIELD = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:/;
const END = "\r\n\r\n";

/** @throws SmtpReply for what is no header. `raw` has CRLF line ends. */
export function readMessage(raw: Buffer): Message {
  const found = raw.indexOf(END);
  const end = found < 0 ? raw.length : found + 2;
  if (end > LARGEST_HEADER_BYTES) throw new SmtpReply(552, "5.3.4", "The header is larger than 256 KB");
  const header = raw.toString("latin1", 0, end);
  if (LONGEST_LINE.test(header)) throw faulty("A line of the header is longer than 998 bytes");
  const lines = header.split(/\r\n(?![ \t])/).filter((line) => line !== "");
  return { fields: lines.map(fieldOf), body: raw.subarray(Math.min(end + 2, raw.length)) };
}

/** The fields and the body put together again. */
export function messageOf(fields: readonly Field[], body: Buffer): Buffer {
  const header = fields.map(({ raw }) => raw).join("");
  return Buffer.concat([Buffer.from(`${header}\r\n`, "latin1"), body]);
}

/** What stands after the colon, on one line, as text; bytes that are no UTF-8 are taken for Latin letters. */
export function valueOf({ raw }: Field): string {
  const value = raw.slice(raw.indexOf(":") + 1).replace(/\r\n/g, "");
  if (!/[^\x00-\x7f]/.test(value)) return value.trim();
  const bytes = Buffer.from(value, "latin1");
  const text = bytes.toString("utf8");
  return (Buffer.from(text, "utf8").equals(bytes) ? text : value).trim();
}

export function faulty(text: string): SmtpReply {
  return new SmtpReply(550, "5.6.0", text);
}

function fieldOf(line: string, index: number): Field {
  const name = FIELD.exec(line)?.[1]?.toLowerCase();
  if (name === undefined) throw faulty(`Field ${index + 1} of the header is none: it needs a name and a colon`);
  return { name, raw: `${line}\r\n` };
}
