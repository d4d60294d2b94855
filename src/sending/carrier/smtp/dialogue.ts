// The dialogue over an open connection, with the relay's answers in order (RFC 5321 §4.2): several commands may be sent
// together (RFC 2920).
import type { Socket } from "node:net";
import type SMTPConnection from "nodemailer/lib/smtp-connection";

/** Why there was no answer; `refusal`: the relay had begun one when it hung up. */
export type AnswerLoss = { readonly reason: string; readonly refusal: string | null };

/** The whole answer, of one line or more. */
export type DialogueAnswer = string | AnswerLoss;

const MAX_ANSWER_CHARS = 1024 * 1024;
/** A packet is sent when it is this large, before the turn of the event loop ends. */
const PACKET_BYTES = 64 * 1024;
const QUIT_TIMEOUT_MS = 1000;
const NEVER = 0;
const GOES_ON = /^\d+-/;
const REFUSAL = /^[45]\d\d[ -]/;
const CLOSING = /^421(?:[ -]|$)/;

export class Dialogue {
  readonly #connection: SMTPConnection;
  readonly #socket: Socket;
  /** The received part of the next line. */
  #rest = "";
  #lines: string[] = [];
  #size = 0;
  #waiting: ((answer: DialogueAnswer) => void)[] = [];
  /** The commands of one turn of the event loop leave with one system call, the most expensive operation here. */
  #unsent: Buffer[] = [];
  #onSent: (() => void) | null = null;
  #goOn: (() => void) | null = null;
  #isOver = false;

  /** Takes the connection over from the library that opened it, which still watches for its end. */
  constructor(connection: SMTPConnection) {
    this.#connection = connection;
    this.#socket = Reflect.get(connection, "_socket") as Socket;
    this.#socket.on("data", (chunk: Buffer) => this.#heard(chunk.toString("latin1")));
    this.#socket.off("data", Reflect.get(connection, "_onSocketData") as () => void);
    this.#socket.on("drain", () => this.#goOn?.());
    // Each wait for an answer has its own limit.
    this.#socket.setTimeout(NEVER);
    connection.on("error", ({ message }) => this.#lost(message));
    connection.once("end", () => this.#lost("Connection closed"));
    if (connection.destroyed) this.#isOver = true;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends these commands together; the answers come one by one. */
  ask(...commands: readonly string[]): Promise<DialogueAnswer>[] {
    const answers = commands.map(() => this.answer());
    this.#write(Buffer.from(commands.map((command) => `${command}\r\n`).join("")));
    return answers;
  }

  answerTo(command: string): Promise<DialogueAnswer> {
    return this.ask(command)[0] as Promise<DialogueAnswer>;
  }

  /** The next answer without a waiter. */
  answer(): Promise<DialogueAnswer> {
    if (this.#isOver) return Promise.resolve({ reason: "Connection closed", refusal: null });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Sends piece by piece, as the relay takes them; hangs up if it takes none for `maxWaitMs`. `onSaid`: called once the
   * last piece is on its way.
   */
  async say(pieces: Iterable<Buffer>, maxWaitMs: number, onSaid: () => void): Promise<void> {
    let isFull = false;
    for (const piece of pieces) {
      if (isFull) await this.within(maxWaitMs, () => new Promise<void>((resolve) => (this.#goOn = resolve)));
      if (this.#isOver) return;
      isFull = !this.#write(piece);
    }
    if (this.#unsent.length > 0) this.#onSent = onSaid;
    else onSaid();
  }

  /** Hangs up if the work takes longer. */
  async within<Result>(maxWaitMs: number, work: () => Promise<Result>): Promise<Result> {
    const deadline = setTimeout(() => this.end("Took too long"), maxWaitMs);
    try {
      return await work();
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Waits for the relay's goodbye, a second at most. */
  async quit(): Promise<void> {
    const deadline = setTimeout(() => this.end("The relay says no goodbye"), QUIT_TIMEOUT_MS);
    await this.answerTo("QUIT");
    clearTimeout(deadline);
    this.end("We have said goodbye");
  }

  end(reason: string): void {
    this.#lost(reason);
    this.#connection.close();
  }

  /** False while the connection takes no more. */
  #write(bytes: Buffer): boolean {
    if (this.#unsent.length === 0) setImmediate(() => this.#flush());
    this.#unsent.push(bytes);
    return bytes.length < PACKET_BYTES || this.#flush();
  }

  #flush(): boolean {
    const bytes = this.#unsent.splice(0);
    if (bytes.length === 0 || this.#isOver) return true;
    this.#onSent?.();
    this.#onSent = null;
    return this.#socket.write(bytes.length === 1 ? (bytes[0] as Buffer) : Buffer.concat(bytes));
  }

  #heard(text: string): void {
    const lines = (this.#rest + text).split(/\r?\n/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) if (!this.#isOver) this.#heardLine(line);
    if (this.#size + this.#rest.length > MAX_ANSWER_CHARS) this.end("The relay's answer is too long");
  }

  #heardLine(line: string): void {
    if (line.trim() === "" && this.#lines.length === 0) return;
    this.#lines.push(line);
    this.#size += line.length;
    if (GOES_ON.test(line)) return;
    const answer = inUtf8(this.#lines.splice(0).join("\n"));
    this.#size = 0;
    const waiter = this.#waiting.shift();
    // The answer may be about anything, so later answers are unreliable.
    if (!waiter) return this.end("The relay answered what it was not asked");
    waiter(answer);
    if (CLOSING.test(answer)) this.end("The relay is closing the connection");
  }

  #lost(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const half = inUtf8([...this.#lines, this.#rest].join("\n").trim());
    const refusal = REFUSAL.test(half) ? half : null;
    for (const [at, waiter] of this.#waiting.splice(0).entries())
      waiter({ reason, refusal: at === 0 ? refusal : null });
    this.#goOn?.();
  }
}

/** SMTP has no charset; bytes that are not UTF-8 stay unchanged. */
function inUtf8(text: string): string {
  if (!/[^\x00-\x7f]/.test(text)) return text;
  const decoded = Buffer.from(text, "latin1").toString("utf8");
  return decoded.includes("\ufffd") ? text : decoded;
}
