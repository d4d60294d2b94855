// The library's connection and its parser, with our time limits and our end of a message; its slot is released at the
// end.
import { SMTPConnection } from "smtp-server/lib/smtp-connection";
import { SMTPStream } from "smtp-server/lib/smtp-stream";
import { tooLarge } from "./incoming.ts";
import { MessageEnd } from "./message-end.ts";
import type { ConnectionSlot, SessionLimits } from "./session-limits.ts";

/** The start of a handler's answer with an enhanced code (SmtpReply). */
const ENHANCED = /^[245]\.\d{1,3}\.\d{1,3} /;

type ConnectionParameters = ConstructorParameters<typeof SMTPConnection>;

export class ListenerConnection extends SMTPConnection {
  constructor(
    given: ConnectionParameters,
    readonly limits: SessionLimits,
    private readonly slot: ConnectionSlot | undefined,
  ) {
    super(...given);
  }

  override _createParser(): Parser {
    const parser = new Parser(() => {
      this.send(552, tooLarge(Number(this._server.options.size)).message);
      this.close();
    });
    parser.oncommand = (...command) => this._onCommand(...command);
    parser.on("error", (error) => this.send(421, `4.5.2 ${error.message}`));
    return parser;
  }

  override _onCommand(...command: Parameters<SMTPConnection["_onCommand"]>): void {
    if (this.limits.isOneCommandTooMany()) this.send(421, "4.7.0 Too many commands without an email");
    else super._onCommand(...command);
  }

  /**
   * One line to the library may be several here; the library would take a list for one reply per recipient (LMTP). Each
   * reply has one enhanced code (RFC 2034 §4): ours, or else the library's.
   */
  override send(...[code, text, context]: Parameters<SMTPConnection["send"]>): void {
    const isLong = code === 250 && typeof text === "string" && text.includes("\n");
    const hasCode = typeof text === "string" && ENHANCED.test(text);
    const isFault = code >= 400 && context === false;
    super.send(code, isLong ? text.split("\n") : text, hasCode ? false : isFault ? undefined : context);
  }

  override _onClose(): void {
    super._onClose();
    this.slot?.release();
  }

  /** Skips the library's 100 ms wait, which catches spammers that talk first. */
  greetAtOnce(): void {
    const greet = this.connectionReady.bind(this);
    // The library's own timer calls this later.
    this.connectionReady = () => {};
    greet();
  }
}

/** The library parses commands, and we parse messages: the library takes a step of the event loop for each dot. */
class Parser extends SMTPStream {
  #end = new MessageEnd();

  /** `cut` is called when a message goes on far beyond the limit; no more is read then. */
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
