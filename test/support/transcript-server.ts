// An SMTP server that follows a transcript to the letter, for relays that misbehave in ways no real server software
// offers.
import { createServer, type Server, type Socket } from "node:net";

/**
 * A transcript has one step a line: `S: 220 hello` is sent; `C: MAIL` waits for a line that starts so (`C: .` for
 * exactly that line); `S+ text` is sent without a line end; `DRIP x` sends that again every 20 ms, for ever; `DEAF 300`
 * hears nothing for so many milliseconds; `DROP` cuts the connection; `WAIT 2 connected`, `WAIT 1 ended` and `WAIT 5
 * heard` (lines) wait for what happens on other connections. At the end of the transcript the server falls silent.
 */
export async function startTranscriptServer(...transcripts: readonly string[]): Promise<TranscriptServer> {
  const server = new TranscriptServer(transcripts);
  await server.listen();
  return server;
}

const DRIP_MS = 20;

export class TranscriptServer {
  /** Every line that a client sent, over all connections. */
  readonly lines: string[] = [];
  connections = 0;
  ended = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #held: (() => void)[] = [];

  /** One transcript a connection; the last one serves all that follow. */
  constructor(transcripts: readonly string[]) {
    this.#server = createServer((socket) => {
      const transcript = transcripts[Math.min(this.connections++, transcripts.length - 1)] ?? "";
      this.#sockets.add(socket);
      this.#follow(socket, stepsOf(transcript));
      this.#goOn();
    });
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The server does not listen");
    return address.port;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** Comes back once a client has sent exactly this line. */
  async heard(line: string): Promise<void> {
    if (!this.lines.includes(line)) await new Promise<void>((resolve) => this.#held.push(resolve));
    if (!this.lines.includes(line)) await this.heard(line);
  }

  [Symbol.asyncDispose](): Promise<void> {
    const stopped = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    return stopped;
  }

  #follow(socket: Socket, steps: string[]): void {
    let rest = "";
    socket.on("error", () => {});
    socket.on("close", () => {
      this.ended++;
      this.#goOn();
    });
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString("latin1")).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#hear(socket, steps, line);
    });
    this.#speak(socket, steps);
  }

  #hear(socket: Socket, steps: string[], line: string): void {
    this.lines.push(line);
    this.#goOn();
    const wanted = steps[0]?.slice("C: ".length) ?? "";
    const met = wanted === "." ? line === "." : line.startsWith(wanted);
    if (steps.length === 0 || !met) return;
    steps.shift();
    this.#speak(socket, steps);
  }

  #speak(socket: Socket, steps: string[]): void {
    for (let step = steps[0]; step !== undefined && !step.startsWith("C: "); step = steps[0]) {
      if (this.#mustWait(step)) return void this.#held.push(() => this.#speak(socket, steps));
      say(socket, step);
      steps.shift();
    }
  }

  #mustWait(step: string): boolean {
    const [verb, count, event] = step.split(" ");
    const soFar: Record<string, number> = { connected: this.connections, ended: this.ended, heard: this.lines.length };
    return verb === "WAIT" && (soFar[event ?? ""] ?? 0) < Number(count);
  }

  #goOn(): void {
    for (const speak of this.#held.splice(0)) speak();
  }
}

function stepsOf(transcript: string): string[] {
  const lines = transcript.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

function say(socket: Socket, step: string): void {
  if (step.startsWith("WAIT ")) return;
  if (step === "DROP") socket.destroy();
  else if (step.startsWith("DRIP ")) drip(socket, step.slice("DRIP ".length));
  else if (step.startsWith("DEAF ")) deafen(socket, Number(step.slice("DEAF ".length)));
  else if (step.startsWith("S+ ")) socket.write(step.slice("S+ ".length));
  else socket.write(`${step.slice("S: ".length)}\r\n`);
}

function deafen(socket: Socket, ms: number): void {
  socket.pause();
  const timer = setTimeout(() => socket.resume(), ms);
  socket.on("close", () => clearTimeout(timer));
}

function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), DRIP_MS);
  socket.on("close", () => clearInterval(timer));
}
