// Requests as bytes in which only numbers are written anew, so that each is about somebody whom nobody had before.

const DIGITS = 9;

/** Stands in the text wherever the next number is to be written. */
export const NUMBER = `u${"0".repeat(DIGITS)}`;

export class NumberedRequests {
  readonly #bytes: Buffer;
  readonly #numbersAt: readonly number[];
  #last = 0;

  constructor(text: string) {
    this.#bytes = Buffer.from(text);
    this.#numbersAt = placesOf(this.#bytes, NUMBER);
  }

  /** The next request, in a buffer that is used again: it must be written before another is asked for. */
  next(): Buffer {
    for (const at of this.#numbersAt) writeNumber(this.#bytes, at + DIGITS, ++this.#last);
    return this.#bytes;
  }
}

function placesOf(bytes: Buffer, mark: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) places.push(at);
  return places;
}

function writeNumber(bytes: Buffer, lastDigitAt: number, number: number): void {
  for (let at = lastDigitAt, rest = number; rest > 0; at--, rest = Math.floor(rest / 10)) bytes[at] = 48 + (rest % 10);
}
