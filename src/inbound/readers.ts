// The thread that looks at mail from outside, as this one sees it: it is started when there is something to read.
import type { Resolver } from "../dns.ts";
import { WorkerThread } from "../jobs/worker-thread.ts";
import type { Look, NameAsked, ReaderRequest, ReadingOptions } from "./inbound-worker.ts";
import type { Notice } from "./bounces/notice.ts";
import type { Envelope, Reading } from "./reading.ts";

type ReadersOptions = ReadingOptions & {
  readonly resolver: Resolver;
  /** A message that takes longer has stopped the thread, and is given up. */
  readonly longestMs: number;
  /** So has one over which the thread hears nothing else for so long; it waits for others without that. */
  readonly deafMs: number;
};

const PULSE_MS = 1_000;

export class Readers {
  readonly #thread: WorkerThread<ReaderRequest>;
  readonly #deafMs: number;
  #inHand = 0;
  #pulse: ReturnType<typeof setInterval> | undefined;

  constructor({ scanners, host, resolver, longestMs, deafMs }: ReadersOptions) {
    this.#deafMs = deafMs;
    this.#thread = new WorkerThread({
      name: "The reading thread",
      start: () => new Worker(new URL("./inbound-worker.ts", import.meta.url).href),
      opening: { kind: "open", options: { scanners, host } },
      longestMs,
      answer: ({ name, type }: NameAsked) => resolver.find(name, type).catch(() => null),
    });
  }

  /** All that is found in a message. `raw` is given away. @throws Error if the thread has stopped over it */
  read(raw: Uint8Array, envelope: Envelope, nowMs: number): Promise<Reading> {
    return this.#look({ kind: "read", raw, envelope, nowMs });
  }

  /** What a message to one of our return paths says. Else as `read`. */
  notice(raw: Uint8Array): Promise<Notice> {
    return this.#look({ kind: "notice", raw });
  }

  /** A file attached to a message, counted from 0; null if there is none. Else as `read`. */
  file(raw: Uint8Array, place: number): Promise<Uint8Array | null> {
    return this.#look({ kind: "file", raw, place });
  }

  async #look<Result>(request: Look): Promise<Result> {
    if (this.#inHand++ === 0) this.#pulse = setInterval(() => this.#feel(), Math.min(PULSE_MS, this.#deafMs));
    try {
      return await this.#thread.ask(request, [request.raw.buffer as ArrayBuffer]);
    } finally {
      if (--this.#inHand === 0) clearInterval(this.#pulse);
    }
  }

  #feel(): void {
    this.#thread.ask({ kind: "pulse" }, [], this.#deafMs).catch(() => undefined);
  }

  /** What is still being read is given up. */
  close(): void {
    void this.#thread.close();
  }
}
