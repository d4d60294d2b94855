// One message as it arrives over DATA: passed on in slices, and checked for line ends that could smuggle a second
// message.
import type { SMTPServerDataStream } from "smtp-server";
import type { MessageBuffer } from "./message-memory.ts";
import { SmtpReply } from "./smtp-reply.ts";

const CR = 13;
const LF = 10;

/**
 * The message, dots unstuffed, in slices that are as large as the buffer can grow, but for the last, which is shorter
 * and may be empty. A slice is valid until the next one is read, the last until the buffer is released. A consumer that
 * stops early leaves the stream as it is. Throws SmtpReply: 552 if the message is too large; 550 for a bare CR or LF,
 * which other servers may take for the end of a message, or a NUL, unless those are taken out.
 */
export async function* incoming(
  stream: SMTPServerDataStream,
  buffer: MessageBuffer,
  maxBytes: number,
  nuls: "refused" | "taken out" = "refused",
): AsyncGenerator<Buffer, void, undefined> {
  const lines = new LineEnds();
  let length = 0;
  let received = 0;
  for await (const sent of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    received += sent.length;
    if (received > maxBytes) throw tooLarge(maxBytes);
    const chunk = nuls === "refused" || !sent.includes(0) ? sent : Buffer.from(sent.filter((byte) => byte !== 0));
    if (!lines.look(chunk)) throw badLines();
    for (let at = 0; at < chunk.length;) {
      if (length === buffer.memory.length && !(await buffer.grow())) {
        yield buffer.memory;
        length = 0;
      }
      const count = chunk.copy(buffer.memory, length, at);
      at += count;
      length += count;
    }
  }
  if (!lines.end()) throw badLines();
  if (length > 0 && length === buffer.memory.length && !(await buffer.grow())) {
    yield buffer.memory;
    length = 0;
  }
  yield buffer.memory.subarray(0, length);
}

/** The whole message, where the last step of the memory has space for more than the largest. */
export async function complete(slices: AsyncIterable<Buffer>): Promise<Buffer> {
  for await (const slice of slices) return slice;
  return Buffer.alloc(0);
}

export function tooLarge(maxBytes: number): SmtpReply {
  return new SmtpReply(552, "5.3.4", `The message is larger than ${maxBytes} bytes`);
}

function badLines(): SmtpReply {
  return new SmtpReply(550, "5.6.0", "Lines must end in CRLF, without bare CR, LF or NUL");
}

/** A CR or LF at the edge of a chunk is judged together with the next or the previous chunk. */
const BARE_CR = /\r(?!\n|$)/;
const BARE_LF = /[^\r]\n/;

/** Whether every CR is followed by LF and every LF follows CR, over chunks that may end anywhere. */
class LineEnds {
  #afterCr = false;

  look(chunk: Buffer): boolean {
    if (chunk.length === 0) return true;
    const isEven = this.#afterCr === (chunk[0] === LF);
    this.#afterCr = chunk.at(-1) === CR;
    // Searches by the engine take less time than a loop over each byte.
    const text = chunk.toString("latin1");
    return isEven && !BARE_CR.test(text) && !BARE_LF.test(text) && !text.includes("\0");
  }

  end(): boolean {
    return !this.#afterCr;
  }
}
