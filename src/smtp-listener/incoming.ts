// One message as it comes in over DATA: kept up to the limit, looked at for what could smuggle a second one.
import type { SMTPServerDataStream } from "smtp-server";
import { SmtpReply } from "./smtp-reply.ts";

const CR = 13;
const LF = 10;

export type Limits = {
  readonly maxBytes: number;
  /** Called once if the client goes on far beyond the limit. */
  readonly cut: () => void;
};

/**
 * The whole message, dots unstuffed. Rejects with SmtpReply: 552 if it is too large; 550 for a bare CR or LF, which servers
 * further on may take for the end of a message, or a NUL.
 */
export function incoming(stream: SMTPServerDataStream, { maxBytes, cut }: Limits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const lines = new LineEnds();
  let bytes = 0;
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > 2 * maxBytes) return cut();
    if (bytes > maxBytes) return void chunks.splice(0);
    lines.look(chunk);
    chunks.push(chunk);
  };
  return new Promise((resolve, reject) => {
    stream.on("data", take);
    stream.on("error", reject);
    stream.on("end", () => {
      if (bytes > maxBytes) return reject(tooLarge(maxBytes));
      if (!lines.end())
        return reject(new SmtpReply(550, "5.6.0", "Lines must end in CRLF: there is a bare CR, LF or NUL"));
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
  });
}

export function tooLarge(maxBytes: number): SmtpReply {
  return new SmtpReply(552, "5.3.4", `The message is larger than ${maxBytes} bytes`);
}

/** Whether every CR is followed by LF and every LF follows CR, over chunks that may end anywhere. */
class LineEnds {
  #afterCr = false;
  #isGood = true;

  look(chunk: Buffer): void {
    if (!this.#isGood) return;
    let afterCr = this.#afterCr;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (afterCr !== (byte === LF) || byte === 0) return void (this.#isGood = false);
      afterCr = byte === CR;
    }
    this.#afterCr = afterCr;
  }

  end(): boolean {
    return this.#isGood && !this.#afterCr;
  }
}
