// Executions that failed at a step that sends a mail return to the step before it, and retry it on the version on which
// they started. None that has its mail is among them: a step that has queued one is done.
import type { Tx } from "../../../../store/store.ts";
import { stepAfter, triggerStepOf } from "../../definition/definition.ts";
import { lockWorkflow, type WorkflowVersion } from "../../definition/queries.ts";
import { Versions } from "../../definition/version.ts";
import { EXECUTION_DUE } from "../execution.ts";
import {
  deleteFailedRecords,
  lockStopped,
  recordsOf,
  setBack,
  type RetryBatch,
  type RetryStepRow,
  type RetryExecutionRow,
  type RetryRange,
} from "./retry-queries.ts";

/** Public ids. */
type MailStepRef = { readonly workspace: number; readonly workflow: string; readonly step: string };

/** Retries the next batch. */
export async function retryMails(
  tx: Tx,
  { workspace, workflow: id, step }: MailStepRef,
  terms: RetryRange,
): Promise<RetryBatch> {
  // While it is locked, no execution starts.
  const workflow = await lockWorkflow(tx, workspace, id);
  const stopped = workflow ? await lockStopped(tx, { workflow: workflow.seq, step }, terms) : [];
  if (stopped.length === 0) return { retried: 0, next: null };
  const records = Map.groupBy(
    await recordsOf(
      tx,
      stopped.map(({ seq }) => seq),
    ),
    ({ execution }) => execution,
  );
  const versions = new Versions();
  const returns: Return[] = [];
  for (const { seq, version } of onceEach(stopped)) {
    const back = wayBack(await versions.bySeq(tx, version), step, records.get(seq) ?? []);
    if (back) returns.push({ seq, ...back });
  }
  await goBack(tx, returns);
  return { retried: returns.length, next: stopped.length < terms.limit ? null : (stopped.at(-1)?.seq ?? null) };
}

/** For a person who has failed there twice, the last time: a contact is not in a workflow twice by the same entry. */
function onceEach(stopped: readonly RetryExecutionRow[]): readonly RetryExecutionRow[] {
  const seen = new Set<string>();
  const retryKey = ({ contact, entry }: RetryExecutionRow) => `${contact} ${entry}`;
  return stopped.filter((one) => !seen.has(retryKey(one)) && seen.add(retryKey(one)));
}

type StepReturn = { readonly step: string; readonly branch: string | null; readonly failed: number };
type Return = StepReturn & { readonly seq: number };

/** The step from which it came there, the branch, and the record of the failure; null if unknown. */
function wayBack(version: WorkflowVersion, step: string, records: readonly RetryStepRow[]): StepReturn | null {
  const failed = records.at(-1);
  if (failed?.step !== step || failed.status !== "FAILED") return null;
  const { step: from, branch } = records.at(-2) ?? { step: triggerStepOf(version).id, branch: null };
  return stepAfter(version, from, branch)?.id === step ? { step: from, branch, failed: failed.seq } : null;
}

async function goBack(tx: Tx, returns: readonly Return[]): Promise<void> {
  if (returns.length === 0) return;
  await deleteFailedRecords(
    tx,
    returns.map(({ failed }) => failed),
  );
  const ways = Map.groupBy(returns, ({ step, branch }) => JSON.stringify([step, branch]));
  for (const some of ways.values()) {
    const [first] = some as [Return];
    await setBack(
      tx,
      some.map(({ seq }) => seq),
      first,
    );
  }
  tx.signal(EXECUTION_DUE);
}
