// The stream as the main thread sees it: it has its thread read the log before that starts over, and holds the
// installation if another one has taken its place, since both would send the waiting mail.
import { closeSync, openSync } from "node:fs";
import type { Ground } from "../../../ground/ground.ts";
import { WorkerThread } from "../../../base/jobs/worker-thread.ts";
import { holdAll } from "../../../store/hold.ts";
import type { LogFollower } from "../../../store/store.ts";
import { databaseFile } from "../../../store/open.ts";
import type { FollowRequest } from "./follow-worker.ts";
import type { StreamState } from "./follower.ts";
import type { StreamReport } from "./told.ts";
import { withinTime } from "./within-time.ts";

type StreamGround = Pick<Ground, "config" | "log" | "schema" | "store">;

/** A destination that does not answer keeps no server from its work. */
const LONGEST_LOOK_MS = 5_000;

export class LogStream implements LogFollower {
  readonly #thread: WorkerThread<FollowRequest>;
  readonly #log: Ground["log"];
  /**
   * Open for as long as SQLite uses the file: to close one of its files is to lose all locks that this process has on
   * it.
   */
  readonly #database: number;
  readonly #store: Ground["store"];
  #isRefused = false;
  #holding: Promise<void> = Promise.resolve();

  constructor({ config, log, schema, store }: StreamGround) {
    const path = databaseFile(config) as string;
    this.#log = log;
    this.#store = store;
    this.#database = openSync(path, "r");
    this.#thread = new WorkerThread<FollowRequest>({
      name: "The thread of the stream",
      start: () => new Worker(new URL("./follow-worker.ts", import.meta.url).href),
      opening: { kind: "begin", options: { config, path, schema, database: this.#database } },
      answer: async (told: StreamReport) => this.#heard(told),
    });
  }

  /** Another server ships to the place: this one may have been replaced. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Begins, and waits until the destination's owner is known: nothing may leave before. */
  async begin(): Promise<void> {
    await withinTime(this.#thread.ask({ kind: "looked" }), LONGEST_LOOK_MS).catch((error) =>
      this.#log.warn("the place of the stream does not answer: another server may have taken this one's place", {
        error,
      }),
    );
    await this.#holding;
  }

  /** A lost thread is reported as the error. */
  state(): Promise<StreamState> {
    const nothing = { lagMs: 0, waitingBytes: 0, snapshotAt: null, isRefused: false, standby: null };
    return this.#thread.ask<StreamState>({ kind: "state" }).catch(({ message }) => ({ ...nothing, error: message }));
  }

  /** Removes files past their retention; answers how many. */
  prune(): Promise<number> {
    return this.#thread.ask<number>({ kind: "prune" });
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

  #heard({ level, text, fields, isRefused }: StreamReport): void {
    this.#log[level](text, fields);
    if (isRefused === undefined) return;
    this.#isRefused = isRefused;
    if (isRefused)
      this.#holding = this.#store
        .write(holdAll)
        .catch((error) => this.#log.error("the installation could not be held", { error }));
  }

  #complain(error: unknown): void {
    this.#log.error("the stream does not follow the store", { error });
  }
}
