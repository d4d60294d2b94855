// The other thread of the SQLite engine, as the main one sees it: checkpoints and long reads, one after the other.
import type { Clock } from "../clock.ts";
import { WorkerThread } from "../jobs/worker-thread.ts";
import { Line } from "./line.ts";
import { Sql, flatten, type Bindable } from "./sql.ts";
import { SQLITE } from "./sqlite-connection.ts";
import type { ThreadRequest } from "./sqlite-worker.ts";
import type { Reader } from "./store.ts";

/** Started at its first use: a quiet installation does not pay for it. */
export class SqliteThread implements Reader {
  readonly dialect = SQLITE;
  readonly #thread: WorkerThread<ThreadRequest>;
  readonly #line: Line;

  constructor(path: string, clock: Clock) {
    this.#line = new Line(clock);
    this.#thread = new WorkerThread({
      name: "The store's second thread",
      start: () => new Worker(new URL("./sqlite-worker.ts", import.meta.url).href),
      opening: { kind: "open", path },
    });
  }

  async all<Row>(strings: TemplateStringsArray, ...values: Bindable[]): Promise<Row[]> {
    const { text, values: bound } = flatten(new Sql(strings, values), () => "?");
    return this.#line.run(() => this.#thread.ask<Row[]>({ kind: "all", text, values: bound }));
  }

  async get<Row>(strings: TemplateStringsArray, ...values: Bindable[]): Promise<Row | null> {
    return (await this.all<Row>(strings, ...values))[0] ?? null;
  }

  /** No read begins before `work` is done, which may make checkpoints. */
  withoutReads(work: () => Promise<void>): Promise<void> {
    return this.#line.runFirst(work);
  }

  checkpoint(): Promise<void> {
    return this.#thread.ask({ kind: "checkpoint" });
  }

  close(): Promise<void> {
    return this.#thread.close({ kind: "close" });
  }
}
