// All loops of the process: started together, woken by signals, settled by hand, stopped together.
import { HOUR_MS, MINUTE_MS, type Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { InHand } from "./in-hand.ts";
import { gathered, loop, type Loop, type Step } from "./loop.ts";

/** A loop as its room declares it. */
export type LoopSpec = {
  readonly name: string;
  readonly step: Step;
  /** The signal that there may be work. */
  readonly wokenBy?: string;
  /** All signals within this time wake it once. */
  readonly gatherMs?: number;
  /** Work that it starts without waiting for it; once there is room for more, it wakes up. */
  readonly inHand?: InHand;
};

/** Removes what has expired, up to `most` rows at a time, and looks again in an hour. */
export function hourly(name: string, most: number, remove: (most: number) => Promise<number>): LoopSpec {
  return { name, step: async () => ((await remove(most)) < most ? HOUR_MS : 0) };
}

/** A batch is bounded, and none takes nearly as long: one that does waits for something that will never come. */
const LONGEST_BATCH_MS = 5 * MINUTE_MS;

export class Loops {
  readonly #loops: readonly Loop[];
  readonly #wakers: { readonly signal: string; readonly loop: Pick<Loop, "kick"> }[] = [];
  readonly #inHand: readonly InHand[];
  readonly #clock: Pick<Clock, "monotonicMs">;
  /** Since when the batches in hand have been at work. */
  readonly #atWork = new Map<string, number>();

  constructor(specs: readonly LoopSpec[], log: Log, clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
    this.#inHand = specs.flatMap(({ inHand }) => inHand ?? []);
    this.#loops = specs.map(({ name, step, wokenBy, gatherMs, inHand }) => {
      const one = loop(name, () => this.#watched(name, step), log);
      if (inHand) inHand.onRoom = () => one.kick();
      if (wokenBy) this.#wakers.push({ signal: wokenBy, loop: gatherMs ? gathered(one, gatherMs) : one });
      return one;
    });
  }

  /** The loops that do not come to the end of a batch. */
  get stuck(): readonly string[] {
    const longAgoMs = this.#clock.monotonicMs() - LONGEST_BATCH_MS;
    return [...this.#atWork].filter(([, sinceMs]) => sinceMs <= longAgoMs).map(([name]) => name);
  }

  start(): void {
    this.#loops.forEach((one) => one.start());
  }

  /** `signal`: null = some may have been missed, so every loop looks for work. */
  wake(signal: string | null): void {
    if (signal === null) this.#loops.forEach((one) => one.kick());
    else for (const waker of this.#wakers) if (waker.signal === signal) waker.loop.kick();
  }

  /** Runs every loop until nothing is due. */
  async settle(): Promise<void> {
    while (await this.#oneRound());
  }

  /** Resolves when every loop has stopped and nothing is in hand. */
  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((one) => one.stop()));
    await Promise.all(this.#inHand.map((one) => one.idle()));
  }

  async #watched(name: string, step: Step): Promise<number> {
    this.#atWork.set(name, this.#clock.monotonicMs());
    try {
      return await step();
    } finally {
      this.#atWork.delete(name);
    }
  }

  /** A step that answers 0 has done something or knows of more, and what it did may be work for another loop. */
  async #oneRound(): Promise<boolean> {
    let isBusy = false;
    for (const { step } of this.#loops) {
      isBusy = (await step()) === 0 || isBusy;
      for (const one of this.#inHand) isBusy = (await one.idle()) || isBusy;
    }
    return isBusy;
  }
}
