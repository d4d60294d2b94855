// Short waits of a simulation, such as those in which the server gathers work: they end after some turns of the event
// loop, and not at a moment that depends on the machine.

const LONGEST_MS = 50;
/** Fewer than what is under way waits for in any case (order.ts). */
const TURNS = 2;

/** As a timer, whose wait is over after `TURNS` turns. */
class Soon {
  #next: NodeJS.Immediate;

  constructor(work: () => void) {
    const come = (turns: number): NodeJS.Immediate =>
      setImmediate(() => (turns > 1 ? (this.#next = come(turns - 1)) : work()));
    this.#next = come(TURNS);
  }

  clear(): void {
    clearImmediate(this.#next);
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** Until it is disposed of. */
export function withoutShortWaits(): Disposable {
  const { setTimeout, clearTimeout } = globalThis;
  const wait = (work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
    ms <= LONGEST_MS ? new Soon(() => work(...given)) : setTimeout(work, ms, ...given);
  const clear = (timer: unknown) => (timer instanceof Soon ? timer.clear() : clearTimeout(timer as number));
  Object.assign(globalThis, { setTimeout: wait, clearTimeout: clear });
  return { [Symbol.dispose]: () => Object.assign(globalThis, { setTimeout, clearTimeout }) };
}
