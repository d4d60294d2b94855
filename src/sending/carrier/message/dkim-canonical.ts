// The "relaxed" forms of RFC 6376 §3.4, which are signed: harmless changes in transit do not break the signature.

const CR = 13;
const LF = 10;
const TAB = 9;
const SPACE = 32;

/**
 * One header field in relaxed form (RFC 6376 §3.4.2), without its CRLF. `field` may be folded; `name`: its `fieldName`.
 */
export function relaxedField(field: string, name = fieldName(field)): string {
  const value = field.slice(field.indexOf(":") + 1);
  const even = UNEVEN.test(value) ? value.replace(/\r\n/g, "").replace(/[ \t]+/g, " ") : value;
  return `${name}:${even.slice(even.startsWith(" ") ? 1 : 0, even.endsWith(" ") ? -1 : undefined)}`;
}

/** Folded, or with more than single spaces. */
const UNEVEN = /\r\n|\t| {2}/;

/** The name of a header field in lower case; "" if the line is not a field. */
export function fieldName(field: string): string {
  const name = field.slice(0, Math.max(field.indexOf(":"), 0));
  const isClean = !name.endsWith(" ") && !name.endsWith("\t");
  return (isClean ? name : name.replace(/[ \t]+$/, "")).toLowerCase();
}

/** The body in relaxed form (RFC 6376 §3.4.4), the same buffer if it is in that form; an empty body stays empty. */
export function relaxedBody(body: Buffer): Buffer {
  return isRelaxed(body) ? body : inRelaxedForm(body);
}

/** Most bodies are relaxed, and the search for an exception takes a tenth of the time. */
function isRelaxed(body: Buffer): boolean {
  if (!endsWith(body, "\r\n") || endsWith(body, "\r\n\r\n") || body.length === 2) return false;
  return !["\t", "  ", " \r\n"].some((blank) => body.includes(blank));
}

function endsWith(body: Buffer, end: string): boolean {
  return body.length >= end.length && body.toString("latin1", body.length - end.length) === end;
}

function inRelaxedForm(body: Buffer): Buffer {
  const out = Buffer.allocUnsafeSlow(body.length + 2);
  let size = 0;
  let lineStart = 0;
  let contentEnd = 0;
  let gap = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0;
    if (byte === SPACE || byte === TAB) {
      gap = true;
    } else if (byte === CR && body[at + 1] === LF) {
      at++;
      gap = false;
      const empty = size === lineStart;
      out[size++] = CR;
      out[size++] = LF;
      lineStart = size;
      if (!empty) contentEnd = size;
    } else {
      if (gap) out[size++] = SPACE;
      gap = false;
      out[size++] = byte;
    }
  }
  if (size === lineStart) return out.subarray(0, contentEnd);
  out[size++] = CR;
  out[size++] = LF;
  return out.subarray(0, size);
}
