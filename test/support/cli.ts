// The command line in process: what it prints and its exit code, or a `serve` that runs until it is told to stop.
import { run } from "../../src/main.ts";

export type Ended = { readonly code: number; readonly out: string; readonly err: string };
export type Env = Readonly<Record<string, string>>;

/** Runs `posthorn <words>`. Only `env` counts, not the environment of the tests. */
export async function posthornCli(words: readonly string[], env: Env = {}): Promise<Ended> {
  const out: string[] = [];
  const err: string[] = [];
  const io = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  const code = await run(words, { ...io, env, untilStopped: () => Promise.resolve() });
  return { code, out: out.join("\n"), err: err.join("\n") };
}

/** A `posthorn serve` on a free port. */
export class Serving implements AsyncDisposable {
  readonly lines: string[] = [];
  readonly #stop = Promise.withResolvers<void>();
  readonly #listens = Promise.withResolvers<void>();
  readonly #ended: Promise<number>;

  constructor(words: readonly string[], env: Env) {
    const hear = (line: string) => {
      this.lines.push(line);
      if (line.startsWith("HTTP API on ")) this.#listens.resolve();
    };
    const io = {
      out: hear,
      err: hear,
      env: { POSTHORN_HTTP_PORT: "0", ...env },
      untilStopped: () => this.#stop.promise,
    };
    this.#ended = run(["serve", ...words], io);
    void this.#ended.then(() => this.#listens.reject(new Error(`it ended: ${this.text}`)));
  }

  get text(): string {
    return this.lines.join("\n");
  }

  get url(): string {
    return /HTTP API on (\S+)/.exec(this.text)?.[1] ?? "";
  }

  async listening(): Promise<this> {
    await this.#listens.promise;
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
