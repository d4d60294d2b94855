// Memory for arriving messages: a bounded number may be large at a time, the others wait in order.
import { FairQueue } from "../../base/brakes/fair-queue.ts";

export type MemoryStep = { readonly bytes: number; readonly places: number };

type MemoryPlaces = { readonly bytes: number; readonly queue: FairQueue };

/** The memory of every connection from the start. */
const FIRST_BYTES = 16 * 1024;

/**
 * A message that outgrows one step waits for a place on the next. Messages on the last step do not wait, so all make
 * progress.
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
    // The system provides memory when it is written to, not when it is allocated.
    const larger = Buffer.allocUnsafeSlow(this.steps[this.#on]?.bytes ?? FIRST_BYTES);
    this.#memory.copy(larger);
    this.#forget();
    this.#memory = larger;
    return true;
  }

  /** The message is no longer read. */
  release(): void {
    this.#leave();
    this.#leave = () => {};
    this.#on = -1;
    this.#forget();
  }

  /** Frees immediately: many large messages would leave too much behind until the next collection. */
  #forget(): void {
    if (this.#memory.length > 0) this.#memory.buffer.transfer(0);
    this.#memory = Buffer.alloc(0);
  }
}
