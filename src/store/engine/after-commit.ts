// Callbacks after a commit, on either engine.
import type { Log } from "../../base/log.ts";

/** The change is made in any case: a callback that throws does not keep the others from running. */
export function callEach(callbacks: readonly (() => void)[], log: Log): void {
  for (const callback of callbacks) {
    try {
      callback();
    } catch (error) {
      log.error("a task after a commit failed", { error });
    }
  }
}
