// The order in which things that are under way at the same time go on: chosen by the seed, once nothing else is left to do.
import type { Chance } from "../support/chance.ts";

/** Turns of the event loop in which a request is read: what its sender waits for with others must not depend on the machine. */
const TURNS_OF_A_REQUEST = 4;
/** How often all that wait go on together: their writes come into one commit then. */
const TOGETHER = 0.3;

export class Order {
  #waiting: (() => void)[] = [];
  #isComing = false;

  constructor(private readonly chance: Chance) {}

  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#come();
    });
  }

  #come(): void {
    if (this.#isComing || this.#waiting.length === 0) return;
    this.#isComing = true;
    const come = (turnsLeft: number): unknown =>
      setImmediate(() => {
        if (turnsLeft > 0) return come(turnsLeft - 1);
        this.#isComing = false;
        this.#next();
        this.#come();
      });
    come(TURNS_OF_A_REQUEST);
  }

  #next(): void {
    const count = this.chance.next() < TOGETHER ? this.#waiting.length : 1;
    for (let left = count; left > 0; left--) {
      const [go] = this.#waiting.splice(Math.floor(this.chance.next() * this.#waiting.length), 1);
      go?.();
    }
  }
}
