// All loops of the process: started together, woken by signals, settled by hand, stopped together.
import { HOUR_MS, MINUTE_MS, type Clock, type StillClock } from "../clock.ts";
import type { Log } from "../log.ts";
import { counter, counterBy } from "../metrics/metric.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { ClaimedWork } from "./in-hand.ts";
import { gathered, loop, type Loop, type LoopRests } from "./loop.ts";

type MeteredStep = (metrics: Metrics) => Promise<number>;

/** A loop as its room declares it. A pause after each batch leaves the store to others. */
export type LoopSpec = LoopRests & {
  readonly name: string;
  readonly step: MeteredStep;
  /** The signal that there may be work. */
  readonly wokenBy?: string;
  /** All signals within this time wake it once. */
  readonly gatherMs?: number;
  /** Work that the loop starts without waiting for it; it wakes up once there is room for more. */
  readonly inHand?: ClaimedWork;
  /** A batch of this loop may take hours. */
  readonly mayTakeLong?: true;
  /**
   * The loop deletes or begins things because of the date, which cannot be undone: it rests while the calendar is in
   * doubt.
   */
  readonly goesByDate?: true;
  /** The loop tells what it sees and makes no work: settled by hand, it looks once all others have done theirs. */
  readonly onlyLooks?: true;
};

/** Whether the date can be believed (store/clock-watch.ts). */
export type Calendar = { readonly isDoubted: boolean; look(): Promise<void> };
const SOUND: Calendar = { isDoubted: false, look: () => Promise.resolve() };

/** Removes expired rows, up to `most` at a time, and checks again in an hour. */
export function hourly(name: string, most: number, remove: (most: number) => Promise<number>): LoopSpec {
  const step: MeteredStep = async (metrics) => {
    const rows = await remove(most);
    metrics.count({ metric: PRUNED, by: rows, labels: [name.replace("deleting ", "")] });
    return rows < most ? HOUR_MS : 0;
  };
  return { name, step, goesByDate: true };
}

/** Label: the kind of row. */
export const PRUNED = counterBy("posthorn_pruned_rows_total", "Rows removed because their time was over.", ["what"]);
const BATCHES = counter("posthorn_loop_batches_total", "Batches of repeated work.", "loop");
const FAILED = counter("posthorn_loop_failures_total", "Batches of repeated work that failed.", "loop");

/** A batch is bounded and takes far less: one that takes longer waits for something that will never come. */
const LONGEST_BATCH_MS = 5 * MINUTE_MS;

export type LoopGround = {
  readonly log: Log;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly metrics: Metrics;
  readonly calendar?: Calendar;
};

export class Loops {
  readonly #loops: readonly Loop[];
  readonly #wakers: { readonly signal: string; readonly loop: Pick<Loop, "kick"> }[] = [];
  readonly #inHand: readonly ClaimedWork[];
  readonly #around: LoopGround;
  /** When the batch in hand of each loop began. */
  readonly #atWork = new Map<string, number>();
  /** When each loop knows that work is due. */
  readonly #dueAtMs = new Map<string, number>();
  readonly #patient = new Set<string>();
  readonly #onlyLooking = new Set<string>();

  constructor(specs: readonly LoopSpec[], around: LoopGround) {
    this.#around = around;
    this.#inHand = specs.flatMap(({ inHand }) => inHand ?? []);
    // Counted from 0, so that the first failure shows as an increase as well.
    for (const { name } of specs) around.metrics.count({ metric: FAILED, by: 0, labels: [name] });
    this.#loops = specs.map((spec) => {
      const { name, wokenBy, gatherMs, inHand, mayTakeLong, onlyLooks } = spec;
      if (mayTakeLong) this.#patient.add(name);
      if (onlyLooks) this.#onlyLooking.add(name);
      const one = loop(name, () => this.#watched(spec), around.log, spec);
      if (inHand) inHand.onRoom = () => one.kick();
      if (wokenBy) this.#wakers.push({ signal: wokenBy, loop: gatherMs ? gathered(one, gatherMs) : one });
      return one;
    });
  }

  /** The loops whose batch does not end. */
  get stuck(): readonly string[] {
    const longAgoMs = this.#around.clock.monotonicMs() - LONGEST_BATCH_MS;
    const late = [...this.#atWork].filter(([name, sinceMs]) => sinceMs <= longAgoMs && !this.#patient.has(name));
    return late.map(([name]) => name);
  }

  start(): void {
    this.#loops.forEach((one) => one.start());
  }

  /** `signal`: null = signals may have been missed, so every loop looks for work. */
  wake(signal: string | null): void {
    if (signal === null) this.#loops.forEach((one) => one.kick());
    else for (const waker of this.#wakers) if (waker.signal === signal) waker.loop.kick();
  }

  /** Runs every loop until nothing is due. */
  async settle(): Promise<void> {
    while (await this.#oneRound((name) => !this.#onlyLooking.has(name)));
    for (const { name, step } of this.#loops) if (this.#onlyLooking.has(name)) await step();
  }

  /** Moves the clock to a moment. What becomes due on the way is done at its time, in order. */
  async advance(clock: StillClock, toMs: number): Promise<void> {
    await this.settle();
    for (let nextMs = this.#nextDueMs(); nextMs <= toMs; nextMs = this.#nextDueMs()) {
      clock.moveTo(nextMs);
      if (await this.#oneRound((name) => (this.#dueAtMs.get(name) ?? 0) <= nextMs)) await this.settle();
    }
    clock.moveTo(toMs);
    await this.settle();
  }

  #nextDueMs(): number {
    return Math.min(...this.#dueAtMs.values());
  }

  /** Resolves when every loop has stopped and nothing is in hand. */
  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((one) => one.stop()));
    await Promise.all(this.#inHand.map((one) => one.idle()));
  }

  async #watched({ name, step, goesByDate }: LoopSpec): Promise<number> {
    const { clock, metrics, calendar = SOUND } = this.#around;
    this.#atWork.set(name, clock.monotonicMs());
    metrics.count({ metric: BATCHES, labels: [name] });
    try {
      await calendar.look();
      const restMs = goesByDate && calendar.isDoubted ? MINUTE_MS : await step(metrics);
      this.#dueAtMs.set(name, clock.monotonicMs() + restMs);
      return restMs;
    } catch (error) {
      metrics.count({ metric: FAILED, labels: [name] });
      throw error;
    } finally {
      this.#atWork.delete(name);
    }
  }

  /**
   * A step of each of these loops. One that answers 0 has done work or knows of more, and its work may have made work
   * for another loop.
   */
  async #oneRound(isMeant: (name: string) => boolean): Promise<boolean> {
    let isBusy = false;
    for (const { name, step } of this.#loops) {
      if (!isMeant(name)) continue;
      isBusy = (await step()) === 0 || isBusy;
      for (const one of this.#inHand) isBusy = (await one.idle()) || isBusy;
    }
    return isBusy;
  }
}
