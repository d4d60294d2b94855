// The reading thread for email from outside, as the main thread sees it: it is started when there is a message to read.
import type { Resolver } from "../../base/dns.ts";
import { processorMsOf } from "../../base/jobs/thread-time.ts";
import { WorkerThread } from "../../base/jobs/worker-thread.ts";
import type { NameLookup, NoticeArrival, ReaderOptions, ReaderRequest, ReadRequest } from "./inbound-worker.ts";
import type { DeliveryNotice } from "./bounces/notice.ts";
import type { ReturnedMessage } from "./bounces/returned.ts";
import type { NoticeEnvelope } from "./bounces/report.ts";
import type { InboundEnvelope, ParsedMessage } from "./reading/reading.ts";
import type { MessageText } from "./reading/text.ts";
import type { Complaint } from "./bounces/complaint.ts";
import type { ReportMail } from "../reports/take.ts";
import { ThreadWatch } from "./thread-watch.ts";

type ReadingThreadOptions = ReaderOptions & {
  readonly resolver: Resolver;
  /** The thread is stopped if a message takes longer although the thread was free. */
  readonly maxReadMs: number;
  /** And if one message keeps it busy for longer, in processor time, independent of the clock. */
  readonly maxBusyMs: number;
};

const LOOK_EVERY_MS = 1_000;

export class ReadingThread {
  readonly #thread: WorkerThread<ReaderRequest>;
  readonly #watch: ThreadWatch;
  readonly #lookEveryMs: number;
  /** The system's number of the thread. */
  #number: number | null = null;
  #looking: ReturnType<typeof setInterval> | undefined;

  constructor({ scanners, host, resolver, maxReadMs, maxBusyMs }: ReadingThreadOptions) {
    this.#lookEveryMs = Math.min(LOOK_EVERY_MS, maxBusyMs);
    this.#watch = new ThreadWatch({ maxBusyMs, maxTurns: Math.ceil(maxReadMs / this.#lookEveryMs) });
    this.#thread = new WorkerThread({
      name: "The reading thread",
      start: () => {
        this.#number = null;
        this.#watch.startAgain();
        return new Worker(new URL("./inbound-worker.ts", import.meta.url).href);
      },
      opening: { kind: "open", options: { scanners, host } },
      onOpen: (number: number | null) => (this.#number = number),
      answer: ({ name, type }: NameLookup) => resolver.find(name, type).catch(() => null),
    });
  }

  /**
   * The contents and verdicts of a message. `raw` is transferred.
   * @throws Error if the thread was stopped over it
   */
  read(raw: Uint8Array, envelope: InboundEnvelope, nowMs: number): Promise<ParsedMessage> {
    return this.#request({ kind: "read", raw, envelope, nowMs });
  }

  /** The notice in a message to one of our return paths. Else as `read`. */
  notice(raw: Uint8Array, envelope: NoticeEnvelope, arrival: NoticeArrival): Promise<DeliveryNotice> {
    return this.#request({ kind: "notice", raw, envelope, arrival });
  }

  /** The report in a message, and its author. Else as `read`. */
  report(raw: Uint8Array, envelope: InboundEnvelope, nowMs: number): Promise<ReportMail> {
    return this.#request({ kind: "report", raw, envelope, nowMs });
  }

  /** The complaint in a message; null = it is not a complaint. Else as `read`. */
  complaint(raw: Uint8Array, envelope: InboundEnvelope, nowMs: number): Promise<Complaint | null> {
    return this.#request({ kind: "complaint", raw, envelope, nowMs });
  }

  /** A message in a bounce mailbox. Else as `read`. */
  returned(raw: Uint8Array): Promise<ReturnedMessage> {
    return this.#request({ kind: "returned", raw });
  }

  /** A file attached to a message, counted from 0; null if none. Else as `read`. */
  file(raw: Uint8Array, place: number): Promise<Uint8Array | null> {
    return this.#request({ kind: "file", raw, place });
  }

  /** The text of a message as its reader sees it. Else as `read`. */
  text(raw: Uint8Array): Promise<MessageText> {
    return this.#request({ kind: "text", raw });
  }

  async #request<Result>(request: ReadRequest): Promise<Result> {
    if (this.#watch.isIdle) this.#looking = setInterval(() => this.#look(), this.#lookEveryMs);
    const begun = this.#watch.begin();
    try {
      return await this.#thread.ask(request, [request.raw.buffer as ArrayBuffer]);
    } finally {
      this.#watch.end(begun);
      if (this.#watch.isIdle) clearInterval(this.#looking);
    }
  }

  #look(): void {
    const next = this.#watch.look(processorMsOf(this.#number));
    if (next === "stop") this.#thread.stop("it took too long");
    else if (next === "ping") void this.#ping().catch(() => undefined);
  }

  async #ping(): Promise<void> {
    await this.#thread.ask({ kind: "ping" });
    if (this.#watch.answered()) this.#thread.stop("it took too long");
  }

  /** Abandons messages that are still being read. */
  close(): void {
    void this.#thread.close();
  }
}
