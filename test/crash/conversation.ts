// The sink's side of one SMTP connection (RFC 5321): takes everything, and says 250 to a message a little later.
import type { Socket } from "node:net";
import { Lines } from "./lines.ts";

/** `client` is the name that it greeted us with; `atMs` the moment at which its message was complete (Unix time). */
export type Taken = {
  readonly recipient: string;
  readonly messageId: string;
  readonly client: string;
  readonly atMs: number;
};

/** What was under way when the connection went: nothing, a message in part, or a whole one that had no answer yet. */
export type LeftOver = "nothing" | "part" | "whole";

export type ConversationOptions = {
  readonly answerDelayMs: () => number;
  /** A message is complete; it has no answer yet. */
  readonly onWhole: (atMs: number) => void;
  /** The final 250 has been written. */
  readonly onTaken: (taken: Taken) => void;
  readonly onEnd: (leftOver: LeftOver) => void;
};

const REPLIES: Readonly<Record<string, string>> = {
  EHLO: "250-sink.example\r\n250 8BITMIME",
  MAIL: "250 2.1.0 Ok",
  RCPT: "250 2.1.5 Ok",
  DATA: "354 End data with <CR><LF>.<CR><LF>",
  RSET: "250 2.0.0 Ok",
  NOOP: "250 2.0.0 Ok",
  QUIT: "221 2.0.0 Bye",
};

export class Conversation {
  readonly #socket: Socket;
  readonly #options: ConversationOptions;
  readonly #lines = new Lines();
  #leftOver: LeftOver = "nothing";
  #client = "";
  #recipient = "";
  #messageId = "";

  constructor(socket: Socket, options: ConversationOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on("error", () => {});
    socket.on("close", () => options.onEnd(this.#leftOver));
    socket.on("data", (piece) => this.#lines.add(piece.toString("latin1")).forEach((line) => this.#hear(line)));
    this.#say("220 sink.example ESMTP");
  }

  #hear(line: string): void {
    if (this.#leftOver === "part") return this.#hearMessage(line);
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "EHLO") this.#client = line.slice(5);
    if (verb === "RCPT") this.#recipient = /<(.*)>/.exec(line)?.[1] ?? "";
    if (verb === "DATA") this.#beginMessage();
    this.#say(REPLIES[verb] ?? "502 5.5.1 Not implemented");
    if (verb === "QUIT") this.#socket.end();
  }

  #beginMessage(): void {
    this.#leftOver = "part";
    this.#messageId = "";
  }

  #hearMessage(line: string): void {
    if (this.#messageId === "") this.#messageId = /^Message-ID:\s*(<.*>)/i.exec(line)?.[1] ?? "";
    if (line !== ".") return;
    this.#leftOver = "whole";
    const atMs = Date.now();
    this.#options.onWhole(atMs);
    setTimeout(() => this.#take(atMs), this.#options.answerDelayMs());
  }

  #take(atMs: number): void {
    if (this.#socket.destroyed) return;
    this.#leftOver = "nothing";
    this.#say("250 2.0.0 Ok: queued");
    this.#options.onTaken({ recipient: this.#recipient, messageId: this.#messageId, client: this.#client, atMs });
  }

  #say(reply: string): void {
    if (!this.#socket.destroyed) this.#socket.write(`${reply}\r\n`);
  }
}
