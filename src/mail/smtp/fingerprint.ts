// A digest of a message's content: the same if a program composes the message again to retry.
import { createHash } from "node:crypto";

const DASHES = Buffer.from("\r\n--");
const CRLF = Buffer.from("\r\n");
const END_OF_HEADER = Buffer.from("\r\n\r\n");
const BOUNDARY = /\bboundary *= *(?:"([^"]*)"|([^\s;"]+))/gi;
/** Further delimiter lines are hashed unchanged. */
const MOST_DELIMITERS = 20_000;
const LONGEST_DELIMITER_BYTES = 80;
const LONGEST_PART_HEADER_BYTES = 16 * 1024;

type FingerprintSource = {
  readonly from: string;
  readonly subject: string;
  /** Values of header fields, on one line; "" = none. */
  readonly contentType: string;
  readonly encoding: string;
  /** Values of further fields. */
  readonly others?: readonly string[];
  /** With CRLF line ends. */
  readonly body: Buffer;
};

/** Boundaries do not count (RFC 2046 §5.1.1): programs make them at random, like Message-IDs. */
export function fingerprintOf({ from, subject, contentType, encoding, others = [], body }: FingerprintSource): string {
  const boundaries = new Boundaries();
  const hash = createHash("sha256").update(
    JSON.stringify([from, subject, boundaries.without(contentType), encoding, ...others]),
  );
  let done = 0;
  for (const { start, end, text } of replacements(body, boundaries)) {
    hash.update(body.subarray(done, start)).update(text);
    done = end;
  }
  return hash.update(body.subarray(done)).digest("hex");
}

/** The boundaries of the headers so far, numbered. */
class Boundaries {
  readonly #numbers = new Map<string, number>();

  /** The text of a header with numbers for its boundaries, which it adds to the known ones. */
  without(header: string): string {
    return header.replace(BOUNDARY, (_, quoted?: string, bare?: string) => {
      const name = quoted ?? bare ?? "";
      if (!this.#numbers.has(name)) this.#numbers.set(name, this.#numbers.size);
      return `boundary=${this.#numbers.get(name)}`;
    });
  }

  /** The replacement of a line that separates parts, without its first dashes; null for an ordinary line. */
  delimiter(line: string): string | null {
    const bare = line.trimEnd();
    const isLast = !this.#numbers.has(bare) && bare.endsWith("--");
    const number = this.#numbers.get(isLast ? bare.slice(0, -2) : bare);
    return number === undefined ? null : `--${number}${isLast ? "--" : ""}`;
  }
}

type TextReplacement = { readonly start: number; readonly end: number; readonly text: string };

/** The delimiters of a body, each with the header of the part after it. */
function* replacements(body: Buffer, boundaries: Boundaries): Generator<TextReplacement> {
  let start = body.subarray(0, 2).equals(DASHES.subarray(2)) ? 0 : nextDashes(body, 0);
  for (let left = MOST_DELIMITERS; start >= 0 && left > 0; left--) {
    const lineEnd = endOfLine(body, start);
    const delimiter = boundaries.delimiter(body.toString("latin1", start + 2, lineEnd));
    const end = delimiter === null ? lineEnd : endOfHeader(body, lineEnd);
    const header = boundaries.without(delimiter === null ? "" : body.toString("latin1", lineEnd, end));
    if (delimiter !== null) yield { start, end, text: `${delimiter}${header}` };
    start = nextDashes(body, end);
  }
}

function nextDashes(body: Buffer, from: number): number {
  const at = body.indexOf(DASHES, from);
  return at < 0 ? -1 : at + 2;
}

/** The end of a line, or the point at which it is too long for a delimiter. */
function endOfLine(body: Buffer, start: number): number {
  const line = body.subarray(start, start + LONGEST_DELIMITER_BYTES);
  const length = line.indexOf(CRLF);
  return start + (length < 0 ? line.length : length);
}

/** A header that does not end within reach counts as empty. */
function endOfHeader(body: Buffer, start: number): number {
  const end = body.subarray(start, start + LONGEST_PART_HEADER_BYTES).indexOf(END_OF_HEADER);
  return start + Math.max(end, 0);
}
