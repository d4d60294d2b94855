// The order in which things that are under way at the same time go on: chosen by the seed, once nothing else is left to
// do.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Chance } from "../support/chance.ts";

/**
 * A request is waited for while it is read, also by another thread; not for longer, as it may itself wait for what
 * others do.
 */
const MOST_OF_A_REQUEST_MS = 5_000;
/** Turns of the event loop that are waited for in any case. */
const LEAST_TURNS = 4;
/** How often all that wait go on together: their writes come into one commit then. */
const TOGETHER = 0.3;

export class Order {
  #waiting: (() => void)[] = [];
  #isComing = false;
  /**
   * Requests that have written nothing yet. How long reading one takes depends on the machine, and must not change the
   * order.
   */
  readonly #read = new Set<object>();
  readonly #request = new AsyncLocalStorage<object>();

  constructor(private readonly chance: Chance) {}

  /** Runs a request, which comes to its turn, or to its end, before others go on. */
  async asked<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    const one = {};
    this.#read.add(one);
    try {
      return await this.#request.run(one, request);
    } finally {
      this.#read.delete(one);
    }
  }

  turn(): Promise<void> {
    const request = this.#request.getStore();
    if (request) this.#read.delete(request);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#come();
    });
  }

  #come(): void {
    if (this.#isComing || this.#waiting.length === 0) return;
    this.#isComing = true;
    const sinceMs = performance.now();
    const come = (turns: number): unknown =>
      setImmediate(() => {
        const isRead = this.#read.size > 0 && performance.now() - sinceMs < MOST_OF_A_REQUEST_MS;
        const mayWait = turns < LEAST_TURNS || isRead;
        if (mayWait) return come(turns + 1);
        this.#isComing = false;
        this.#next();
        this.#come();
      });
    come(0);
  }

  #next(): void {
    const count = this.chance.next() < TOGETHER ? this.#waiting.length : 1;
    for (let left = count; left > 0; left--) {
      const [go] = this.#waiting.splice(Math.floor(this.chance.next() * this.#waiting.length), 1);
      go?.();
    }
  }
}
