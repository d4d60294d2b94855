// The thread that reads email from outside, as the main thread sees it: it is started when there is something to read.
import type { Resolver } from "../dns.ts";
import { WorkerThread } from "../jobs/worker-thread.ts";
import type { NameAsked, NoticeArrival, ReaderOptions, ReaderRequest, ReadRequest } from "./inbound-worker.ts";
import type { Notice } from "./bounces/notice.ts";
import type { NoticeEnvelope } from "./bounces/report.ts";
import type { Envelope, Reading } from "./reading/reading.ts";
import type { MessageText } from "./reading/text.ts";
import type { ReportMail } from "../reports/take.ts";

type ReadingThreadOptions = ReaderOptions & {
  readonly resolver: Resolver;
  /** A message that takes longer is given up, and the thread with it. */
  readonly maxReadMs: number;
  /** So is one over which the thread answers no ping for so long: it is busy, and does not only wait for others. */
  readonly maxBusyMs: number;
};

const PING_EVERY_MS = 1_000;

export class ReadingThread {
  readonly #thread: WorkerThread<ReaderRequest>;
  readonly #maxBusyMs: number;
  #inHand = 0;
  #pinging: ReturnType<typeof setInterval> | undefined;

  constructor({ scanners, host, resolver, maxReadMs, maxBusyMs }: ReadingThreadOptions) {
    this.#maxBusyMs = maxBusyMs;
    this.#thread = new WorkerThread({
      name: "The reading thread",
      start: () => new Worker(new URL("./inbound-worker.ts", import.meta.url).href),
      opening: { kind: "open", options: { scanners, host } },
      longestMs: maxReadMs,
      answer: ({ name, type }: NameAsked) => resolver.find(name, type).catch(() => null),
    });
  }

  /** All that is found in a message. `raw` is given away. @throws Error if the thread has stopped over it */
  read(raw: Uint8Array, envelope: Envelope, nowMs: number): Promise<Reading> {
    return this.#request({ kind: "read", raw, envelope, nowMs });
  }

  /** What a message to one of our return paths says. Else as `read`. */
  notice(raw: Uint8Array, envelope: NoticeEnvelope, arrival: NoticeArrival): Promise<Notice> {
    return this.#request({ kind: "notice", raw, envelope, arrival });
  }

  /** The report that a message brings, and who has written it. Else as `read`. */
  report(raw: Uint8Array, envelope: Envelope, nowMs: number): Promise<ReportMail> {
    return this.#request({ kind: "report", raw, envelope, nowMs });
  }

  /** A file attached to a message, counted from 0; null if there is none. Else as `read`. */
  file(raw: Uint8Array, place: number): Promise<Uint8Array | null> {
    return this.#request({ kind: "file", raw, place });
  }

  /** What a reader of a message sees. Else as `read`. */
  text(raw: Uint8Array): Promise<MessageText> {
    return this.#request({ kind: "text", raw });
  }

  async #request<Result>(request: ReadRequest): Promise<Result> {
    if (this.#inHand++ === 0) this.#pinging = setInterval(() => this.#ping(), Math.min(PING_EVERY_MS, this.#maxBusyMs));
    try {
      return await this.#thread.ask(request, [request.raw.buffer as ArrayBuffer]);
    } finally {
      if (--this.#inHand === 0) clearInterval(this.#pinging);
    }
  }

  #ping(): void {
    this.#thread.ask({ kind: "ping" }, [], this.#maxBusyMs).catch(() => undefined);
  }

  /** What is still being read is given up. */
  close(): void {
    void this.#thread.close();
  }
}
