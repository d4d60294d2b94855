// After a crash that left mails in hand, one of them may have caused it: mails go one by one by each way until one gets
// through. A way that only defers a mail has not crashed on it.
import type { OpenWay } from "../open-ways/open-way.ts";

export class AfterCrash {
  #isOver: boolean;
  /** Mails in hand that were claimed for each way. */
  readonly #claimed = new Map<OpenWay, number>();

  /** `followsCrash`: the process before this one ended with mails in hand. */
  constructor(followsCrash: boolean) {
    this.#isOver = !followsCrash;
  }

  /** A mail got through: the limit ends. */
  end(): void {
    this.#isOver = true;
  }

  /** The number of further mails that may be claimed for the way, one of `ways`. */
  mostOf(way: OpenWay, ways: readonly OpenWay[], nowMs: number): number {
    if (!this.#isOver && ways.some((one) => one.isStalled(nowMs))) this.#isOver = true;
    if (this.#isOver) return Infinity;
    return this.#claimed.has(way) ? 0 : 1;
  }

  /** Counts a claimed mail until `work` is done, which does not throw. */
  async during(way: OpenWay, work: () => Promise<void>): Promise<void> {
    if (this.#isOver) return work();
    this.#claimed.set(way, (this.#claimed.get(way) ?? 0) + 1);
    await work();
    const left = (this.#claimed.get(way) ?? 1) - 1;
    if (left > 0) this.#claimed.set(way, left);
    else this.#claimed.delete(way);
  }
}
