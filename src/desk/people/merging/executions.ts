// Two contacts in one workflow become one: steps that are not done twice.
import { cancelBecause } from "../../../programs/workflows/execution/execution.ts";
import type { Tx } from "../../../store/store.ts";
import * as queries from "../../../programs/workflows/execution/merge-queries.ts";
import type { MergeDirection } from "../../../store/table.ts";
import { keepMoved } from "./moved-queries.ts";

const MERGED = "The contact was merged into one that is in this workflow, or was and may enter once only.";

/**
 * Executions that run, and those after which the contact does not enter again, move to the other contact immediately.
 * One that would double one of the other is cancelled. Answers the public ids of the workflows of the cancelled ones.
 */
export async function moveExecutions(tx: Tx, { from, to }: MergeDirection): Promise<string[]> {
  const theirs = await queries.lockDecisive(tx, from);
  if (theirs.length === 0) return [];
  const own = await queries.lockDecisive(tx, to);
  const isOnce = ({ workflow }: queries.EntryExecution) => own.some((one) => one.workflow === workflow && one.once);
  const isDouble = (one: queries.EntryExecution) =>
    (one.once && isOnce(one)) ||
    (one.isActive &&
      own.some(({ workflow, entry, isActive }) => isActive && workflow === one.workflow && entry === one.entry));
  const doubled = theirs.filter((one) => one.isActive && isDouble(one));
  await cancelBecause(
    tx,
    doubled.map(({ seq }) => seq),
    MERGED,
  );
  const again = theirs.filter((one) => one.once && isOnce(one)).map(({ seq }) => seq);
  if (again.length > 0) {
    await queries.setOnce(tx, again, null);
    await keepMoved(tx, from, "once", again);
  }
  const all = theirs.map(({ seq }) => seq);
  await queries.setContact(tx, all, to);
  await keepMoved(tx, from, "executions", all);
  return [...new Set(doubled.map(({ workflowId }) => workflowId))];
}
