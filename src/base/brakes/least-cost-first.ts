// A queue for work that keeps its thread busy: the owner whose work has cost least so far is next.
import { threadCpuMs } from "../clock.ts";

/** After this time, work that arrived in between joins the line. */
const STRETCH_MS = 5;

/** A newcomer starts this far ahead of the owners that wait. */
const AHEAD_MS = 1;

type OwnerQueue = { readonly waiting: ((spentMs: number) => void)[]; costMs: number };

export class LeastCostFirst {
  readonly #spentMs: () => number;
  readonly #lines = new Map<number, OwnerQueue>();
  #isGoing = false;

  /** `spentMs`: the thread's processor time so far. */
  constructor(spentMs = threadCpuMs) {
    this.#spentMs = spentMs;
  }

  /** `workspace` is the owner of the work. `work` gets the thread's processor time before it. */
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

  /** A newcomer is next in line, but earns no credit for having been away. */
  #lineOf(workspace: number): OwnerQueue {
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

  #next(): OwnerQueue | undefined {
    let next: OwnerQueue | undefined;
    for (const line of this.#lines.values())
      if (line.waiting.length > 0 && line.costMs < (next?.costMs ?? Infinity)) next = line;
    return next;
  }
}
