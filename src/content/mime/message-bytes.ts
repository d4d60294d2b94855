// The parts of a complete message: the fields of its header, and its body (RFC 5322 §2.1).
import { textOfBytes } from "./charset.ts";

// RFC 5322 §2.1.1, RFC 5321 §4.5.3.1.6: without the CRLF.
const MAX_LINE_BYTES = 998;
const CRLF = Buffer.from("\r\n");
const END_OF_HEADER = Buffer.from("\r\n\r\n");

type MessageSplit = {
  /** In latin1, with the CRLF of its last field but without the empty line; "" if the message begins with that line. */
  readonly header: string;
  readonly body: Buffer;
};

/** `raw` has CRLF line ends. Without an empty line, the whole message is header. */
export function takenApart(raw: Buffer): MessageSplit {
  const found = raw.subarray(0, 2).equals(CRLF) ? -2 : raw.indexOf(END_OF_HEADER);
  const end = found === -1 ? raw.length : found + 2;
  return { header: raw.toString("latin1", 0, end), body: raw.subarray(Math.min(end + 2, raw.length)) };
}

/** The unmodified fields of a header, with their folds, without the last CRLF of each. */
export function fieldsIn(header: string): string[] {
  return header.split(/\r\n(?![ \t])/).filter((field) => field !== "");
}

/** The text after a field's colon, on one line; its charset is detected. */
export function valueIn(field: string): string {
  const value = field
    .slice(field.indexOf(":") + 1)
    .replaceAll("\r\n", "")
    .replaceAll("\t", " ");
  return /[^\x00-\x7f]|\x1b/.test(value) ? textOfBytes(Buffer.from(value, "latin1"), null).trim() : value.trim();
}

/** True if a line is longer than servers must accept. `raw` has CRLF line ends. */
export function hasLongLine(raw: Buffer): boolean {
  for (let start = 0; start < raw.length;) {
    const end = raw.indexOf(CRLF, start);
    if ((end < 0 ? raw.length : end) - start > MAX_LINE_BYTES) return true;
    if (end < 0) return false;
    start = end + 2;
  }
  return false;
}
