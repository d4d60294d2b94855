// Executions that ended long ago: their traces, with what was sent and answered, are not kept for ever.
import { DAY_MS, HOUR_MS, iso } from "../clock.ts";
import type { Store } from "../store/store.ts";
import { bareExecutions, deleteExecutionSteps, deleteOutdone, endedBefore } from "./forgetting-queries.ts";

const BATCH = 50;
const REST_MS = HOUR_MS;

/**
 * Forgets a part of those that ended more than `days` ago (0 = none ever). Of what a contact did in a workflow the last execution stays,
 * without trace and context: whoever may enter once does not enter again. Answers how long there will be nothing to forget.
 */
export async function forgetExecutions(store: Store, days: number): Promise<number> {
  if (days === 0) return REST_MS;
  return store.write(async (tx) => {
    const seqs = (await endedBefore(tx, iso(tx.nowMs - days * DAY_MS), BATCH)).map(({ seq }) => seq);
    if (seqs.length === 0) return REST_MS;
    await deleteExecutionSteps(tx, seqs);
    await deleteOutdone(tx, seqs);
    await bareExecutions(tx, seqs);
    return 0;
  });
}
