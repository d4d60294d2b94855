// When the log beside a SQLite file is copied back, and whom that has to wait for.
//
// It is copied back while writes go on; then they are held for the short rest, so that the log can start over and never grows for as long as
// the load lasts. The event loop waits for neither, and writes for no read. A follower that has read all lets all be copied; once it sees that
// all is in the file, it needs the log no more.
import type { SqliteThread } from "./sqlite-thread.ts";
import type { LogFollower } from "./store.ts";

/** Lets no write begin before `rest` is done. */
type Hold = (rest: () => Promise<void>) => Promise<void>;

export class LogCare {
  #follower: LogFollower | null = null;

  constructor(
    private readonly thread: SqliteThread,
    private readonly hold: Hold,
  ) {}

  followedBy(follower: LogFollower): void {
    this.#follower = follower;
  }

  copyBack(): Promise<void> {
    return this.#copyBackAnd(async () => {});
  }

  /** False: somebody reads it. */
  async empty(): Promise<boolean> {
    let isEmpty = false;
    await this.#copyBackAnd(async () => void (isEmpty = await this.thread.emptyLog()));
    return isEmpty;
  }

  /** Nothing more will be written. */
  async end(): Promise<void> {
    await this.#follower?.end();
  }

  closed(): void {
    this.#follower?.closed();
  }

  /** `last`: while writes are still held. */
  #copyBackAnd(last: () => Promise<void>): Promise<void> {
    return this.thread.withoutReads(async () => {
      await this.#follower?.catchUp();
      await this.thread.checkpoint();
      await this.hold(async () => {
        await this.#follower?.catchUp();
        await this.thread.checkpoint();
        await this.#follower?.catchUp();
        await last();
      });
    });
  }
}
