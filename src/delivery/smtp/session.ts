// One open connection to the relay: hands over one mail after the other until it ends.
import { isAscii } from "node:buffer";
import { Readable } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SMTPError } from "nodemailer/lib/smtp-connection";
import { needsUtf8 } from "../transport/envelope.ts";
import type { FinishedMessage, Outcome, Refusal } from "../transport/transport.ts";
import { openConnection, type RelayAddress } from "./opening.ts";
import { accepted, isBroken, outcomeOf } from "./reply.ts";

/** `stale`: the connection was an old one and broke before the mail left us, so a new one may be tried at once. */
type HandOver = { readonly outcome: Outcome; readonly stale: boolean };

/** For one whole mail, however slowly the relay answers: envelope, DATA, body and its answer. */
const MAIL_TIMEOUTS = 4;
const QUIT_TIMEOUT_MS = 1000;
const MAILS_PER_SESSION = 1000;

/** A relay that answers anything else is out of step: what it says next may be about something else. */
const GO_AHEAD = /^354(?:[ -]|$)/;
const TAKEN = /^2\d\d(?:[ -]|$)/;

const NO_UTF8: Refusal = {
  kind: "failed",
  reply: "The relay does not offer SMTPUTF8, which an address with non-ASCII letters before the @ needs",
};

const NO_8BIT: Refusal = { kind: "failed", reply: "The relay does not offer 8BITMIME, which the message needs" };

export class SmtpSession {
  readonly #connection: SMTPConnection;
  readonly #timeoutMs: number;
  #mails = 0;

  private constructor(connection: SMTPConnection, timeoutMs: number) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
  }

  /** A session ready for mails, or the reason why there is none. */
  static async open(address: RelayAddress): Promise<SmtpSession | Refusal> {
    const connection = await openConnection(address);
    return "kind" in connection ? connection : new SmtpSession(connection, address.timeoutMs);
  }

  get spent(): boolean {
    return this.#connection.destroyed || this.#mails >= MAILS_PER_SESSION;
  }

  /** Hands over one message whose envelope is fit for the wire; one at a time. */
  async send(message: FinishedMessage): Promise<HandOver> {
    const reused = this.#mails++ > 0;
    if (needsUtf8(message.envelope) && !this.#offers("SMTPUTF8")) return { outcome: NO_UTF8, stale: false };
    const raw = await this.#fit(message);
    if ("kind" in raw) return { outcome: raw, stale: false };
    const body = new Body(raw, () => this.#mayBegin());
    const answer = await this.#transmit({ ...message, raw }, body);
    if (typeof answer === "string" && TAKEN.test(answer)) return { outcome: accepted(answer), stale: false };
    const result = typeof answer === "string" ? new Error(`The relay's answer is none: ${answer}`) : answer;
    await this.#recover(result, body);
    return { outcome: outcomeOf(result, body.started), stale: reused && !body.started && isBroken(result) };
  }

  /** Waits for the relay to hang up, a second at most. */
  quit(): Promise<void> {
    if (this.#connection.destroyed) return Promise.resolve();
    const ended = this.#within(QUIT_TIMEOUT_MS, () => this.#connection.quit());
    return ended.then(() => this.#connection.close());
  }

  /** The message in a form that this relay can carry. */
  async #fit({ raw, sevenBit }: FinishedMessage): Promise<Buffer | Refusal> {
    if (this.#offers("8BITMIME") || isAscii(raw)) return raw;
    if (!sevenBit) return NO_8BIT;
    return sevenBit().catch((error: Error) => ({ ...NO_8BIT, reply: `${NO_8BIT.reply}: ${error.message}` }));
  }

  /** The relay's answer if it took the message, else what went wrong. */
  #transmit({ envelope, raw }: FinishedMessage, body: Body): Promise<string | SMTPError> {
    const { returnPath: from, recipient: to } = envelope;
    const wire = { from, to, size: raw.length, use8BitMime: !isAscii(raw) };
    return this.#within(MAIL_TIMEOUTS * this.#timeoutMs, (done) =>
      this.#connection.send(wire, body, (error, info) => done(error ?? info?.response ?? "")),
    );
  }

  /** Makes the session ready for the next mail, or ends it. */
  async #recover(error: SMTPError, body: Body): Promise<void> {
    // A refusal during the body may be followed by one more answer, so the session is not used again.
    if (body.started || isBroken(error)) return this.#connection.close();
    const failed = await this.#within(this.#timeoutMs, (done) => this.#connection.reset((fault) => done(fault)));
    if (failed) this.#connection.close();
  }

  /** The library takes any answer to DATA that begins with 2 or 3, and would send the message to somebody who waits for commands. */
  #mayBegin(): boolean {
    const isTold = GO_AHEAD.test(String(Reflect.get(this.#connection, "lastServerResponse")));
    if (!isTold) this.#connection.close();
    return isTold;
  }

  #offers(extension: string): boolean {
    const offered: unknown = Reflect.get(this.#connection, "_supportedExtensions");
    return Array.isArray(offered) && offered.includes(extension);
  }

  /** Runs one exchange until an answer, the end of the connection or the timeout. */
  #within<T>(patienceMs: number, start: (done: (result: T | SMTPError) => void) => void): Promise<T | SMTPError> {
    return new Promise((resolve) => {
      // The library reports the end of the connection before the answer that ended it.
      const ended = () => setImmediate(() => settle(new Error("Connection closed")));
      const patience = setTimeout(() => settle(new Error("Took too long")), patienceMs);
      const settle = (result: T | SMTPError) => {
        clearTimeout(patience);
        this.#connection.off("end", ended);
        resolve(result);
      };
      this.#connection.once("end", ended);
      start(settle);
    });
  }
}

/** What a connection may hold of a message at once. */
const PIECE_BYTES = 64 * 1024;

/** The raw message as a stream that knows whether it has begun to be read. */
class Body extends Readable {
  #sent = 0;

  /** `mayBegin` is asked once, before the first piece. */
  constructor(
    readonly raw: Buffer,
    private readonly mayBegin: () => boolean,
  ) {
    super({ highWaterMark: PIECE_BYTES });
  }

  get started(): boolean {
    return this.#sent > 0;
  }

  override _read(): void {
    if (!this.started && !this.mayBegin()) return;
    const piece = this.raw.subarray(this.#sent, this.#sent + PIECE_BYTES);
    this.#sent += piece.length;
    this.push(piece.length > 0 ? piece : null);
  }
}
