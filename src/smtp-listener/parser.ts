// What comes in over a connection: commands by the library, messages by ourselves, since it takes a step of the event loop for each dot.
import { SMTPStream } from "smtp-server/lib/smtp-stream";
import { MessageEnd } from "./message-end.ts";

export class Parser extends SMTPStream {
  #end = new MessageEnd();

  /** `cut` is called when a message goes on far beyond the limit; nothing more is read then. */
  constructor(private readonly cut: () => void) {
    super();
  }

  override startDataMode(...size: Parameters<SMTPStream["startDataMode"]>): ReturnType<SMTPStream["startDataMode"]> {
    this.#end = new MessageEnd();
    return super.startDataMode(...size);
  }

  override _feedDataStream(...[chunk, done]: Parameters<SMTPStream["_feedDataStream"]>): void {
    const stream = this._dataStream;
    if (!stream) return done();
    const { message, rest } = this.#end.take(chunk);
    this._countDataBytes(message.length);
    if (this.dataBytes > 2 * this._maxBytes) return this.cut();
    if (rest) return this._endDataMode(message, rest, done);
    if (!stream.writable || stream.write(message)) return done();
    const goOn = () => {
      stream.off("drain", goOn).off("close", goOn);
      done();
    };
    stream.on("drain", goOn).on("close", goOn);
  }
}
