// A next hop that misbehaves: it hangs, drips, hangs up, answers late or at random, or takes a few mails in a session;
// it knows which mails it has taken all the same.
import { createServer, type Server, type Socket } from "node:net";
import { Lines } from "../crash/lines.ts";
import { idIn, runIn, type Arrival } from "../crash/sink.ts";
import type { Random } from "../support/seeded.ts";

export type Mood = "well" | "hangs" | "drips" | "closes" | "random" | "late" | "limits" | "closes behind a mail";

type Place = "greeting" | "EHLO" | "MAIL" | "RCPT" | "DATA" | "message" | "else";

const RIGHT: Readonly<Record<Place, string>> = {
  greeting: "220 sink.example ESMTP",
  EHLO: "250-sink.example\r\n250 8BITMIME",
  MAIL: "250 2.1.0 Ok",
  RCPT: "250 2.1.5 Ok",
  DATA: "354 End data with <CR><LF>.<CR><LF>",
  message: "250 2.0.0 Ok: queued",
  else: "250 2.0.0 Ok",
};
const PLACES: readonly Place[] = ["greeting", "EHLO", "MAIL", "RCPT", "DATA", "message"];
const NOT_NOW = ["421 4.3.2 Closing", "450 4.2.1 Busy", "451 4.3.0 Local error", "452 4.2.2 Full"];
const NONSENSE = [
  "",
  "what?",
  "999 9.9.9",
  "250",
  "\u0000\u0001\u0002",
  `250-${"x".repeat(3_000)}`,
  "354 go on",
  "2",
  "-1 x",
];
const NEVER = ["550 5.1.1 No such user", "554 5.7.1 Spam", "552 5.2.2 Mailbox full"];
/** Of ten connections, and of ten replies, so many are as they should be. */
const WELL_OF_TEN = 4;
const DRIPS_MS = [5, 30, 200];
/** Longer than Posthorn waits for anything but this. */
const LATE_MS = 4_000;
const MAILS_A_SESSION = 5;
const ENOUGH = ["421 4.7.0", "451 4.3.0", "452 4.5.3", "503 5.5.1", "554 5.7.0"];

