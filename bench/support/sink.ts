// An SMTP server that takes every mail and forgets it, but for when it came and to whom, in a process of its own.
import type { Socket } from "bun";
import { answerTasks } from "./child.ts";

export type SinkTask =
  | {
      readonly kind: "listen";
      /** Remember when each mail came, and to whom. */
      readonly remember: boolean;
      /** How long each mail waits for its answer. */
      readonly answerMs: number;
      /** Of this domain no recipient is taken, because of the sender's reputation; empty = of none. */
      readonly blocks: string;
    }
  | { readonly kind: "count" }
  | { readonly kind: "arrivals" };

/** Milliseconds since 1970, with fractions. */
export type Arrival = { readonly atMs: number; readonly recipient: string };

const TAKEN = "250 2.0.0 queued\r\n";
const END = "\r\n.\r\n";

let remember = false;
let answerMs = 0;
let blocks = "";
let count = 0;
const arrivals: Arrival[] = [];

class Session {
  #rest = "";
  #inData = false;
  #recipient = "";
  #isBlocked = false;

  constructor(readonly socket: Socket<Session>) {}

  receive(chunk: Buffer): void {
    let text = this.#rest + chunk.toString("latin1");
    let replies = "";
    for (;;) {
      const mark = this.#inData ? END : "\r\n";
      const end = text.indexOf(mark);
      if (end < 0) break;
      replies += this.#inData ? this.#mailTaken() : this.#reply(text.slice(0, end));
      text = text.slice(end + mark.length);
    }
    this.#rest = this.#inData ? text.slice(-END.length + 1) : text;
    if (replies !== "") this.socket.write(replies);
    if (replies.startsWith("221")) this.socket.end();
  }

  #mailTaken(): string {
    this.#inData = false;
    count++;
    if (remember) arrivals.push({ atMs: performance.timeOrigin + performance.now(), recipient: this.#recipient });
    if (answerMs === 0) return TAKEN;
    setTimeout(() => this.socket.write(TAKEN), answerMs);
    return "";
  }

  #reply(line: string): string {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "RCPT") {
      const recipient = /<(.*?)>/.exec(line)?.[1] ?? "";
      this.#isBlocked = blocks !== "" && recipient.endsWith(`@${blocks}`);
      if (this.#isBlocked) return "550 5.7.1 Blocked: the reputation of your server is low\r\n";
      this.#recipient = recipient;
    }
    if (verb === "DATA" && this.#isBlocked) return "503 5.5.1 no recipients\r\n";
    if (verb === "DATA") this.#inData = true;
    return REPLIES[verb] ?? "502 5.5.2 unknown\r\n";
  }
}

const REPLIES: Readonly<Record<string, string>> = {
  EHLO: "250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 ENHANCEDSTATUSCODES\r\n",
  HELO: "250 sink\r\n",
  MAIL: "250 2.1.0 ok\r\n",
  RCPT: "250 2.1.5 ok\r\n",
  DATA: "354 go on\r\n",
  RSET: "250 2.0.0 ok\r\n",
  NOOP: "250 2.0.0 ok\r\n",
  QUIT: "221 2.0.0 bye\r\n",
};

function listen(): number {
  const server = Bun.listen<Session>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: (socket) => {
        socket.data = new Session(socket);
        socket.write("220 sink ESMTP\r\n");
      },
      data: (socket, chunk) => socket.data.receive(chunk),
    },
  });
  return server.port;
}

answerTasks<SinkTask>((task) => {
  if (task.kind === "count") return count;
  if (task.kind === "arrivals") return arrivals;
  ({ remember, answerMs, blocks } = task);
  return listen();
});
