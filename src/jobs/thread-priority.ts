// The priority of threads: those that handle mail yield the processor to the one that answers requests.
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

const NICENESS = 10;

/** On Linux a thread has a number and a priority of its own (setpriority(2)); elsewhere nothing happens. */
export function lowerThreadPriority(): void {
  try {
    setPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)), NICENESS);
  } catch {
    // Without it mail is carried all the same.
  }
}
