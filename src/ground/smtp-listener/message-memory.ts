// Memory for arriving messages: a bounded number may be large at once, the others wait in order.
import { FairQueue } from "../../base/brakes/fair-queue.ts";

export type MemoryStep = { readonly bytes: number; readonly places: number };

type MemoryPlaces = { readonly bytes: number; readonly queue: FairQueue };

/** Every connection has that much without asking. */
const FIRST_BYTES = 16 * 1024;

/**
 * A message that outgrows one step waits for a place on the next. Those on the last step wait for nobody, so all get
 * ahead.
 */
export class MessageMemory {
  readonly #steps: readonly MemoryPlaces[];

  /** Each step has more bytes for a message than the one before. */
  constructor(steps: readonly MemoryStep[]) {
    this.#steps = steps.map(({ bytes, places }) => ({ bytes, queue: new FairQueue(places) }));
  }

  newBuffer(): MessageBuffer {
    return new MessageBuffer(this.#steps);
  }
}

/** The memory of one message, in one piece. */
export class MessageBuffer {
  #on = -1;
  #leave: () => void = () => {};
  #memory = Buffer.alloc(0);

  constructor(private readonly steps: readonly MemoryPlaces[]) {}

  get memory(): Buffer {
    return this.#memory;
  }

  /** Enlarges the memory with its content when there is a place; answers false on the last step. */
  async grow(): Promise<boolean> {
    if (this.#memory.length > 0) {
      const next = this.steps[this.#on + 1];
      if (!next) return false;
      const leave = await next.queue.take();
      this.#leave();
      this.#leave = leave;
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
    this.#leave();
    this.#leave = () => {};
    this.#on = -1;
    this.#forget();
  }

  /** At once: what many large messages leave behind would take too much until it is collected. */
  #forget(): void {
    if (this.#memory.length > 0) this.#memory.buffer.transfer(0);
    this.#memory = Buffer.alloc(0);
  }
}
