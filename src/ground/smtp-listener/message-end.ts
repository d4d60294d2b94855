// The end of a message, and the dots before lines (RFC 5321 §4.5.2), in one pass over chunks of any size.

const LF = 10;
const CR = 13;
const DOT = 46;
const DOT_IN_FRONT = Buffer.from("\r\n.");

/** The bytes before the next one in its line: nothing, one dot, one dot and a CR, any others and a CR, any others. */
const START = 0;
const AFTER_DOT = 1;
const AFTER_DOT_CR = 2;
const AFTER_CR = 3;
const INSIDE = 4;

export class MessageEnd {
  #place = START;

  /**
   * The part of the chunk that belongs to the message, with stuffed dots removed; it lies in the chunk's own memory.
   * `rest` is the part after the end, null if the end has not come. Only CRLF.CRLF, or .CRLF at the beginning, is the
   * end.
   */
  take(chunk: Buffer): { readonly message: Buffer; readonly rest: Buffer | null } {
    const bytes = this.#withHeldCr(chunk);
    let place = this.#place;
    let length = 0;
    let isLookedThrough = false;
    for (let at = 0; at < bytes.length; at++) {
      // The system finds the next line with a dot in front in a tenth of the time. Once a chunk: some chunks have
      // nothing but such lines.
      if (place === INSIDE && !isLookedThrough) {
        isLookedThrough = true;
        const next = bytes.indexOf(DOT_IN_FRONT, at);
        if (next < 0) return this.#takeRest(bytes, at, length);
        const end = next + DOT_IN_FRONT.length - 1;
        if (length < at) bytes.copyWithin(length, at, end);
        length += end - at;
        at = end;
        place = START;
      }
      const byte = bytes[at] as number;
      if (place === AFTER_DOT_CR) {
        if (byte === LF) return { message: bytes.subarray(0, length), rest: bytes.subarray(at + 1) };
        bytes[length++] = CR;
        place = AFTER_CR;
      }
      if (place === START && byte === DOT) place = AFTER_DOT;
      else if (place === AFTER_DOT && byte === CR) place = AFTER_DOT_CR;
      else {
        bytes[length++] = byte;
        place = byte === CR ? AFTER_CR : place === AFTER_CR && byte === LF ? START : INSIDE;
      }
    }
    this.#place = place;
    return { message: bytes.subarray(0, length), rest: null };
  }

  /** The rest of the chunk from inside a line on, if no further line begins with a dot. */
  #takeRest(bytes: Buffer, at: number, length: number): { readonly message: Buffer; readonly rest: null } {
    const lastButOne = bytes.length - at > 1 ? bytes.at(-2) : undefined;
    const last = bytes.at(-1);
    this.#place = last === CR ? AFTER_CR : last === LF && lastButOne === CR ? START : INSIDE;
    if (length < at) bytes.copyWithin(length, at);
    return { message: bytes.subarray(0, length + bytes.length - at), rest: null };
  }

  /** A CR after the only dot of a line belongs to the message if no LF follows: the chunk has no room for this one. */
  #withHeldCr(chunk: Buffer): Buffer {
    if (this.#place !== AFTER_DOT_CR || chunk.length === 0 || chunk[0] === LF) return chunk;
    this.#place = INSIDE;
    return Buffer.concat([Buffer.of(CR), chunk]);
  }
}
