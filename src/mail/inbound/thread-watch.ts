// The decision to stop the reading thread: a message keeps it busy for too long, or never ends. Both are judged by the
// thread's own progress, since on a busy machine every clock runs out.
//
// - Now and then the thread is pinged. The work between a ping and its answer has no pause, and is measured in
//   processor time.
// - Each answer proves that the thread could have gone on with a waiting request. A request that has not ended after
//   many answers never will.
export type WatchLimits = {
  /** Processor time without a pause. */
  readonly maxBusyMs: number;
  /** Answered pings. */
  readonly maxTurns: number;
};

export class ThreadWatch {
  readonly #limits: WatchLimits;
  /** The turn in which each request began. */
  readonly #begun = new Map<symbol, number>();
  #turn = 0;
  #pingedAtMs: number | null = null;

  constructor(limits: WatchLimits) {
    this.#limits = limits;
  }

  begin(): symbol {
    const request = Symbol();
    this.#begun.set(request, this.#turn);
    return request;
  }

  end(request: symbol): void {
    this.#begun.delete(request);
  }

  get isIdle(): boolean {
    return this.#begun.size === 0;
  }

  /** Whether to ping the thread, to stop it, or neither. `processorMs`: the processor time of the thread. */
  look(processorMs: number): "ping" | "stop" | null {
    if (this.#pingedAtMs !== null) return processorMs - this.#pingedAtMs > this.#limits.maxBusyMs ? "stop" : null;
    this.#pingedAtMs = processorMs;
    return "ping";
  }

  /** The ping was answered. Answers whether a request never ends. */
  answered(): boolean {
    this.#pingedAtMs = null;
    const turn = ++this.#turn;
    return [...this.#begun.values()].some((begun) => turn - begun > this.#limits.maxTurns);
  }

  /** Another thread has taken its place. */
  startAgain(): void {
    this.#pingedAtMs = null;
  }
}
