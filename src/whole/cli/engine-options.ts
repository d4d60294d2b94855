// What the JavaScript engine is told about memory. It reads its options once, before the first line of a program runs,
// and only from the environment: the executable sets them there and begins anew, as the same process (execve(2)).
import { environmentWith } from "../../base/config.ts";

/**
 * The engine looks for unused memory sooner than it would by itself. Its last compiler (FTL) waits ten times as long,
 * for what runs all the time: it takes a second of processor time and 10 MB for a campaign that is over soon. Without
 * it, composing takes half as long again.
 */
const OPTIONS: Readonly<Record<string, string>> = {
  BUN_JSC_heapGrowthMaxIncrease: "0.6",
  BUN_JSC_smallHeapGrowthFactor: "1.6",
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "1000000",
};

/**
 * The loader of shared libraries, where somebody has started the executable through it (ld.so(8)): how it was called is
 * not known.
 */
const LOADER = /\.so(\.\d+)*$/;

/**
 * Begins the executable anew, unless its environment has the options. What an operator has set stays. Returns where
 * that cannot be done.
 */
export function beginWithEngineOptions(): void {
  if (!Bun.isStandaloneExecutable || LOADER.test(process.execPath)) return;
  const env = environmentWith(OPTIONS);
  if (env === null) return;
  try {
    process.execve?.(process.execPath, [process.argv0, ...process.argv.slice(2)], env);
  } catch {
    // It runs as well without them, in more memory.
  }
}
