// Whether a mail is still ours when it leaves: asked of whoever keeps the leases, and believed for as long as the answer holds.
import type { Clock } from "../clock.ts";

/** Answers for how many milliseconds no other process can take the mail over; 0 = one may have. */
export type Hold = () => Promise<number>;

export function mayLeaveBy(hold: Hold, clock: Pick<Clock, "monotonicMs">): () => Promise<boolean> {
  let untilMs = -Infinity;
  return async () => {
    while (clock.monotonicMs() >= untilMs) {
      // Counted from the question: this thread may stand still between the answer and its arrival.
      const askedMs = clock.monotonicMs();
      const heldMs = await hold();
      if (heldMs <= 0) return false;
      untilMs = askedMs + heldMs;
    }
    return true;
  };
}
