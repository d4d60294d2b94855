// A header field with text beyond ASCII, in a form that every server can carry, even without RFC 6532.
import { isUtf8 } from "node:buffer";
import { asciiAddresses, hasForeignAddress } from "./ascii-addresses.ts";
import { decodedWords } from "./encoded-words.ts";
import { encodedWords, field, oneLine, parameters } from "./header-field.ts";
import { hasLongLine, valueIn } from "./message-bytes.ts";

const OF_ADDRESSES = /^(resent-)?(from|sender|reply-to|to|cc)$/i;
const WITH_PARAMETERS = /^content-(type|disposition)$/i;
const NON_ASCII = /[^\x00-\x7f]/;
const ENCODED_WORD = /^=\?[^?]+\?[bq]\?[^?]*\?=$/i;

/**
 * The field in ASCII (RFC 2047, RFC 2231); `raw` and the answer are the whole field in latin1 with its CRLF. A field
 * that cannot be parsed, or that would get over-long lines, stays as it is.
 */
export function asciiField(raw: string): string {
  const colon = raw.indexOf(":");
  if (!NON_ASCII.test(raw) || colon < 0) return raw;
  const name = raw.slice(0, colon).trim();
  const value = asciiValue(name, valueIn(raw));
  const written = value === null ? raw : field(name, value);
  return hasLongLine(Buffer.from(written, "latin1")) ? raw : written;
}

/**
 * True if the field has an address without a form in ASCII, and a next hop that accepts such addresses can carry the
 * field (RFC 6532). `raw` as for `asciiField`.
 */
export function needsUtf8(raw: string): boolean {
  if (!NON_ASCII.test(raw) || !isUtf8(Buffer.from(raw, "latin1"))) return false;
  return OF_ADDRESSES.test(raw.slice(0, raw.indexOf(":")).trim()) && hasForeignAddress(valueIn(raw));
}

function asciiValue(name: string, value: string): string | null {
  if (OF_ADDRESSES.test(name)) return asciiAddresses(value);
  return WITH_PARAMETERS.test(name) ? asciiParameters(value) : asciiText(value);
}

/** Encodes words beyond ASCII together with what separates them: spaces between encoded words are lost. */
function asciiText(value: string): string {
  let written = "";
  let run = "";
  let gap = "";
  for (const [at, piece] of value.split(/( +)/).entries()) {
    if (at % 2 === 1) {
      gap = piece;
    } else if (NON_ASCII.test(piece) || ENCODED_WORD.test(piece)) {
      if (run === "") written += gap;
      run += run === "" ? piece : gap + piece;
    } else {
      written += asciiWords(run) + gap + piece;
      run = "";
    }
  }
  return written + asciiWords(run);
}

function asciiWords(run: string): string {
  return NON_ASCII.test(run) ? encodedWords(oneLine(decodedWords(run))) : run;
}

function asciiParameters(value: string): string | null {
  const written = partsOf(value).map((part) => (NON_ASCII.test(part) ? asciiParameter(part) : part.trim()));
  return written.includes(null) ? null : written.join("; ");
}

/** Splits long values into pieces (RFC 2231). A boundary cannot be encoded, because the body contains it too. */
function asciiParameter(part: string): string | null {
  const [name = "", ...rest] = part.split("=");
  const attribute = name.trim();
  const text = rest.join("=").trim();
  if (!/^[\w.+-]+$/.test(attribute) || attribute.toLowerCase() === "boundary" || rest.length === 0) return null;
  const content = /^".*"$/.test(text) ? text.slice(1, -1).replace(/\\(.)/g, "$1") : text;
  return parameters("", { [attribute]: oneLine(content) }).replace(/^; /, "");
}

/** Split at semicolons outside quotes. */
function partsOf(value: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let quoted = false;
  for (let at = 0; at < value.length; at++) {
    const char = value.charAt(at);
    if (char === '"') quoted = !quoted;
    if (char === "\\" && quoted) at++;
    if (char !== ";" || quoted) continue;
    parts.push(value.slice(from, at));
    from = at + 1;
  }
  return [...parts, value.slice(from)];
}
