// One of several processes on one database: a place that is started, killed and started again.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Address } from "./post.ts";
import type { NodeOptions } from "./serve-node.ts";
import { ServerProcess, type Stopped } from "./server-process.ts";

export type NodePlan = {
  readonly name: string;
  /** Where its data directory goes. */
  readonly folder: string;
  readonly relayPort: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly options: NodeOptions;
};

const PROGRAM = new URL("serve-node.ts", import.meta.url).pathname;

export class Node {
  /** Which start of a server this is, counted over all nodes. */
  run = -1;
  /** Null while it does not answer. */
  address: Address | null = null;
  readonly #plan: NodePlan;
  #process: ServerProcess | null = null;

  constructor(plan: NodePlan) {
    this.#plan = plan;
  }

  get name(): string {
    return this.#plan.name;
  }

  /** Warnings and errors of the log of its last run. */
  get complaints(): readonly string[] {
    return this.#process?.complaints ?? [];
  }

  /** Answers the secret key if this start made it. */
  async start(run: number): Promise<string | null> {
    const { name, folder, relayPort, settings, options } = this.#plan;
    const dataDir = join(folder, name);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const program = [PROGRAM, JSON.stringify(options)];
    this.run = run;
    this.#process = await ServerProcess.start({ dataDir, relayPort, run, program, settings });
    return this.#process.secretKey;
  }

  /** Clients may come. */
  open(secretKey: string): void {
    this.address = { url: this.#process?.url ?? "", secretKey };
  }

  async kill(): Promise<void> {
    this.address = null;
    await this.#process?.kill();
  }

  /** Stands still, with all its connections open, until `thaw`. */
  freeze(): void {
    this.#process?.signal("SIGSTOP");
  }

  thaw(): void {
    this.#process?.signal("SIGCONT");
  }

  async stop(): Promise<Stopped> {
    this.address = null;
    return (await this.#process?.stop()) ?? { exitCode: null, tookMs: 0 };
  }

  async dispose(): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
  }
}
