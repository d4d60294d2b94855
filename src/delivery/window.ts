// How many mails are in hand at once: as many as keep the connections busy, fewer while requests wait for the store.

/** A claim that takes longer than this waited behind requests, and requests come first. */
const PRESSED_MS = 6;
/** Over a network a claim is several round trips and may wait for those of other processes. */
const PRESSED_SHARED_MS = 60;
/** Without a rate so many mails a connection are claimed ahead, so that no connection ever waits for the store. */
const AHEAD = 4;

export class Window {
  readonly #least: number;
  readonly #most: number;
  readonly #pressedMs: number;
  #size: number;

  /**
   * `paced`: nothing is claimed ahead of a free connection, for what waited for one would leave in a burst.
   * `shared`: the store is another machine's.
   */
  constructor(concurrency: number, paced: boolean, shared = false) {
    this.#pressedMs = shared ? PRESSED_SHARED_MS : PRESSED_MS;
    this.#most = paced ? concurrency : concurrency * AHEAD;
    this.#least = Math.max(1, Math.floor(concurrency / 4));
    this.#size = this.#most;
  }

  /** Halves under pressure and grows by an eighth of the whole without it. */
  claimTook(ms: number): void {
    this.#size =
      ms > this.#pressedMs ? Math.max(this.#least, this.#size / 2) : Math.min(this.#most, this.#size + this.#most / 8);
  }

  /** Room for a good part of the window or none: a claim for each mail that leaves would be a transaction for each. */
  room(inHand: number): number {
    const room = Math.floor(this.#size) - inHand;
    return room >= this.#size / 4 ? room : 0;
  }
}
