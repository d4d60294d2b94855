// The next hop of the server under test: an SMTP server that records what it has said 250 to, and forgets the rest.
import { createServer, type Server, type Socket } from "node:net";
import type { Random } from "../support/seeded.ts";
import { Conversation, type LeftOver, type Taken } from "./conversation.ts";

/** `id` is the local part of the Message-ID; `run` is the start of a server that handed it over, counted from 0. */
export type Arrival = Taken & {
  readonly id: string;
  readonly run: number;
  /** It was whole, and nobody heard that it was taken. */
  readonly unanswered?: boolean;
};

const LONGEST_DELAY_MS = 5;
/** One message in so many waits longer than a killed process takes to lose its connections. */
const MESSAGES_A_LONG_DELAY = 16;
const LONG_DELAY_MS = 40;

export class Sink implements AsyncDisposable {
  readonly arrivals: Arrival[] = [];
  /** Messages that were under way when their connection went. */
  readonly cutOff = { part: 0, whole: 0 };
  /** When each message was complete (Unix time), those included that were cut off before their answer. */
  readonly departuresMs: number[] = [];
  /** It says 250 to each message so much later than usual. */
  slowerByMs = 0;
  #isAway = false;
  onArrival: (arrival: Arrival) => void = () => {};
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #random: Random;

  private constructor(random: Random) {
    this.#random = random;
    this.#server = createServer((socket) => this.#welcome(socket));
  }

  /** Listens on any free port of 127.0.0.1. */
  static async start(random: Random): Promise<Sink> {
    const sink = new Sink(random);
    await new Promise<void>((resolve) => sink.#server.listen(0, "127.0.0.1", resolve));
    return sink;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The sink does not listen.");
    return address.port;
  }

  /** Away, it hangs up on everybody, and on who comes then. */
  set isAway(isAway: boolean) {
    this.#isAway = isAway;
    if (isAway) for (const socket of this.#sockets) socket.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    const stopped = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    return stopped;
  }

  #welcome(socket: Socket): void {
    if (this.#isAway) return void socket.destroy();
    this.#sockets.add(socket);
    new Conversation(socket, {
      answerDelayMs: () => this.#delayMs(),
      onWhole: (atMs) => this.departuresMs.push(atMs),
      onTaken: (taken) => this.#record({ ...taken, id: idIn(taken.messageId), run: runIn(taken.client) }),
      onEnd: (leftOver) => this.#forget(socket, leftOver),
    });
  }

  #delayMs(): number {
    const isLong = this.#random.below(MESSAGES_A_LONG_DELAY) === 0;
    return this.slowerByMs + (isLong ? LONG_DELAY_MS : this.#random.below(LONGEST_DELAY_MS + 1));
  }

  #record(arrival: Arrival): void {
    this.arrivals.push(arrival);
    this.onArrival(arrival);
  }

  #forget(socket: Socket, leftOver: LeftOver): void {
    this.#sockets.delete(socket);
    if (leftOver !== "nothing") this.cutOff[leftOver]++;
  }
}

/** The address under which this start of a server is known, which it greets the next hop with. */
export function baseUrlOf(run: number): string {
  return `https://run${run}.example.test`;
}

export function runIn(client: string): number {
  return Number(/^run(\d+)\./.exec(client)?.[1] ?? -1);
}

export function idIn(messageId: string): string {
  return /^<([^@]*)@/.exec(messageId)?.[1] ?? "";
}
