// A queue for work that keeps its thread busy: the owner whose work has cost least so far is next.
import { threadCpuMs } from "../clock.ts";

/** Then work that arrived in between joins the line. */
const STRETCH_MS = 5;

/** A newcomer starts so far ahead of those who wait. */
const AHEAD_MS = 1;

type Line = { readonly waiting: ((spentMs: number) => void)[]; costMs: number };

export class LeastCostFirst {
  readonly #spentMs: () => number;
  readonly #lines = new Map<number, Line>();
  #isGoing = false;

  /** `spentMs`: what the thread has worked so far. */
  constructor(spentMs = threadCpuMs) {
    this.#spentMs = spentMs;
  }

  /** `workspace` is whom the work is for. `work` is told what the thread has worked before it. */
  run<Result>(workspace: number, work: (spentMs: number) => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#lineOf(workspace).waiting.push((spentMs) => {
        try {
          resolve(work(spentMs));
        } catch (error) {
          reject(error as Error);
        }
      });
      if (this.#isGoing) return;
      this.#isGoing = true;
      setImmediate(() => this.#go());
    });
  }

  /** Who joins comes next, but has saved nothing up by having been away. */
  #lineOf(workspace: number): Line {
    const line = this.#lines.get(workspace) ?? { waiting: [], costMs: 0 };
    if (line.waiting.length === 0) line.costMs = Math.max(line.costMs, (this.#next()?.costMs ?? 0) - AHEAD_MS);
    this.#lines.set(workspace, line);
    return line;
  }

  #go(): void {
    const startedMs = this.#spentMs();
    let nowMs = startedMs;
    for (let line = this.#next(); line; line = this.#next()) {
      const beforeMs = nowMs;
      line.waiting.shift()?.(beforeMs);
      nowMs = this.#spentMs();
      line.costMs += nowMs - beforeMs;
      if (nowMs - startedMs >= STRETCH_MS) return void setImmediate(() => this.#go());
    }
    this.#isGoing = false;
    this.#lines.clear();
  }

  #next(): Line | undefined {
    let next: Line | undefined;
    for (const line of this.#lines.values())
      if (line.waiting.length > 0 && line.costMs < (next?.costMs ?? Infinity)) next = line;
    return next;
  }
}
