// Recording an outcome, however long the store is away.
import { isStoreAway } from "../../base/errors.ts";

/** Once the store is back, another process may claim a mail that has left but is not recorded. */
const MAX_RECORDING_REST_MS = 5_000;

/**
 * A mail that has left must be recorded, or it leaves again. While the store is away or full, recording is retried
 * without end, because no other process can claim the mail. After any other fault it is retried while the lease lasts.
 */
export async function persistently<Done>(leaseMs: number, record: () => Promise<Done>): Promise<Done> {
  for (let waitMs = 1_000; ; waitMs *= 2) {
    try {
      return await record();
    } catch (error) {
      if (!isStoreAway(error) && waitMs > leaseMs / 4) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, MAX_RECORDING_REST_MS)));
    }
  }
}
