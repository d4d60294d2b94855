// Notifies open pages of changes, each by a stream of its workspace and channels. A notice contains no data.
import { AppError } from "../../base/errors.ts";
import { newsOf, CHANNELS, type NewsChannel } from "../../tenant/events/notify.ts";

export type LiveListener = {
  readonly workspace: number;
  /** The person of the stream, whose streams are limited. */
  readonly holder: string;
  readonly channels: readonly NewsChannel[];
  /** Checked now and then; false: the stream ends. */
  readonly isStillAllowed: () => Promise<boolean>;
};

const MAX_STREAMS = 1_000;
/** A browser has one for all its tabs; a person has several browsers. */
const MAX_STREAMS_EACH = 10;
/**
 * The first notice of a channel is immediate, the next comes no sooner than after this; while it goes on changing, each
 * rest is twice as long.
 */
const REST_MS = 500;
/** At full rate a list changes faster than a person reads, and every notice makes each page fetch again. */
const LONGEST_REST_MS = 2_000;
/**
 * The limit of notices that wait for a reader; one that takes none has hung, or wants to exhaust the server's memory.
 */
const MOST_WAITING = 100;
/** The server closes connections that are silent for 75 s, and proxies sooner. */
const COMMENT_EVERY_MS = 20_000;
const RETRY_AFTER_SECONDS = 30;

const encoder = new TextEncoder();

export class Live {
  readonly #streams = new Set<LiveStream>();

  /** `signal`: null = notices may have been missed, so everything may have changed. */
  heard(signal: string | null): void {
    if (this.#streams.size === 0) return;
    const news = signal === null ? null : newsOf(signal);
    if (signal !== null && !news) return;
    for (const stream of this.#streams) {
      if (!news) CHANNELS.forEach((channel) => stream.tell(channel));
      else if (stream.workspace === news.workspace) stream.tell(news.channel);
    }
  }

  /** The number of open streams. */
  get listeners(): number {
    return this.#streams.size;
  }

  /** @throws AppError RATE_LIMIT_EXCEEDED if there are too many, of this holder or in all */
  open(listening: LiveListener): ReadableStream<Uint8Array> {
    const own = [...this.#streams].filter(({ holder }) => holder === listening.holder).length;
    if (own >= MAX_STREAMS_EACH || this.#streams.size >= MAX_STREAMS)
      throw new AppError("RATE_LIMIT_EXCEEDED", "Too many pages are listening for news.", {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    const stream = new LiveStream(listening, () => this.#streams.delete(stream));
    this.#streams.add(stream);
    return stream.body;
  }

  /** Ends all of them, so that the server can stop. */
  close(): void {
    for (const stream of this.#streams) stream.end();
  }
}

class LiveStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly workspace: number;
  readonly holder: string;
  readonly #resting = new Map<NewsChannel, { readonly timer: Timer; isDue: boolean }>();
  readonly #wanted: ReadonlySet<NewsChannel>;
  readonly #comments: Timer;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #count = 0;

  constructor(
    { workspace, holder, channels, isStillAllowed }: LiveListener,
    private readonly onEnd: () => void,
  ) {
    this.workspace = workspace;
    this.holder = holder;
    this.#wanted = new Set(channels);
    this.body = new ReadableStream({
      start: (controller) => void (this.#controller = controller),
      cancel: () => this.end(),
    });
    // A first line immediately, so that proxies pass the answer on.
    this.#write(": news\n\n");
    this.#comments = setInterval(async () => {
      if (await isStillAllowed()) this.#write(":\n\n");
      else this.end();
    }, COMMENT_EVERY_MS);
  }

  tell(channel: NewsChannel): void {
    if (!this.#wanted.has(channel)) return;
    const resting = this.#resting.get(channel);
    if (resting) resting.isDue = true;
    else this.#tellNow(channel);
  }

  #tellNow(channel: NewsChannel, restMs = REST_MS): void {
    this.#write(`data: ${JSON.stringify({ channel, n: ++this.#count })}\n\n`);
    const timer = setTimeout(() => {
      const isDue = this.#resting.get(channel)?.isDue === true;
      this.#resting.delete(channel);
      if (isDue) this.#tellNow(channel, Math.min(2 * restMs, LONGEST_REST_MS));
    }, restMs);
    this.#resting.set(channel, { timer, isDue: false });
  }

  #write(text: string): void {
    if ((this.#controller?.desiredSize ?? 0) < -MOST_WAITING) this.end();
    this.#controller?.enqueue(encoder.encode(text));
  }

  /** Safe to call twice. */
  end(): void {
    const controller = this.#controller;
    if (!controller) return;
    this.#controller = null;
    clearInterval(this.#comments);
    this.#resting.forEach(({ timer }) => clearTimeout(timer));
    this.onEnd();
    try {
      controller.close();
    } catch {
      // The client is gone, and its stream with it.
    }
  }
}
