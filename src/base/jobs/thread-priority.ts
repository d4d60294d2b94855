// The priority of threads: those that handle mail yield the processor to the one that answers requests.
import { setPriority } from "node:os";
import { threadNumber } from "./thread-time.ts";

const NICENESS = 10;

/** On Linux a thread has a number and a priority of its own (setpriority(2)); elsewhere nothing happens. */
export function lowerThreadPriority(): void {
  try {
    const thread = threadNumber();
    if (thread !== null) setPriority(thread, NICENESS);
  } catch {
    // Mail is carried without it as well.
  }
}
