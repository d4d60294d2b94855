// The other thread of the SQLite engine, as the main one sees it: checkpoints and long reads, one after the other.
import type { Clock } from "../clock.ts";
import { Line } from "./line.ts";
import { Sql, flatten, type Bindable, type Value } from "./sql.ts";
import { SQLITE } from "./sqlite-connection.ts";
import type { Reader } from "./store.ts";

export type ThreadRequest = { readonly id: number } & (
  | { readonly kind: "checkpoint" }
  | { readonly kind: "all"; readonly text: string; readonly values: readonly Value[] }
  | { readonly kind: "open"; readonly path: string }
  | { readonly kind: "close" }
);
export type ThreadReply = { readonly id: number; readonly rows?: unknown[]; readonly error?: string };

type Pending = { readonly resolve: (rows: unknown[]) => void; readonly reject: (reason: Error) => void };
type Asked =
  { kind: "checkpoint" | "close" } | { kind: "open"; path: string } | { kind: "all"; text: string; values: Value[] };

/** Started at its first use: a quiet installation does not pay for it. */
export class SqliteThread implements Reader {
  readonly dialect = SQLITE;
  readonly #path: string;
  readonly #pending = new Map<number, Pending>();
  readonly #line: Line;
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#line = new Line(clock);
  }

  async all<Row>(strings: TemplateStringsArray, ...values: Bindable[]): Promise<Row[]> {
    const { text, values: bound } = flatten(new Sql(strings, values), () => "?");
    return (await this.#line.run(() => this.#ask({ kind: "all", text, values: bound }))) as Row[];
  }

  async get<Row>(strings: TemplateStringsArray, ...values: Bindable[]): Promise<Row | null> {
    return (await this.all<Row>(strings, ...values))[0] ?? null;
  }

  /** No read begins before `work` is done, which may make checkpoints. */
  withoutReads(work: () => Promise<void>): Promise<void> {
    return this.#line.runFirst(work);
  }

  async checkpoint(): Promise<void> {
    await this.#ask({ kind: "checkpoint" });
  }

  async close(): Promise<void> {
    if (!this.#worker) return;
    await this.#ask({ kind: "close" });
    this.#worker?.terminate();
    this.#worker = null;
  }

  #ask(request: Asked): Promise<unknown[]> {
    const worker = this.#worker ?? this.#start();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      worker.postMessage({ id, ...request } satisfies ThreadRequest);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./sqlite-worker.ts", import.meta.url).href);
    this.#worker = worker;
    this.#ask({ kind: "open", path: this.#path }).catch((error: Error) => this.#lost(error.message));
    worker.onmessage = ({ data }: MessageEvent<ThreadReply>) => this.#settle(data);
    worker.onerror = (event) => this.#lost(event.message);
    worker.unref();
    return worker;
  }

  #settle(reply: ThreadReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (reply.error !== undefined) pending?.reject(new Error(reply.error));
    else pending?.resolve(reply.rows ?? []);
  }

  #lost(message: string): void {
    this.#worker = null;
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    lost.forEach((one) => one.reject(new Error(`The store's second thread stopped: ${message}`)));
  }
}
