// Retries of statements that fail because the server restarts, or two transactions collide.
import type { Clock } from "../../base/clock.ts";
import { translated } from "./connection.ts";

/** Waits between attempts while two transactions collide or the server restarts; about three seconds in all. */
const WAITS_MS: readonly number[] = [10, 40, 150, 400, 900, 1500];
/** An attempt may take long as well, if the connection is not refused. */
const MAX_TRYING_MS = 5_000;

/** Retries errors that `isSafe` allows. @throws the last error, in the words of the store */
export async function again<Result>(
  clock: Clock,
  work: () => Promise<Result>,
  isSafe: (error: unknown) => boolean,
): Promise<Result> {
  const startMs = clock.monotonicMs();
  for (const waitMs of WAITS_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isSafe(error) || clock.monotonicMs() - startMs > MAX_TRYING_MS) throw translated(error);
      await new Promise((resolve) => setTimeout(resolve, waitMs * (0.5 + Math.random())));
    }
  }
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
}
