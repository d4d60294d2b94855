// Files that clients write as lists of numbers, like the JSON of a Buffer: each list becomes base64 before the JSON is
// parsed, which would take seconds for millions of numbers.
import { endOfString } from "./body.ts";

/** Where `content` or `data` begins with a list. */
const LIST = /"(?:content|data)"\s*:\s*\[/;
const ATTACHMENTS = /^"attachments"\s*:\s*\[/;
const [ZERO, NINE, COMMA, END] = [48, 57, 44, 93];
/** An email, or one of a batch. */
const DEEPEST_EMAIL = 2;
const LONGEST_HEAD = 200;

/** Other lists of numbers, such as those of a template's values, stay. */
export function withBytesAsBase64(json: string): string {
  if (!LIST.test(json)) return json;
  const parts: string[] = [];
  let [depth, inside, from] = [0, 0, 0];
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') {
      const head = json.slice(at, at + LONGEST_HEAD);
      if (inside === 0 && depth <= DEEPEST_EMAIL && ATTACHMENTS.test(head)) inside = depth + 1;
      const list = inside > 0 ? LIST.exec(head) : null;
      if (list?.index === 0) {
        const start = at + list[0].length;
        const read = bytesAt(json, start);
        if (read !== null) {
          parts.push(json.slice(from, start - 1), `"${read.bytes.toString("base64")}"`);
          [at, from] = [read.end, read.end + 1];
          continue;
        }
      }
      at = endOfString(json, at);
    } else if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") {
      if (inside === depth) inside = 0;
      depth--;
    }
  }
  return parts.length === 0 ? json : parts.join("") + json.slice(from);
}

/** The bytes of the list whose first item is at `start`; null = it is not a list of bytes. */
function bytesAt(json: string, start: number): { readonly bytes: Buffer; readonly end: number } | null {
  const close = json.indexOf("]", start);
  if (close === -1) return null;
  const bytes = Buffer.allocUnsafe((close - start + 1) >> 1);
  let size = 0;
  let value = 0;
  let digits = 0;
  let isClosed = false;
  for (let at = start; at <= close; at++) {
    const code = json.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      if (isClosed || ++digits > 3) return null;
      value = value * 10 + code - ZERO;
    } else if (code === COMMA || code === END) {
      if (digits === 0 || value > 255) return null;
      bytes[size++] = value;
      // One by one: destructuring an array costs more than the rest of the loop.
      value = 0;
      digits = 0;
      isClosed = false;
    } else if (code === 32 || (code >= 9 && code <= 13)) isClosed = digits > 0;
    else return null;
  }
  return { bytes: bytes.subarray(0, size), end: close };
}
