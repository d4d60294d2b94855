// The budget of rendering, in processor time, so that a busy machine fails no rendering. liquidjs cuts its work into
// steps, and `inSteps` (liquid-limits.ts) checks the budget before each.
import { systemClock, threadCpuMs } from "../../../base/clock.ts";

/** For all parts of one mail, one webhook or one preview together. */
export const RENDERING_MS = 100;

const OVER_BUDGET = "OVER_BUDGET";

/** A rendering exceeds its limit of time or size. The message names the limit. */
export class OverBudget extends Error {
  override readonly name = "OverBudget";
  readonly code = OVER_BUDGET;

  /** `field`: of a template, if known. */
  constructor(
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }
}

/** True for an OverBudget of this thread, and for one that another thread reports. */
export function isOverBudget(error: unknown): error is Error {
  return error instanceof Error && (error as { readonly code?: unknown }).code === OVER_BUDGET;
}

/** Counts the work of this thread from its creation on. */
export class Budget {
  #lookAtMs: number;

  /** `startedMs`: the thread's processor time so far. */
  constructor(
    readonly limitMs = RENDERING_MS,
    private readonly startedMs = threadCpuMs(),
  ) {
    this.#lookAtMs = systemClock.monotonicMs() + limitMs;
  }

  /**
   * Cheap enough for each step of a loop: until the remaining time has passed on the clock, the processor time cannot
   * be used up, so it is not read.
   * @throws OverBudget
   */
  check(): void {
    const nowMs = systemClock.monotonicMs();
    if (nowMs < this.#lookAtMs) return;
    const leftMs = this.limitMs - (threadCpuMs() - this.startedMs);
    if (leftMs <= 0) throw new OverBudget(`Rendering takes more than ${this.limitMs} ms of processor time.`);
    this.#lookAtMs = nowMs + leftMs;
  }
}
