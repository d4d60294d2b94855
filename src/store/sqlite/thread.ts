// The second thread of the SQLite engine, seen from the main one: checkpoints and long reads, one after the other.
import type { Clock } from "../../base/clock.ts";
import { WorkerThread } from "../../base/jobs/worker-thread.ts";
import { readerOf, RequestQueue } from "../../base/brakes/fair-queue.ts";
import { flatten, type Bindable } from "../sql.ts";
import { SQLITE } from "./connection.ts";
import type { ThreadRequest } from "./worker.ts";
import type { Reader } from "../store.ts";

/** Started at its first use: a quiet installation does not pay for it. */
export class SqliteThread {
  readonly #thread: WorkerThread<ThreadRequest>;
  readonly #longReads: RequestQueue;

  constructor(path: string, clock: Clock) {
    this.#longReads = new RequestQueue(clock, 1, "long reads");
    this.#thread = new WorkerThread({
      name: "The store's second thread",
      start: () => new Worker(new URL("./worker.ts", import.meta.url).href),
      opening: { kind: "open", path },
    });
  }

  /** For the long reads of a workspace. */
  readerFor(workspace: number, byLoop?: true): Reader {
    const all = <Row>(strings: TemplateStringsArray, ...values: Bindable[]): Promise<Row[]> => {
      const { text, values: bound } = flatten({ strings, values }, () => "?");
      return this.#longReads.run(readerOf(workspace, byLoop), () =>
        this.#thread.ask<Row[]>({ kind: "all", text, values: bound }),
      );
    };
    const get = async <Row>(...statement: Parameters<typeof all>) => (await all<Row>(...statement))[0] ?? null;
    return { dialect: SQLITE, all, get };
  }

  /** No read begins before `work` is done; `work` may make checkpoints. */
  withoutReads(work: () => Promise<void>): Promise<void> {
    return this.#longReads.runFirst(work);
  }

  checkpoint(): Promise<void> {
    return this.#thread.ask({ kind: "checkpoint" });
  }

  emptyLog(): Promise<boolean> {
    return this.#thread.ask({ kind: "emptyLog" });
  }

  close(): Promise<void> {
    return this.#thread.close({ kind: "close" });
  }
}
