// The budget of rendering, in processor time: nothing is given up because the machine is busy. liquidjs cuts its work
// into steps, and `inSteps` (liquid-limits.ts) checks the budget before each.
import { systemClock, threadCpuMs } from "../../base/clock.ts";

/** For all parts of one mail, one webhook or one preview together. */
export const RENDERING_MS = 100;

const OVER_BUDGET = "OVER_BUDGET";

/** What is rendered takes more time or room than it may. The message says which. */
export class OverBudget extends Error {
  override readonly name = "OverBudget";
  readonly code = OVER_BUDGET;

  /** `field`: of a template, where that is known. */
  constructor(
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }
}

/** True for an OverBudget of this thread, and for what another thread says of one of its own. */
export function isOverBudget(error: unknown): error is Error {
  return error instanceof Error && (error as { readonly code?: unknown }).code === OVER_BUDGET;
}

/** Begins when it is made; what this thread does from then on counts. */
export class Budget {
  #lookAtMs: number;

  /** `startedMs`: what the thread has worked before. */
  constructor(
    readonly limitMs = RENDERING_MS,
    private readonly startedMs = threadCpuMs(),
  ) {
    this.#lookAtMs = systemClock.monotonicMs() + limitMs;
  }

  /**
   * Cheap enough for each step of a loop: before so much time has gone by, the processor cannot have worked so long.
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
