// A limit on DKIM signatures: each may want the whole body hashed in its own way.
import { takenApart } from "../emails/mime/message-bytes.ts";
import { headerFields } from "./header-fields.ts";

const MAX_SIGNATURES = 10;
const LARGE_BYTES = 4 * 1024 * 1024;
const MAX_SIGNATURES_OF_LARGE = 2;
/** Of one field: the library puts lines together in a time that grows with their square. */
const MAX_LINES_A_FIELD = 5_000;

/**
 * The message without the DKIM-Signature fields that are too many for its size; the same bytes if none are. Empty where the
 * header is, or has a field of too many lines: then no signature is checked.
 */
export function withFewSignatures(raw: Buffer): Buffer {
  const { header } = takenApart(raw);
  // The library would go on to look for a header after the empty line.
  if (header === "") return Buffer.alloc(0);
  const most = raw.length > LARGE_BYTES ? MAX_SIGNATURES_OF_LARGE : MAX_SIGNATURES;
  const fields = headerFields(header);
  if (fields.some(({ raw: field }) => field.split("\r\n", MAX_LINES_A_FIELD).length === MAX_LINES_A_FIELD))
    return Buffer.alloc(0);
  let seen = 0;
  const kept = fields.filter(({ name }) => name !== "dkim-signature" || ++seen <= most);
  if (kept.length === fields.length) return raw;
  const fewer = kept.map((field) => `${field.raw}\r\n`).join("");
  return Buffer.concat([Buffer.from(fewer, "latin1"), raw.subarray(header.length)]);
}
