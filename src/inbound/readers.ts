// The thread that looks at mail from outside, as this one sees it: it is started when there is something to read.
import type { Resolver } from "../dns.ts";
import type { ReaderReply, ReaderRequest, ReadingOptions } from "./inbound-worker.ts";
import type { Notice } from "./notice.ts";
import type { Envelope, Reading } from "./reading.ts";

export type ReadersOptions = ReadingOptions & {
  readonly resolver: Resolver;
  /** A message that takes longer has stopped the thread, and is given up. */
  readonly longestMs: number;
};

type Pending = {
  readonly resolve: (result: never) => void;
  readonly reject: (reason: Error) => void;
  readonly patience: ReturnType<typeof setTimeout>;
};

type Ask = Extract<ReaderReply, { readonly kind: "ask" }>;

export class Readers {
  readonly #options: ReadersOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(options: ReadersOptions) {
    this.#options = options;
  }

  /** All that is found in a message. `raw` is given away. @throws Error if the thread has stopped over it */
  read(raw: Uint8Array, envelope: Envelope, nowMs: number): Promise<Reading> {
    return this.#work(raw, (id) => ({ kind: "read", id, raw, envelope, nowMs }));
  }

  /** What a message to one of our return paths says. Else as `read`. */
  notice(raw: Uint8Array): Promise<Notice> {
    return this.#work(raw, (id) => ({ kind: "notice", id, raw }));
  }

  /** A file attached to a message, counted from 0; null if there is none. Else as `read`. */
  file(raw: Uint8Array, place: number): Promise<Uint8Array | null> {
    return this.#work(raw, (id) => ({ kind: "file", id, raw, place }));
  }

  close(): void {
    this.#lost("it was closed");
  }

  #work<Result>(raw: Uint8Array, request: (id: number) => ReaderRequest): Promise<Result> {
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#lastId;
    return new Promise<Result>((resolve, reject) => {
      const patience = setTimeout(() => this.#lost("a message took too long"), this.#options.longestMs);
      this.#pending.set(id, { resolve, reject, patience });
      worker.postMessage(request(id), { transfer: [raw.buffer as ArrayBuffer] });
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./inbound-worker.ts", import.meta.url).href);
    worker.onmessage = ({ data }: MessageEvent<ReaderReply>) => {
      if (data.kind === "ask") void this.#find(worker, data);
      else this.#settle(data);
    };
    worker.onerror = (event) => this.#lost(event.message);
    const { scanners, host } = this.#options;
    worker.postMessage({ kind: "open", options: { scanners, host } } satisfies ReaderRequest);
    worker.unref();
    return worker;
  }

  async #find(worker: Worker, { question, name, type }: Ask): Promise<void> {
    const found = await this.#options.resolver.find(name, type).catch(() => null);
    worker.postMessage({ kind: "found", question, found } satisfies ReaderRequest);
  }

  #settle(reply: Exclude<ReaderReply, Ask>): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    this.#pending.delete(reply.id);
    clearTimeout(pending.patience);
    if (reply.kind === "failed") pending.reject(new Error(reply.error));
    else pending.resolve(reply.result as never);
  }

  /** The next message starts another thread. */
  #lost(reason: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject, patience } of lost) {
      clearTimeout(patience);
      reject(new Error(`The reading thread stopped: ${reason}`));
    }
  }
}
