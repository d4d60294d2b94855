// The stream as the main thread sees it: it asks its thread to have read the log before that starts over, and does nothing else.
import { closeSync, openSync } from "node:fs";
import type { Ground } from "../../ground.ts";
import { WorkerThread } from "../../jobs/worker-thread.ts";
import type { LogFollower } from "../../store/store.ts";
import { databaseFile } from "../../store/open.ts";
import type { FollowRequest } from "./follow-worker.ts";
import type { StreamState, Told } from "./follower.ts";

type Wanted = Pick<Ground, "config" | "log" | "schema">;

export class LogStream implements LogFollower {
  readonly #thread: WorkerThread<FollowRequest>;
  readonly #log: Ground["log"];
  /** Open for as long as SQLite uses the file: to close one of its files is to lose all locks that this process has on it. */
  readonly #database: number;

  constructor({ config, log, schema }: Wanted) {
    const path = databaseFile(config) as string;
    this.#log = log;
    this.#database = openSync(path, "r");
    this.#thread = new WorkerThread<FollowRequest>({
      name: "The thread of the stream",
      start: () => new Worker(new URL("./follow-worker.ts", import.meta.url).href),
      opening: { kind: "begin", options: { config, path, schema, database: this.#database } },
      answer: async ({ level, text, fields }: Told) => log[level](text, fields),
    });
  }

  /** What it says when its thread is lost has that for an error. */
  state(): Promise<StreamState> {
    const nothing = { lagMs: 0, waitingBytes: 0, snapshotAt: null, isRefused: false };
    return this.#thread.ask<StreamState>({ kind: "state" }).catch(({ message }) => ({ ...nothing, error: message }));
  }

  async catchUp(): Promise<void> {
    await this.#thread.ask({ kind: "catchUp" }).catch((error) => this.#complain(error));
  }

  async end(): Promise<void> {
    await this.#thread.close({ kind: "end" }).catch((error) => this.#complain(error));
  }

  closed(): void {
    closeSync(this.#database);
  }

  #complain(error: unknown): void {
    this.#log.error("the stream does not follow the store", { error });
  }
}
