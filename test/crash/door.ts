// Where the server can be reached, for clients that outlive it.
import type { Address } from "./post.ts";

/** One run of the server, as its clients see it. */
export type Opening = Address;

export class Door {
  #opening: Opening | null = null;
  #falling = false;
  #closed = false;
  #waiting: (() => void)[] = [];

  /** The server is up again. */
  open(opening: Opening): void {
    this.#opening = opening;
    this.#falling = false;
    this.#wake();
  }

  /** The server is about to end: from here on a request may die. */
  fall(): void {
    this.#falling = true;
  }

  /** No more requests, and no other run of the server for the clients. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  isOpen(opening: Opening): boolean {
    return !this.#closed && this.#opening === opening;
  }

  /** Whether a request of this run may go unanswered. */
  mayFail(opening: Opening): boolean {
    return this.#falling || this.#opening !== opening;
  }

  /** The first run after this one, or null if there will be none. */
  async next(after: Opening | null): Promise<Opening | null> {
    while (!this.#closed && this.#opening === after) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.#closed ? null : this.#opening;
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
