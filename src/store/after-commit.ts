// What runs after a commit, on either engine.
import type { Log } from "../base/log.ts";

/** The change is made, whatever becomes of what follows: one that throws takes nothing from the others. */
export function callEach(callbacks: readonly (() => void)[], log: Log): void {
  for (const callback of callbacks) {
    try {
      callback();
    } catch (error) {
      log.error("a task after a commit failed", { error });
    }
  }
}
