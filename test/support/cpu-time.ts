// Budgets of processor time. What else runs on a core, or is compiled meanwhile, counts as well: of a few runs, what is
// within its budget comes below it once.
import { expect } from "bun:test";
import { threadCpuMs } from "../../src/base/clock.ts";

const MOST_RUNS = 12;

/** The work takes less processor time of this thread than that. */
export async function expectCpuBelow(mostMs: number, work: () => unknown): Promise<void> {
  let leastMs = Infinity;
  for (let run = 0; leastMs >= mostMs && run < MOST_RUNS; run++) {
    const beganMs = threadCpuMs();
    await work();
    leastMs = Math.min(leastMs, threadCpuMs() - beganMs);
  }
  expect(leastMs).toBeLessThan(mostMs);
}
