// What fails because the server restarts, or two transactions collide, is tried again.
import type { Clock } from "../../base/clock.ts";
import { translated } from "./connection.ts";

/** Waits between tries while two transactions collide or the server restarts; about three seconds in all. */
const WAITS_MS: readonly number[] = [10, 40, 150, 400, 900, 1500];
/** A try may take long as well, where nobody refuses the connection. */
const MAX_TRYING_MS = 5_000;

/** Tries again what `isSafe` allows. @throws what the last try threw, in the words of the store */
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
