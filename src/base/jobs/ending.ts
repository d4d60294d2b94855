// The end of the process: everything finishes what it has in hand, within a time.
import type { Log } from "../log.ts";

/** How long work in hand may take to finish at the end: containers are killed after 10 s. */
const MAX_SHUTDOWN_MS = 9_000;

/**
 * Waits for all parts within the time: a client that sends a request forever does not hold up the end, and a part that
 * fails does not end the others early.
 */
export async function finished(ending: readonly (Promise<void> | undefined)[], log: Log): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  // This timer also keeps the process alive, which the carrying thread does not.
  const deadline = setTimeout(resolve, MAX_SHUTDOWN_MS, "late");
  const done = await Promise.race([Promise.allSettled(ending), late]);
  clearTimeout(deadline);
  if (done !== "late")
    for (const one of done)
      if (one.status === "rejected")
        log.error("a part of the server could not end in good order", { error: one.reason });
  if (done === "late") log.warn("stopped with work still in hand; its emails leave after the next start");
}
