// The memory for messages that come in: a bounded number may be large at once, the others wait for them, first come, first served.

export type Step = { readonly bytes: number; readonly places: number };

/** Every connection has that much without asking. */
const FIRST_BYTES = 16 * 1024;

/** A message that outgrows one step waits for a place on the next. Those on the last step wait for nobody, so all get ahead. */
export class MessageMemory {
  readonly #steps: readonly Queue[];

  /** Each step has more bytes for a message than the one before. */
  constructor(steps: readonly Step[]) {
    this.#steps = steps.map((step) => new Queue(step));
  }

  newBuffer(): MessageBuffer {
    return new MessageBuffer(this.#steps);
  }
}

/** The memory of one message, in one piece. */
export class MessageBuffer {
  #on = -1;
  #memory = Buffer.alloc(0);

  constructor(private readonly steps: readonly Queue[]) {}

  get memory(): Buffer {
    return this.#memory;
  }

  /** Makes the memory larger, what stands in it included, when there is a place; answers false on the last step. */
  async grow(): Promise<boolean> {
    if (this.#memory.length > 0) {
      const next = this.steps[this.#on + 1];
      if (!next) return false;
      await next.take();
      this.steps[this.#on]?.free();
      this.#on++;
    }
    // The system gives memory for what is written to, not for what is asked for.
    const larger = Buffer.allocUnsafeSlow(this.steps[this.#on]?.bytes ?? FIRST_BYTES);
    this.#memory.copy(larger);
    this.#forget();
    this.#memory = larger;
    return true;
  }

  /** The message is not read any more. */
  release(): void {
    this.steps[this.#on]?.free();
    this.#on = -1;
    this.#forget();
  }

  /** At once: what many large messages leave behind would take too much until it is collected. */
  #forget(): void {
    if (this.#memory.length > 0) this.#memory.buffer.transfer(0);
    this.#memory = Buffer.alloc(0);
  }
}

class Queue {
  readonly bytes: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor({ bytes, places }: Step) {
    this.bytes = bytes;
    this.#free = places;
  }

  take(): Promise<void> {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free--;
    return Promise.resolve();
  }

  free(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
