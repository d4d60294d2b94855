// Repeated work: one bounded batch after another, a rest when nothing is due, a kick that ends the rest.
import { isStoreAway } from "../errors.ts";
import type { Log } from "../log.ts";

/** Does one batch and answers in how many milliseconds work is due; 0 = there is more to do. */
export type LoopStep = () => Promise<number>;

export interface Loop {
  readonly name: string;
  readonly step: LoopStep;
  /** There may be work: end the rest. */
  kick(): void;
  start(): void;
  /** Starts no further batch; resolves when the one in hand is done. */
  stop(): Promise<void>;
}

/** The rest after a batch that threw; no kick ends it, so that a lasting fault does not fill the log. */
const REST_AFTER_FAULT_MS = 1_000;
/** The machine may have slept, and another process may have left work without a signal. */
const LONGEST_REST_MS = 60_000;

export type LoopRests = {
  /** The pause after each batch, even if there is more to do. */
  readonly pauseMs?: number;
  /** How often the loop looks for work that was left without a signal. */
  readonly lookEveryMs?: number;
};

export function loop(name: string, step: LoopStep, log: Log, rests: LoopRests = {}): Loop {
  return new RestingLoop(name, step, log, rests);
}

/** Kicks `other` once for all kicks within `waitMs`. */
export function gathered(other: Pick<Loop, "kick">, waitMs: number): Pick<Loop, "kick"> {
  let isComing = false;
  const late = () => {
    isComing = false;
    other.kick();
  };
  return {
    kick() {
      if (!isComing) setTimeout(late, waitMs).unref();
      isComing = true;
    },
  };
}

class RestingLoop implements Loop {
  #stopped = false;
  #kicked = false;
  #hasFailed = false;
  /** Failed tries since the store went away; 0 = it is there. */
  #triesAway = 0;
  #running: Promise<void> | null = null;
  #endRest: () => void = () => {};

  constructor(
    readonly name: string,
    readonly step: LoopStep,
    private readonly log: Log,
    private readonly rests: LoopRests,
  ) {}

  kick(): void {
    this.#kicked = true;
    if (!this.#hasFailed) this.#endRest();
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#endRest();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#kicked = false;
      const { pauseMs = 0, lookEveryMs = LONGEST_REST_MS } = this.rests;
      const restMs = Math.max(Math.min(await this.#stepSafely(), lookEveryMs), pauseMs);
      if (restMs > 0) await this.#rest(restMs);
    }
  }

  async #stepSafely(): Promise<number> {
    try {
      const restMs = await this.step();
      this.#hasFailed = false;
      this.#noteWorked();
      return restMs;
    } catch (error) {
      this.#hasFailed = true;
      this.#noteFailed(error);
      return REST_AFTER_FAULT_MS;
    }
  }

  /** A store that is away fails every loop until it is back: each loop logs it once. */
  #noteFailed(error: unknown): void {
    const isAway = isStoreAway(error);
    const isKnown = this.#triesAway > 0;
    if (isAway || isKnown) this.#triesAway++;
    if (!isAway) this.log.error(`${this.name}: a batch failed; trying again later`, { error });
    else if (!isKnown) this.log.error(`${this.name}: the store is not available; trying again`, { error });
  }

  #noteWorked(): void {
    if (this.#triesAway > 0)
      this.log.info(`${this.name}: the store is available again`, { failedTries: this.#triesAway });
    this.#triesAway = 0;
  }

  #rest(restMs: number): Promise<void> {
    if (this.#stopped || (this.#kicked && !this.#hasFailed)) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, restMs);
      this.#endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
