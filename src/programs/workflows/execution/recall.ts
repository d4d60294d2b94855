// Run after a clock that was ahead is set back: executions go on as with a right clock.
import { iso } from "../../../base/clock.ts";
import type { Tx } from "../../../store/store.ts";
import { callRunning, setDueAt, waitsBegunAfter } from "./recall-queries.ts";

/** A wait that began under the clock ahead keeps its length; one that began before keeps its end. */
export async function recallExecutions(tx: Tx): Promise<void> {
  await callRunning(tx);
  for (const { seq, dueAt, startedAt } of await waitsBegunAfter(tx, tx.now))
    await setDueAt(tx, seq, iso(tx.nowMs + Date.parse(dueAt) - Date.parse(startedAt)));
}
