// Posthorn as a process of its own, from `serve` to its end, however it ends.
import type { Subprocess } from "bun";
import { readFileSync } from "node:fs";
import { Lines } from "./lines.ts";
import { baseUrlOf } from "./sink.ts";

export type ServerProcessOptions = {
  readonly dataDir: string;
  readonly relayPort: number;
  /** How many servers were started before this one: its name at the next hop. */
  readonly run: number;
  /** What is started, with its arguments; `posthorn serve` unless said otherwise. */
  readonly program?: readonly string[];
  /** What it is started by, such as `prlimit --nofile=64`; it replaces itself with the server. */
  readonly under?: readonly string[];
  /** More settings, as variables of the environment. */
  readonly settings?: Readonly<Record<string, string>>;
};

export type Stopped = { readonly exitCode: number | null; readonly tookMs: number };

type Child = Subprocess<"pipe", "pipe", "pipe">;

const MAIN = new URL("../../src/whole/main.ts", import.meta.url).pathname;
const READY = /^HTTP API on (\S+)/;
const SECRET_KEY = /^\s*secret\s+(sk_\w+)/;
const COMPLAINT = /^\S+ (warn|error) /;
const LONGEST_START_MS = 60_000;
const LONGEST_STOP_MS = 20_000;

export class ServerProcess implements AsyncDisposable {
  /** Where the API answers. */
  url = "";
  /** Shown at the first start only. */
  secretKey: string | null = null;
  /** Warnings and errors of its log. */
  readonly complaints: string[] = [];
  readonly #child: Child;
  readonly #output: string[] = [];
  #onReady: () => void = () => {};
  #onLine: () => void = () => {};

  private constructor(child: Child) {
    this.#child = child;
    void this.#listenTo(child.stdout);
    void this.#listenTo(child.stderr);
  }

  /** Answers when the API listens. */
  static async start(options: ServerProcessOptions): Promise<ServerProcess> {
    const command = [...(options.under ?? []), process.execPath, ...(options.program ?? [MAIN, "serve"])];
    const env = environment(options);
    const child = Bun.spawn(command, { cwd: options.dataDir, env, stdin: "pipe", stdout: "pipe", stderr: "pipe" });
    const server = new ServerProcess(child);
    await server.#ready();
    if (server.secretKey !== null && env["POSTHORN_DELIVERY_TRANSPORT"] === "smtp") await takeDomain(env);
    return server;
  }

  /** The most memory that it has had so far, as the system counts it. */
  get peakMemoryMb(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** It has ended, in whatever way. */
  get isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Answers when it has said a line that matches. @throws Error if it ends before */
  async said(line: RegExp): Promise<void> {
    while (!this.#output.some((one) => line.test(one))) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) throw this.#fault(`It did not say ${line}`);
      await Promise.race([new Promise<void>((resolve) => (this.#onLine = resolve)), this.#child.exited]);
    }
  }

  /** Answers when it has ended by itself. */
  async ended(): Promise<number | null> {
    await this.#child.exited;
    return this.#child.exitCode;
  }

  /** Ends it with SIGKILL. @throws Error if it had ended by itself */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
    if (this.#child.signalCode !== "SIGKILL") throw this.#fault("The server had ended before it was killed");
  }

  /** Ends it with SIGTERM; SIGKILL follows if that takes too long, and the exit code is then null. */
  async stop(): Promise<Stopped> {
    const startMs = performance.now();
    const patience = setTimeout(() => this.#child.kill("SIGKILL"), LONGEST_STOP_MS);
    this.#child.kill("SIGTERM");
    await this.#child.exited;
    clearTimeout(patience);
    return { exitCode: this.#child.exitCode, tookMs: Math.round(performance.now() - startMs) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }

  async #ready(): Promise<void> {
    const ready = new Promise<void>((resolve) => (this.#onReady = resolve));
    const patience = setTimeout(() => this.#child.kill("SIGKILL"), LONGEST_START_MS);
    await Promise.race([ready, this.#child.exited]);
    clearTimeout(patience);
    if (this.url === "") throw this.#fault("The server did not start");
  }

  async #listenTo(output: ReadableStream<Uint8Array>): Promise<void> {
    const lines = new Lines();
    const decoder = new TextDecoder();
    for await (const piece of output)
      lines.add(decoder.decode(piece, { stream: true })).forEach((line) => this.#hear(line));
  }

  #hear(line: string): void {
    this.#output.push(line);
    this.#onLine();
    if (COMPLAINT.test(line)) this.complaints.push(line);
    this.secretKey ??= SECRET_KEY.exec(line)?.[1] ?? null;
    const url = READY.exec(line)?.[1];
    if (url === undefined) return;
    this.url = url;
    this.#onReady();
  }

  #fault(what: string): Error {
    return new Error([`${what}. Its last words:`, ...this.#output.slice(-20)].join("\n"));
  }
}

/** What an operator does who knows that the relay takes it: where mail really leaves, a first start makes no domain. */
async function takeDomain(env: Record<string, string>): Promise<void> {
  for (const words of [
    ["add", "example.test", "--workspace", "default"],
    ["verify", "example.test", "--force"],
  ]) {
    const verb = Bun.spawn([process.execPath, MAIN, "domain", ...words], { env, stdout: "ignore", stderr: "inherit" });
    if ((await verb.exited) !== 0) throw new Error(`domain ${words.join(" ")} failed`);
  }
}

/** The settings of the server under test; none of the caller's own may slip in. */
function environment({ dataDir, relayPort, run, settings }: ServerProcessOptions): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    POSTHORN_DATA_DIR: dataDir,
    POSTHORN_HTTP_PORT: "0",
    POSTHORN_SMTP_SUBMISSION_PORT: "0",
    POSTHORN_SMTP_SUBMISSIONS_PORT: "0",
    POSTHORN_SMTP_INBOUND_PORT: "0",
    POSTHORN_HTTP_BASE_URL: baseUrlOf(run),
    POSTHORN_DELIVERY_TRANSPORT: "smtp",
    POSTHORN_DELIVERY_RATE_PER_SECOND: "0",
    POSTHORN_DELIVERY_CONCURRENCY: "8",
    POSTHORN_RELAY_HOST: "127.0.0.1",
    POSTHORN_RELAY_PORT: String(relayPort),
    POSTHORN_RELAY_TLS: "none",
    POSTHORN_LIMITS_REQUESTS_PER_MINUTE: "0",
    ...settings,
  };
}
