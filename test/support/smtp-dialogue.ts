// An SMTP client that follows a transcript to the letter, in whatever order and pieces a test wants its bytes to go
// out.
import { connect, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";

export type DialogueOptions = {
  readonly port: number;
  /** TLS from the first byte on. */
  readonly tls?: boolean;
  /** What `{name}` in the transcript stands for. */
  readonly words?: Readonly<Record<string, string>>;
  /** What `DO` does. */
  readonly act?: () => Promise<unknown>;
};

/**
 * One step a line. `C: EHLO x` sends a line; `C+ a\r\n` sends the text as written, with \r, \n and \0 as in code; `S:
 * 250 2.1.0` waits for a reply whose last line begins so; `TLS` shakes hands; `DO` calls `act`; `END` waits for the
 * other side to hang up. Answers the replies.
 */
export async function dialogue(options: DialogueOptions, transcript: string): Promise<string[]> {
  const { port, tls = false, words = {}, act } = options;
  const client = new SmtpClient(tls ? connectTls({ port, rejectUnauthorized: false }) : connect({ port }));
  try {
    for (const step of transcript.split("\n").map((line) => line.trimStart())) {
      if (step === "DO") await act?.();
      else if (step !== "") await client.take(step.replace(/\{(\w+)\}/g, (all, name: string) => words[name] ?? all));
    }
    return client.replies;
  } finally {
    client.close();
  }
}

/** The token of AUTH PLAIN. */
export function plainToken(password: string, user = "any"): string {
  return Buffer.from(`\0${user}\0${password}`).toString("base64");
}

class SmtpClient {
  readonly replies: string[] = [];
  #socket: Socket;
  #text = "";
  #ended = false;
  #wake: () => void = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#listenTo(socket);
  }

  async take(step: string): Promise<void> {
    if (step.startsWith("C: ")) this.#socket.write(`${step.slice(3)}\r\n`);
    else if (step === "C:") this.#socket.write("\r\n");
    else if (step.startsWith("C+ ")) this.#socket.write(Buffer.from(unescaped(step.slice(3)), "utf8"));
    else if (step === "TLS") await this.#shakeHands();
    else if (step === "END") await this.#until(() => this.#ended);
    else if (step.startsWith("S: ")) await this.#expect(step.slice(3));
    else throw new Error(`Not a step: ${step}`);
  }

  close(): void {
    this.#socket.destroy();
  }

  async #expect(start: string): Promise<void> {
    await this.#until(() => /^\d{3}(?: .*)?\r\n/m.test(this.#text) || this.#ended);
    const reply = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/.exec(this.#text)?.[0] ?? "";
    this.#text = this.#text.slice(reply.length);
    this.replies.push(reply.trimEnd());
    const last = reply.trimEnd().split("\r\n").at(-1) ?? "";
    if (!last.startsWith(start))
      throw new Error(`Expected "${start}", heard ${JSON.stringify(reply)} after ${this.replies.length - 1} replies`);
  }

  async #shakeHands(): Promise<void> {
    this.#socket.removeAllListeners("data");
    const socket: TLSSocket = connectTls({ socket: this.#socket, rejectUnauthorized: false });
    this.#listenTo(socket);
    await new Promise<void>((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
    this.#socket = socket;
  }

  #listenTo(socket: Socket): void {
    socket.on("data", (chunk: Buffer) => {
      this.#text += chunk.toString("utf8");
      this.#wake();
    });
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    socket.on("error", end).on("end", end).on("close", end);
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

function unescaped(text: string): string {
  return text.replace(/\\([rn0])/g, (_, letter: string) => ({ r: "\r", n: "\n", "0": "\0" })[letter] ?? "");
}
