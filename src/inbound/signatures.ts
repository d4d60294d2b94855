// The signatures of a message, as many as are looked at: each may have its own way to hash the whole body.

const MOST_SIGNATURES = 10;
const FIELD = /^DKIM-Signature[ \t]*:/i;
const HEADER_END = "\r\n\r\n";

/** The message without the DKIM-Signature fields that are too many; the same bytes if there are none. */
export function withFewSignatures(raw: Buffer): Buffer {
  const end = raw.indexOf(HEADER_END);
  const header = raw.toString("latin1", 0, end < 0 ? raw.length : end);
  const fields = header.split(/\r\n(?![ \t])/);
  let seen = 0;
  const kept = fields.filter((field) => !FIELD.test(field) || ++seen <= MOST_SIGNATURES);
  if (kept.length === fields.length) return raw;
  const rest = end < 0 ? raw.subarray(raw.length) : raw.subarray(end);
  return Buffer.concat([Buffer.from(kept.join("\r\n"), "latin1"), rest]);
}
