// A worker thread seen from the main thread: started at the first request, and again after it has stopped.

export type ThreadOptions<Request> = {
  /** The start of its error messages: "The carrying thread". */
  readonly name: string;
  readonly start: () => Worker;
  /** The first request; if it fails, so do all others, and the thread ends. */
  readonly opening: Request;
  /** Gets the answer to the first request. */
  readonly onOpen?: (answer: never) => void;
  /** The time limit of a request; one that takes longer ends the thread. */
  readonly longestMs?: number;
  /** Requests of one turn of the event loop are sent in one message. */
  readonly isGathered?: boolean;
  /** Answers the requests of the thread to this one. */
  readonly answer?: (question: never) => Promise<unknown>;
};

export type MessageToThread =
  { readonly id: number; readonly request: unknown } | { readonly question: number; readonly answer: unknown };

export type MessageFromThread =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string; readonly code?: string; readonly path?: string }
  | { readonly question: number; readonly asked: unknown };

/**
 * A request failed on the thread, or the thread stopped; `code` and `path` are those of the error there, if it had
 * them.
 */
export class ThreadError extends Error {
  override readonly name = "ThreadError";

  constructor(
    message: string,
    readonly code?: string,
    readonly path?: string,
  ) {
    super(message);
  }
}

type PendingCall = {
  readonly resolve: (result: never) => void;
  readonly reject: (reason: ThreadError) => void;
  readonly deadline: ReturnType<typeof setTimeout> | undefined;
};

export class WorkerThread<Request> {
  readonly #options: ThreadOptions<Request>;
  readonly #pending = new Map<number, PendingCall>();
  #worker: Worker | null = null;
  #outbox: MessageToThread[] = [];
  #given: ArrayBuffer[] = [];
  #lastId = 0;

  constructor(options: ThreadOptions<Request>) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** `given` is transferred to the thread. @throws ThreadError if the request fails, or the thread stops first */
  ask<Result>(request: Request, given: readonly ArrayBuffer[] = [], longestMs?: number): Promise<Result> {
    if (!this.#worker) this.#start();
    return this.#put(request, given, longestMs);
  }

  /** Ends the thread: its open requests fail, and the next request starts another thread. */
  stop(reason: string): void {
    if (this.#worker) this.#lost(this.#worker, reason);
  }

  /** `parting` is the last request. Work that is unfinished when it is answered is given up. */
  async close(parting?: Request): Promise<void> {
    if (!this.#worker) return;
    if (parting !== undefined) await this.ask(parting);
    this.#lost(this.#worker, "it was closed");
  }

  #start(): void {
    const worker = this.#options.start();
    worker.onmessage = ({ data }: MessageEvent<MessageFromThread[]>) => data.forEach((one) => this.#heard(worker, one));
    worker.onerror = (event) => this.#lost(worker, event.message);
    worker.addEventListener("close", () => this.#lost(worker, "it ended"));
    worker.unref();
    this.#worker = worker;
    this.#put<never>(this.#options.opening, []).then(
      (answer) => this.#options.onOpen?.(answer),
      ({ message, code }: ThreadError) => this.#lost(worker, message, code),
    );
  }

  #put<Result>(request: Request, given: readonly ArrayBuffer[], longestMs = this.#options.longestMs): Promise<Result> {
    const { isGathered } = this.#options;
    const [id, worker] = [++this.#lastId, this.#worker as Worker];
    return new Promise((resolve, reject) => {
      const givenUp = () => this.#lost(worker, "it took too long");
      const deadline = longestMs === undefined ? undefined : setTimeout(givenUp, longestMs);
      this.#pending.set(id, { resolve, reject, deadline });
      this.#given.push(...given);
      if (this.#outbox.push({ id, request }) > 1) return;
      if (isGathered) setImmediate(() => this.#post());
      else this.#post();
    });
  }

  #post(): void {
    if (this.#outbox.length > 0) this.#worker?.postMessage(this.#outbox, this.#given);
    this.#outbox = [];
    this.#given = [];
  }

  #heard(worker: Worker, message: MessageFromThread): void {
    if ("question" in message) void this.#answer(worker, message.question, message.asked);
    else this.#settle(message);
  }

  async #answer(worker: Worker, question: number, asked: unknown): Promise<void> {
    const answer = await this.#options.answer?.(asked as never);
    worker.postMessage([{ question, answer }] satisfies MessageToThread[]);
  }

  #settle(reply: Extract<MessageFromThread, { readonly id: number }>): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    this.#pending.delete(reply.id);
    clearTimeout(pending.deadline);
    if ("error" in reply) pending.reject(new ThreadError(reply.error, reply.code, reply.path));
    else pending.resolve(reply.result as never);
  }

  /** Requests of a lost thread are not repeated on the next one: they may have been carried out. */
  #lost(worker: Worker, reason: string, code?: string): void {
    if (this.#worker !== worker) return;
    worker.terminate();
    this.#worker = null;
    [this.#outbox, this.#given] = [[], []];
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject, deadline } of lost) {
      clearTimeout(deadline);
      reject(new ThreadError(`${this.#options.name} stopped: ${reason}`, code));
    }
  }
}