export class MoodyRelay implements AsyncDisposable {
  readonly arrivals: Arrival[] = [];
  /** Recipients that it has refused for good. */
  readonly refused = new Set<string>();
  #mood: Mood = "well";
  /** Each message is answered so much later. */
  slowByMs = 0;
  onArrival: (arrival: Arrival) => void = () => {};
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(readonly random: Random) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      new Session(socket, this);
    });
  }

  static async start(random: Random): Promise<MoodyRelay> {
    const relay = new MoodyRelay(random);
    await new Promise<void>((resolve) => relay.#server.listen(0, "127.0.0.1", resolve));
    return relay;
  }

  get mood(): Mood {
    return this.#mood;
  }

  /** One that is well again has been started anew: what hung is cut off. */
  set mood(mood: Mood) {
    if (mood === "well" && this.#mood === "hangs") for (const socket of this.#sockets) socket.destroy();
    this.#mood = mood;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The relay does not listen.");
    return address.port;
  }

  took(arrival: Arrival): void {
    this.arrivals.push(arrival);
    this.onArrival(arrival);
  }

  [Symbol.asyncDispose](): Promise<void> {
    const stopped = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    return stopped;
  }
}

class Session {
  readonly #lines = new Lines();
  /** Where it hangs, or hangs up. */
  readonly #turn: Place | null;
  readonly #dripMs: number;
  #isMessage = false;
  #client = "";
  #recipient = "";
  #messageId = "";
  /** Mails that it has taken. */
  #mails = 0;

  constructor(
    private readonly socket: Socket,
    private readonly relay: MoodyRelay,
  ) {
    const { random } = relay;
    this.#turn = random.below(10) < WELL_OF_TEN ? null : random.pick(PLACES);
    this.#dripMs = random.pick(DRIPS_MS);
    socket.on("error", () => {});
    socket.on("data", (piece) => this.#lines.add(piece.toString("latin1")).forEach((line) => this.#hear(line)));
    void this.#answer("greeting");
  }

  get #mood(): Mood {
    return this.relay.mood;
  }

  #hear(line: string): void {
    if (this.#isMessage) return this.#hearMessage(line);
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "EHLO") this.#client = line.slice(5);
    if (verb === "RCPT") this.#recipient = /<(.*)>/.exec(line)?.[1] ?? "";
    if (verb === "QUIT") return void this.socket.end("221 2.0.0 Bye\r\n");
    void this.#answer(verb in RIGHT ? (verb as Place) : "else").then((reply) => {
      if (verb === "DATA" && reply.startsWith("354")) [this.#isMessage, this.#messageId] = [true, ""];
    });
  }

  #hearMessage(line: string): void {
    if (this.#messageId === "") this.#messageId = /^Message-ID:\s*(<.*>)/i.exec(line)?.[1] ?? "";
    if (line !== ".") return;
    this.#isMessage = false;
    setTimeout(() => void this.#take(), this.#mood === "late" ? LATE_MS : this.relay.slowByMs);
  }

  /** A message that is whole may be delivered, whether its sender hears of that or not. */
  async #take(): Promise<void> {
    const [messageId, recipient, atMs] = [this.#messageId, this.#recipient, Date.now()];
    const reply = await this.#answer("message");
    const unanswered = reply === "";
    if (!unanswered && !/^250(?: |$)/.test(reply)) return;
    const client = this.#client;
    this.#mails++;
    if (this.#mood === "closes behind a mail" && this.relay.random.below(MAILS_A_SESSION) === 0) this.socket.end();
    this.relay.took({ recipient, messageId, client, atMs, unanswered, id: idIn(messageId), run: runIn(client) });
  }

  /** Answers what went over the wire as a whole; "" = less than that. */
  async #answer(place: Place): Promise<string> {
    if (this.#mood === "hangs" && place === this.#turn) return "";
    if (this.#mood === "closes" && place === this.#turn) return this.#hangUp(place);
    if (this.#mood === "limits" && place === "MAIL" && this.#mails >= MAILS_A_SESSION)
      return this.#say(`${this.relay.random.pick(ENOUGH)} Too many mails in this session`);
    const reply = this.#mood === "random" ? this.#anyReply(place) : RIGHT[place];
    if (/^55\d/.test(reply)) this.relay.refused.add(this.#recipient);
    return this.#mood === "drips" ? this.#drip(reply) : this.#say(reply);
  }

  #hangUp(place: Place): string {
    const { socket, relay } = this;
    const reply = RIGHT[place];
    socket.write(reply.slice(0, relay.random.below(reply.length)));
    if (relay.random.below(2) === 0) socket.destroy();
    else socket.end();
    return "";
  }

  /** What is refused for good must be known to be somebody. */
  #anyReply(place: Place): string {
    const { random } = this.relay;
    if (place === "else" || random.below(10) >= 10 - WELL_OF_TEN) return RIGHT[place];
    const isAboutSomebody = place === "RCPT" || place === "message";
    return random.pick([RIGHT[place], RIGHT[place], ...NOT_NOW, ...NONSENSE, ...(isAboutSomebody ? NEVER : [])]);
  }

  async #drip(reply: string): Promise<string> {
    const bytes = `${reply}\r\n`;
    for (const [place, byte] of [...bytes].entries()) {
      if (this.socket.destroyed) return "";
      this.socket.write(byte);
      // Who has heard all of it may go on at once.
      if (place < bytes.length - 1) await Bun.sleep(this.#dripMs);
    }
    return reply;
  }

  #say(reply: string): string {
    if (this.socket.destroyed) return "";
    this.socket.write(`${reply}\r\n`, "latin1");
    return reply;
  }
}
