// The state of a stream, in one word for operators.
import { MINUTE_MS } from "../../../base/clock.ts";
import type { StreamState } from "./follower.ts";
import { withinTime } from "./within-time.ts";

/** STARTING: nothing since the start can be restored yet. REFUSED: another server ships to the place. */
export const HEALTHS = ["FOLLOWING", "STARTING", "FAILING", "REFUSED"] as const;
export type StreamHealth = (typeof HEALTHS)[number];

const LONGEST_ANSWER_MS = 1_000;

export function healthOf({ isRefused, error, lagMs, snapshotAt }: StreamState): StreamHealth {
  if (isRefused) return "REFUSED";
  if (error !== null || lagMs > MINUTE_MS) return "FAILING";
  return snapshotAt === null ? "STARTING" : "FOLLOWING";
}

/** A thread that does not answer ships nothing. */
export async function healthSoon(state: () => Promise<StreamState>): Promise<StreamHealth> {
  return withinTime(state(), LONGEST_ANSWER_MS).then(healthOf, () => "FAILING");
}
