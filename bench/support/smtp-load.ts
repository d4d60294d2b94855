// A child of the bench: sessions that log in once and hand in mail after mail in lock-step, as Postfix's smtp-source
// does; no library.
import { connect, type Socket } from "node:net";
import { answerTasks } from "./child.ts";
import { latencies, type Latencies } from "./statistics.ts";

export type SmtpTask = {
  readonly port: number;
  /** Null = the server asks for none. */
  readonly key: string | null;
  readonly sessions: number;
  readonly seconds: number;
  readonly mailBytes: number;
  /** So many mails in all, however long that takes. */
  readonly mails?: number;
  /** Another message than that of submission; its lines end in CRLF, as bytes of latin1. */
  readonly letter?: Letter;
};
type Letter = { readonly from: string; readonly domain: string; readonly text: string };
export type SmtpResult = { readonly mails: number; readonly perSecond: number; readonly latencyMs: Latencies };

answerTasks(async (task: SmtpTask): Promise<SmtpResult> => {
  const sessions = await Promise.all(Array.from({ length: task.sessions }, () => Session.open(task)));
  const message = task.letter ? Buffer.from(`${task.letter.text}.\r\n`, "latin1") : messageOf(task.mailBytes);
  const { from = "hello@example.test", domain = "example.com" } = task.letter ?? {};
  const startedMs = performance.now();
  const endMs = task.mails === undefined ? startedMs + task.seconds * 1000 : Infinity;
  const tookMs: number[] = [];
  await Promise.all(
    sessions.map(async (session, index) => {
      for (let at = 0; performance.now() < endMs && tookMs.length < (task.mails ?? Infinity); at++) {
        const askedMs = performance.now();
        await session.handIn({ from, to: `p${index}.${at % 100}@${domain}` }, message);
        tookMs.push(performance.now() - askedMs);
      }
    }),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  sessions.forEach((session) => session.close());
  return { mails: tookMs.length, perSecond: tookMs.length / seconds, latencyMs: latencies(tookMs) };
});

function messageOf(bytes: number): Buffer {
  const header = "From: Shop <hello@example.test>\r\nTo: you@example.com\r\nSubject: Your order is on its way\r\n\r\n";
  const line = `${"Good news: we packed your parcel today. ".repeat(2).trim()}\r\n`;
  return Buffer.from(`${header}${line.repeat(Math.ceil((bytes - header.length) / line.length))}.\r\n`);
}

class Session {
  #text = "";
  #heard: (reply: string) => void = () => {};

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => {
      this.#text += chunk.toString("latin1");
      const reply = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(this.#text)?.[0];
      if (reply === undefined) return;
      this.#text = this.#text.slice(reply.length);
      this.#heard(reply);
    });
    socket.on("close", () => this.#heard("the connection ended"));
  }

  static async open({ port, key }: SmtpTask): Promise<Session> {
    const session = new Session(connect({ port, host: "127.0.0.1" }));
    await session.#expect("220");
    await session.#ask("EHLO bench\r\n", "250");
    if (key !== null) await session.#ask(`AUTH PLAIN ${Buffer.from(`\0any\0${key}`).toString("base64")}\r\n`, "235");
    return session;
  }

  async handIn({ from, to }: { readonly from: string; readonly to: string }, message: Buffer): Promise<void> {
    await this.#ask(`MAIL FROM:<${from}>\r\n`, "250");
    await this.#ask(`RCPT TO:<${to}>\r\n`, "250");
    await this.#ask("DATA\r\n", "354");
    await this.#ask(message, "250");
  }

  close(): void {
    this.socket.destroy();
  }

  #ask(line: string | Buffer, code: string): Promise<void> {
    const answered = this.#expect(code);
    this.socket.write(line);
    return answered;
  }

  #expect(code: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#heard = (reply) => (reply.startsWith(code) ? resolve() : reject(new Error(`Expected ${code}: ${reply}`)));
    });
  }
}
