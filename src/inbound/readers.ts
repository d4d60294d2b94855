// The thread that looks at mail from outside, as this one sees it: it is started when there is something to read.
import type { Resolver } from "../dns.ts";
import { WorkerThread } from "../jobs/worker-thread.ts";
import type { NameAsked, ReaderRequest, ReadingOptions } from "./inbound-worker.ts";
import type { Notice } from "./notice.ts";
import type { Envelope, Reading } from "./reading.ts";

export type ReadersOptions = ReadingOptions & {
  readonly resolver: Resolver;
  /** A message that takes longer has stopped the thread, and is given up. */
  readonly longestMs: number;
};

export class Readers {
  readonly #thread: WorkerThread<ReaderRequest>;

  constructor({ scanners, host, resolver, longestMs }: ReadersOptions) {
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
    return this.#thread.ask({ kind: "read", raw, envelope, nowMs }, [raw.buffer as ArrayBuffer]);
  }

  /** What a message to one of our return paths says. Else as `read`. */
  notice(raw: Uint8Array): Promise<Notice> {
    return this.#thread.ask({ kind: "notice", raw }, [raw.buffer as ArrayBuffer]);
  }

  /** A file attached to a message, counted from 0; null if there is none. Else as `read`. */
  file(raw: Uint8Array, place: number): Promise<Uint8Array | null> {
    return this.#thread.ask({ kind: "file", raw, place }, [raw.buffer as ArrayBuffer]);
  }

  /** What is still being read is given up. */
  close(): void {
    void this.#thread.close();
  }
}
