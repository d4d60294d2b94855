// POST /v1/send as bytes, each time with recipients that nobody had before; only their numbers are written anew.
import { HTML, SENDER, SUBJECT } from "./letter.ts";

export type SendTerms = {
  readonly url: string;
  readonly key: string;
  /** Tells the recipients of one run from those of another. */
  readonly run: string;
  readonly recipients: number;
  /** Null = at once. */
  readonly sendAt: string | null;
};

const DIGITS = 9;
const BLANK = "0".repeat(DIGITS);

export class SendRequests {
  readonly #bytes: Buffer;
  readonly #numbersAt: readonly number[];
  #last = 0;

  constructor(terms: SendTerms) {
    this.#bytes = Buffer.from(requestText(terms));
    this.#numbersAt = placesOf(this.#bytes, `u${BLANK}`);
  }

  /** The next request, in a buffer that is used again: it must be written before another is asked for. */
  next(): Buffer {
    for (const at of this.#numbersAt) writeNumber(this.#bytes, at + DIGITS, ++this.#last);
    return this.#bytes;
  }
}

function requestText({ url, key, run, recipients, sendAt }: SendTerms): string {
  const to = Array<string>(recipients).fill(`u${BLANK}.${run}@example.com`);
  const body = JSON.stringify({
    to: recipients === 1 ? to[0] : to,
    from: SENDER,
    subject: SUBJECT,
    body: HTML,
    ...(sendAt === null ? {} : { sendAt }),
  });
  const head = [
    "POST /v1/send HTTP/1.1",
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

function placesOf(bytes: Buffer, mark: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) places.push(at);
  return places;
}

function writeNumber(bytes: Buffer, lastDigitAt: number, number: number): void {
  for (let at = lastDigitAt, rest = number; rest > 0; at--, rest = Math.floor(rest / 10)) bytes[at] = 48 + (rest % 10);
}
