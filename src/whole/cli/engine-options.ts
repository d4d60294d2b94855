// The memory options of the JavaScript engine. It reads its options once, before the first line of a program runs, and
// only from the environment: the executable sets them there and begins anew, as the same process (execve(2)).
import { environmentWith } from "../../base/config.ts";

/**
 * The engine collects garbage sooner than by default. Its last compiler (FTL) waits ten times as long, for code that
 * runs all the time: it takes a second of processor time and 10 MB for a campaign that is over soon. Without it,
 * composing takes half as long again.
 */
const OPTIONS: Readonly<Record<string, string>> = {
  BUN_JSC_heapGrowthMaxIncrease: "0.6",
  BUN_JSC_smallHeapGrowthFactor: "1.6",
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "1000000",
};

/**
 * The loader of shared libraries, if the executable was started through it (ld.so(8)): its own command line is unknown
 * then.
 */
const LOADER = /\.so(\.\d+)*$/;

/**
 * Begins the executable anew, unless its environment has the options. Options that an operator has set stay. Returns if
 * that cannot be done.
 */
export function beginWithEngineOptions(): void {
  if (!Bun.isStandaloneExecutable || LOADER.test(process.execPath)) return;
  const env = environmentWith(OPTIONS);
  if (env === null) return;
  try {
    process.execve?.(process.execPath, [process.argv0, ...process.argv.slice(2)], env);
  } catch {
    // The executable works without them, in more memory.
  }
}
