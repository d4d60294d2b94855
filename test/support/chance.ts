// Numbers that look random and are the same in each run.
import { chance } from "../../src/whole/demo/chance.ts";

export class Chance {
  readonly #draws: ReturnType<typeof chance>;

  constructor(seed: number) {
    this.#draws = chance(seed);
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    return this.#draws.below(2 ** 32) / 2 ** 32;
  }

  of<Item>(items: readonly Item[]): Item {
    return this.#draws.pick(items);
  }
}
