// How many mails are in hand at once: as many as keep the connections busy, fewer while requests wait for the store.

/** A claim that takes longer than this waited behind requests, and requests come first. */
const PRESSED_MS = 6;
/** Over a network a claim is several round trips and may wait for those of other processes. */
const PRESSED_SHARED_MS = 60;
/** Without a rate so many mails a connection are claimed ahead, so that no connection ever waits for the store. */
const AHEAD = 4;
/** Or so many as leave in this time, if that is more: a claim costs as much for many mails as for a few. */
const AHEAD_MS = 50;
/** A relay that is slow all at once has them in hand for long, and nothing more urgent overtakes them. */
const MOST_AHEAD = 200;
/** Of the window: less room is not worth a claim. What is claimed ahead lasts until the next one. */
const WORTHWHILE = { paced: 1 / 4, ahead: 1 / 2 };
/** How much of the speed is that of the last claim. */
const NEWEST = 1 / 8;

export class Window {
  readonly #least: number;
  readonly #usual: number;
  readonly #isPaced: boolean;
  readonly #pressedMs: number;
  #size: number;
  /** Mails a millisecond. */
  #speed = 0;
  #last = { count: 0, atMs: -Infinity };

  /**
   * `paced`: nothing is claimed ahead of a free connection, for what waited for one would leave in a burst.
   * `shared`: the store is another machine's.
   */
  constructor(concurrency: number, paced: boolean, shared = false) {
    this.#pressedMs = shared ? PRESSED_SHARED_MS : PRESSED_MS;
    this.#isPaced = paced;
    this.#usual = paced ? concurrency : concurrency * AHEAD;
    this.#least = Math.max(1, Math.floor(concurrency / 4));
    this.#size = this.#usual;
  }

  /** After a claim of so many mails. Halves under pressure and grows by an eighth of the whole without it. */
  claimTook(ms: number, count = 0, atMs = 0): void {
    this.#look(count, atMs);
    const most = this.#most;
    this.#size = ms > this.#pressedMs ? Math.max(this.#least, this.#size / 2) : Math.min(most, this.#size + most / 8);
  }

  get #most(): number {
    return this.#isPaced ? this.#usual : Math.max(this.#usual, Math.min(MOST_AHEAD, this.#speed * AHEAD_MS));
  }

  /** What was claimed last has left since, or nearly. */
  #look(count: number, atMs: number): void {
    const speed = this.#last.count / Math.max(1, atMs - this.#last.atMs);
    this.#speed += (speed - this.#speed) * NEWEST;
    this.#last = { count, atMs };
  }

  /** Room for a good part of the window or none: a claim for each mail that leaves would be a transaction for each. */
  room(inHand: number): number {
    const room = Math.floor(this.#size) - inHand;
    return room >= this.#size * (this.#isPaced ? WORTHWHILE.paced : WORTHWHILE.ahead) ? room : 0;
  }
}
