// When the log beside a SQLite file is copied back, and what has to wait for it.
//
// The log is copied back while writes go on. Every fourth time writes are then held for the short rest, so that the log
// can start over and does not grow for as long as the load lasts; each hold costs a busy server some milliseconds of
// accepting. The event loop waits for neither, and writes wait for no read. A follower that has read all lets all be
// copied; once it sees that all is in the file, it no longer needs the log.
import type { SqliteThread } from "./thread.ts";
import type { LogFollower } from "../store.ts";

/** Lets no write begin before `rest` is done. */
type Hold = (rest: () => Promise<void>) => Promise<void>;

const COPIES_A_START = 4;

export class LogCare {
  #follower: LogFollower | null = null;
  #copies = 0;

  constructor(
    private readonly thread: SqliteThread,
    private readonly hold: Hold,
  ) {}

  followedBy(follower: LogFollower): void {
    this.#follower = follower;
  }

  copyBack(): Promise<void> {
    const startsOver = ++this.#copies % COPIES_A_START === 0;
    return this.thread.withoutReads(() => (startsOver ? this.#copyAll(async () => {}) : this.#copyMost()));
  }

  /** False: another connection reads the log. */
  async empty(): Promise<boolean> {
    let isEmpty = false;
    await this.thread.withoutReads(() => this.#copyAll(async () => void (isEmpty = await this.thread.emptyLog())));
    return isEmpty;
  }

  /** The end: no more writes follow. */
  async end(): Promise<void> {
    await this.#follower?.end();
  }

  closed(): void {
    this.#follower?.closed();
  }

  async #copyMost(): Promise<void> {
    await this.#follower?.catchUp();
    await this.thread.checkpoint();
  }

  /** `last` runs while writes are still held. */
  async #copyAll(last: () => Promise<void>): Promise<void> {
    await this.#copyMost();
    await this.hold(async () => {
      await this.#copyMost();
      await this.#follower?.catchUp();
      await last();
    });
  }
}
