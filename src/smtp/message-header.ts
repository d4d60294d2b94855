// The header of a message as it was handed in: its fields, in order, byte for byte (RFC 5322 §2.2).
import { fieldsIn, hasLongLine, takenApart } from "../emails/mime/message-bytes.ts";
import { SmtpReply } from "../smtp-listener/smtp-reply.ts";

/** `name` in lower case; `raw` is the whole field in latin1, folded as it came, with its CRLF. */
export type Field = { readonly name: string; readonly raw: string };
export type Message = { readonly fields: readonly Field[]; readonly body: Buffer };

const LARGEST_HEADER_BYTES = 128 * 1024;
const FIELD = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:/;

/** @throws SmtpReply for what is no header. `raw` has CRLF line ends. */
export function readMessage(raw: Buffer): Message {
  const { header, body } = takenApart(raw);
  if (header === "") throw faulty("The message begins with an empty line, so it has no header");
  if (header.length > LARGEST_HEADER_BYTES) throw new SmtpReply(552, "5.3.4", "The header is larger than 128 KB");
  if (hasLongLine(raw.subarray(0, header.length))) throw faulty("A line of the header is longer than 998 bytes");
  return { fields: fieldsIn(header).map(fieldOf), body };
}

/** The fields and the body put together again. */
export function messageOf(fields: readonly Field[], body: Buffer): Buffer {
  const header = fields.map(({ raw }) => raw).join("");
  return Buffer.concat([Buffer.from(`${header}\r\n`, "latin1"), body]);
}

export function faulty(text: string): SmtpReply {
  return new SmtpReply(550, "5.6.0", text);
}

function fieldOf(line: string, index: number): Field {
  const name = FIELD.exec(line)?.[1]?.toLowerCase();
  if (name === undefined) throw faulty(`Field ${index + 1} of the header is none: it needs a name and a colon`);
  return { name, raw: `${line}\r\n` };
}
