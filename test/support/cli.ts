// The command line in process: what it prints and its exit code, or a `serve` that runs until it is told to stop.
import { run } from "../../src/whole/main.ts";
import type { Json, Posthorn } from "./posthorn.ts";

export type Ended = { readonly code: number; readonly out: string; readonly err: string };
export type Env = Readonly<Record<string, string>>;

/** Runs `posthorn <words>`. Only `env` counts, not the environment of the tests. */
export async function posthornCli(
  words: readonly string[],
  env: Env = {},
  answers: readonly string[] = [],
  input: string | Uint8Array = "",
): Promise<Ended> {
  const out: string[] = [];
  const err: string[] = [];
  const io = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  const typed = [...answers];
  const ask = async () => typed.shift() ?? "";
  const given = async () => Buffer.from(input);
  const code = await run(words, {
    ...io,
    ask,
    input: given,
    env,
    untilStopped: () => Promise.resolve(),
    onHangUp: () => {},
  });
  return { code, out: out.join("\n"), err: err.join("\n") };
}

/** Beside a running server, on its data. */
export function cliBeside({ dataDir, databaseUrl }: Posthorn, words: readonly string[], env: Env = {}): Promise<Ended> {
  const database: Env = databaseUrl === null ? {} : { POSTHORN_DATABASE_URL: databaseUrl };
  return posthornCli([...words, "--data", dataDir], { ...database, ...env });
}

/** What a verb that must succeed prints with --json. */
export async function jsonBeside(posthorn: Posthorn, words: readonly string[], env: Env = {}): Promise<Json> {
  const { code, out, err } = await cliBeside(posthorn, [...words, "--json"], env);
  if (code !== 0) throw new Error(`exit code ${code}: ${err}`);
  return JSON.parse(out);
}

/** Any that is free for the API, and none for SMTP. */
const NO_PORTS = {
  POSTHORN_HTTP_PORT: "0",
  POSTHORN_SMTP_SUBMISSION_PORT: "0",
  POSTHORN_SMTP_SUBMISSIONS_PORT: "0",
  POSTHORN_SMTP_INBOUND_PORT: "0",
};

/** A `posthorn serve` on a free port. */
export class Serving implements AsyncDisposable {
  readonly lines: string[] = [];
  readonly #stop = Promise.withResolvers<void>();
  readonly #listens = Promise.withResolvers<void>();
  readonly #ended: Promise<number>;

  constructor(words: readonly string[], env: Env, outPlace = "") {
    const hear = (line: string) => {
      this.lines.push(line);
      if (line.includes("HTTP API on ")) this.#listens.resolve();
    };
    const io = {
      out: hear,
      err: hear,
      ask: async () => "",
      outPlace,
      env: { ...NO_PORTS, ...env },
      untilStopped: () => this.#stop.promise,
      onHangUp: () => {},
    };
    this.#ended = run(["serve", ...words], io);
  }

  get text(): string {
    return this.lines.join("\n");
  }

  get url(): string {
    return /HTTP API on ([^\s"]+)/.exec(this.text)?.[1] ?? "";
  }

  async listening(): Promise<this> {
    await Promise.race([this.#listens.promise, this.#ended]);
    if (!this.url) throw new Error(`it ended: ${this.text}`);
    return this;
  }

  /** As a signal does; answers the exit code. */
  stop(): Promise<number> {
    this.#stop.resolve();
    return this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

export function serving(words: readonly string[], env: Env = {}): Promise<Serving> {
  return new Serving(words, env).listening();
}
