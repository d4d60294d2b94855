// The work of a server whose clock stands still (docs/test-clock.md): due work is done at once, and the rest when the
// clock is moved. One piece of work at a time.
import type { StillClock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Loops } from "./loops.ts";

export class TestTime {
  #last: Promise<unknown> = Promise.resolve();
  #isWoken = false;
  #isStopped = false;

  constructor(
    private readonly loops: Loops,
    private readonly clock: StillClock,
    private readonly log: Log,
  ) {}

  /** There may be work that is due now. */
  wake(): void {
    if (this.#isWoken || this.#isStopped) return;
    this.#isWoken = true;
    this.settle().catch((error: unknown) => this.log.error("work that was due failed", { error }));
  }

  /** Resolves when nothing is due now. */
  settle(): Promise<void> {
    return this.#next(() => {
      this.#isWoken = false;
      return this.loops.settle();
    });
  }

  /** Resolves when all that became due up to `toMs` has been done, in order. */
  advance(toMs: number): Promise<void> {
    return this.#next(() => this.loops.advance(this.clock, toMs));
  }

  /** Resolves when the work in hand is done; nothing wakes it any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#last;
  }

  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}
