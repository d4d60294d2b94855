// Preloaded in all tests (bunfig.toml): threads that were ended with nothing in hand serve again. Starting one and
// loading its modules takes longer than most tests.
import type { MessageFromThread, MessageToThread } from "../../src/base/jobs/worker-thread.ts";

/** Those that begin anew with their first request. */
const SERVE_AGAIN = /\/(?:sqlite\/worker|render-worker|inbound-worker)\.ts$/;

const OneWorker = globalThis.Worker;
const spare = new Map<string, Worker[]>();

/** A worker as its owner sees it; the thread behind it may have had owners before. */
class LentWorker extends EventTarget {
  onmessage: ((event: MessageEvent<MessageFromThread[]>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly #asked = new Set<number>();
  #lastKind: unknown;
  #thread: Worker | null;

  constructor(private readonly url: string) {
    super();
    const thread = (this.#thread = spare.get(url)?.pop() ?? new OneWorker(url));
    thread.onmessage = (event: MessageEvent<MessageFromThread[]>) => {
      for (const one of event.data) if ("id" in one) this.#asked.delete(one.id);
      this.onmessage?.(event);
    };
    thread.onerror = (event) => this.onerror?.(event);
    thread.addEventListener("close", this.#closed);
  }

  readonly #closed = () => {
    this.#thread = null;
    this.dispatchEvent(new Event("close"));
  };

  postMessage(messages: MessageToThread[], given: ArrayBuffer[]): void {
    for (const one of messages) {
      if (!("id" in one)) continue;
      this.#asked.add(one.id);
      this.#lastKind = (one.request as { readonly kind?: unknown }).kind;
    }
    this.#thread?.postMessage(messages, given);
  }

  unref(): void {
    this.#thread?.unref();
  }

  terminate(): void {
    const thread = this.#thread;
    if (thread === null) return;
    this.#thread = null;
    thread.onmessage = thread.onerror = null;
    thread.removeEventListener("close", this.#closed);
    if (this.#asked.size > 0 || !this.#isLikeNew) return void thread.terminate();
    spare.set(this.url, [...(spare.get(this.url) ?? []), thread]);
  }

  /** The store's thread has a file open until it is closed. */
  get #isLikeNew(): boolean {
    return !this.url.endsWith("/sqlite/worker.ts") || this.#lastKind === "close";
  }
}

globalThis.Worker = new Proxy(OneWorker, {
  construct: (_, [url, options]: [string, WorkerOptions | undefined]) =>
    SERVE_AGAIN.test(url) ? (new LentWorker(url) as unknown as Worker) : new OneWorker(url, options),
});
