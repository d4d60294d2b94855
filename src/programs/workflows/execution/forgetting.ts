// Deletes traces of executions that ended long ago, and executions of deleted workflows.
import { NOTHING_DUE } from "../../../base/jobs/due.ts";
import { DAY_MS, HOUR_MS, iso } from "../../../base/clock.ts";
import type { Store } from "../../../store/store.ts";
import {
  deletedWorkflow,
  deleteExecutionsOf,
  deleteExecutionSteps,
  deleteSuperseded,
  deleteWorkflow,
  endedBefore,
  stripExecutions,
} from "./forgetting-queries.ts";
import { deleteUnstartedOf } from "./unstarted/unstarted-queries.ts";

const MAX_FORGOTTEN_A_BATCH = 50;
const MAX_DELETED_A_BATCH = 200;

/**
 * Forgets some executions that ended more than `days` ago (0 = never). A contact's last execution in a workflow stays,
 * without trace and context, so that a contact does not enter twice where once is allowed. Answers how long there will
 * be nothing to forget.
 */
export async function forgetExecutions(store: Store, days: number): Promise<number> {
  if (days === 0) return HOUR_MS;
  return store.write(async (tx) => {
    const ended = await endedBefore(tx, iso(tx.nowMs - days * DAY_MS), MAX_FORGOTTEN_A_BATCH);
    if (ended.length === 0) return HOUR_MS;
    const seqs = ended.map(({ seq }) => seq);
    await deleteExecutionSteps(tx, seqs);
    await deleteSuperseded(tx, seqs);
    await stripExecutions(tx, seqs);
    return 0;
  });
}

/** Deletes some executions of a deleted workflow. Answers how long there will be nothing to delete. */
export async function forgetDeleted(store: Store): Promise<number> {
  return store.write(async (tx) => {
    const workflow = await deletedWorkflow(tx);
    if (!workflow) return NOTHING_DUE;
    const deleted =
      (await deleteExecutionsOf(tx, workflow.seq, MAX_DELETED_A_BATCH)) +
      (await deleteUnstartedOf(tx, workflow.seq, MAX_DELETED_A_BATCH));
    if (deleted === 0) await deleteWorkflow(tx, workflow.seq);
    return 0;
  });
}
