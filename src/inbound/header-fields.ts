// The header of a message as its fields, each with its line ends and in latin1, which keeps every byte.

const HEADER_END = "\r\n\r\n";

/** `raw` has CRLF line ends. */
export function headerFields(raw: Buffer): string[] {
  return raw.toString("latin1", 0, headerBytes(raw)).split(/\r\n(?![ \t])/);
}

/** How long the header is, without the line end of its last field. */
export function headerBytes(raw: Buffer): number {
  if (raw.toString("latin1", 0, 2) === "\r\n") return 0;
  const end = raw.indexOf(HEADER_END);
  return end < 0 ? raw.length : end;
}
