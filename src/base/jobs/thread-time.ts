// The processor time of another thread. On a busy machine a thread waits for its turn, which is no fault of its work.
import { readFileSync, readlinkSync } from "node:fs";

/** proc(5): the unit of times of threads. */
const TICK_MS = 10;
/** Among the fields behind the name, which may have blanks: time in user mode, and in the kernel. */
const USER = 11;
const SYSTEM = 12;

/** The number by which others know this thread; null where the system has none. */
export function threadNumber(): number | null {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  } catch {
    return null;
  }
}

/** `thread`: null = that of the whole process, which is never less. */
export function processorMsOf(thread: number | null): number {
  if (thread !== null) {
    try {
      const fields = readFileSync(`/proc/self/task/${thread}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
      return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS;
    } catch {
      // The thread has ended, or the system shows no threads.
    }
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
