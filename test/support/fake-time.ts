// Time that goes by only while nothing happens: a busy machine is late for nothing, and nobody waits for what never
// comes.
import { jest } from "bun:test";

const STEP_MS = 20;
/** Both ends of a connection are in this process: what one has said, the other hears within a few turns. */
const QUIET_TURNS = 20;

/**
 * `progress` is another number, each time that something has happened.
 * @throws Error once more than `mostMs` have gone by
 */
export async function inFakeTime<Result>(
  progress: () => number,
  work: () => Promise<Result>,
  mostMs = Infinity,
): Promise<Result> {
  jest.useFakeTimers();
  try {
    let isOver = false;
    let passedMs = 0;
    const result = work().finally(() => (isOver = true));
    for (let quiet = 0, seen = progress(); !isOver; await turn()) {
      quiet = seen === progress() ? quiet + 1 : 0;
      seen = progress();
      if (quiet < QUIET_TURNS) continue;
      quiet = 0;
      jest.advanceTimersByTime(STEP_MS);
      passedMs += STEP_MS;
      if (passedMs > mostMs) throw new Error(`It took more than ${mostMs} ms.`);
    }
    return await result;
  } finally {
    jest.useRealTimers();
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
