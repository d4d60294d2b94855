// Runs an execution: from the step at which it stands to the next one that waits, or to the end.
import type { Variables } from "../contacts/data.ts";
import { newId } from "../ids.ts";
import type { Tx } from "../store/store.ts";
import { arrivalOf, arrivedBefore, contextWith } from "./arrival.ts";
import { stepAfter, type Step } from "./definition.ts";
import {
  contactNumbered,
  setContext,
  setExecutionState,
  type DueExecution,
  type ExecutionStatus,
  type ExecutionState,
} from "./execution-queries.ts";
import { endExecutionStep, insertExecutionStep, type StepStatus } from "./trace-queries.ts";
import { runStep, type StepResult } from "./run-step.ts";
import { subjectOf, type Subject } from "./subject.ts";
import type { Version } from "./version.ts";
import { queueCall } from "./webhook/webhook.ts";

/** Runs all steps that can be run at once, in one transaction: what they do, and the state of the execution afterwards. */
export async function advance(tx: Tx, due: DueExecution, version: Version): Promise<void> {
  let execution = due;
  const left = version.steps.find(({ id }) => id === execution.step);
  if (left) await endTimedWait(tx, execution, left);
  let at: string = execution.step;
  let branch = execution.branch;
  let step = stepAfter(version, at, branch);
  while (step) {
    const subject = await subjectNow(tx, execution);
    if (!subject) return void (await setExecutionState(tx, execution.seq, endState("CANCELLED", step.id, null)));
    const result = await runStep(tx, execution.workspace, step, subject);
    if (result.kind === "later")
      return void (await setExecutionState(tx, execution.seq, stateBefore({ at, branch }, result)));
    at = step.id;
    let done: Done;
    [execution, done] = await unlessArrived(tx, execution, result);
    await recordStep(tx, { execution, version, step, subject }, done);
    const state = stateAfter(at, done);
    if (state) return void (await setExecutionState(tx, execution.seq, state));
    branch = done.kind === "done" ? done.branch : null;
    step = stepAfter(version, at, branch);
  }
  await setExecutionState(tx, execution.seq, endState("COMPLETED", at, null));
}

/** A wait is over before it begins if its event has come already. */
async function unlessArrived(tx: Tx, execution: DueExecution, result: Done): Promise<[DueExecution, Done]> {
  const event = result.kind === "wait" && result.awaits ? await arrivedBefore(tx, execution, result.awaits) : null;
  if (!event) return [execution, result];
  const context = contextWith(execution.context, event);
  await setContext(tx, execution.seq, context);
  const output = arrivalOf(event);
  return [
    { ...execution, context },
    { kind: "done", branch: output.branch, output },
  ];
}

/** A wait for a time is over when it comes; what else was waited for has been recorded by whoever ended the wait. */
async function endTimedWait(tx: Tx, { seq, branch }: DueExecution, step: Step): Promise<void> {
  const isTimeout = step.type === "WAIT_FOR_EVENT" && branch === "timeout";
  if (step.type !== "DELAY" && !isTimeout) return;
  const output = isTimeout ? JSON.stringify({ eventName: step.config.eventName, timedOut: true, branch }) : null;
  await endExecutionStep(tx, seq, step.id, { status: "COMPLETED", output });
}

/** The contact as it is now: an earlier step may have changed it. Null if it is erased, and before long the execution with it. */
async function subjectNow(tx: Tx, { contact, context }: DueExecution): Promise<Subject | null> {
  const row = await contactNumbered(tx, contact);
  return row && subjectOf(row, JSON.parse(context) as Variables);
}

type StepRun = {
  readonly execution: DueExecution;
  readonly version: Version;
  readonly step: Step;
  readonly subject: Subject;
};

/** Of a step that has been run: one that is put off has not. */
type Done = Exclude<StepResult, { readonly kind: "later" }>;

async function recordStep(tx: Tx, run: StepRun, result: Done): Promise<void> {
  const seq = await insertExecutionStep(tx, {
    id: newId(tx.nowMs),
    execution: run.execution.seq,
    step: run.step.id,
    status: statusOf(result),
    output: outputOf(result),
  });
  if (result.kind === "call") await queueCall(tx, seq, run, result.config);
}

function statusOf(result: Done): StepStatus {
  if (result.kind === "wait" || result.kind === "call") return "WAITING";
  if (result.kind === "fail") return "FAILED";
  return result.kind === "done" && result.skipped ? "SKIPPED" : "COMPLETED";
}

function outputOf(result: Done): string | null {
  if (result.kind === "call") return null;
  if (result.kind === "fail") return JSON.stringify({ reason: result.reason });
  return Object.keys(result.output).length === 0 ? null : JSON.stringify(result.output);
}

/** Null = it goes on at once. */
function stateAfter(step: string, result: Done): ExecutionState | null {
  if (result.kind === "done") return null;
  if (result.kind === "exit") return endState("EXITED", step, result.reason);
  if (result.kind === "fail") return endState("FAILED", step, result.reason);
  if (result.kind === "call") return { status: "WAITING", step, branch: null, dueAt: null, awaits: null, reason: null };
  const { branch, dueAt, awaits } = result;
  return { status: "WAITING", step, branch, dueAt, awaits, reason: null };
}

/** At the step before the one that is put off, to be left by the same branch again. */
function stateBefore(
  { at, branch }: { readonly at: string; readonly branch: string | null },
  { dueAt, reason }: StepResult & { readonly kind: "later" },
): ExecutionState {
  return { status: "RUNNING", step: at, branch, dueAt, awaits: null, reason };
}

export function endState(status: ExecutionStatus, step: string, reason: string | null): ExecutionState {
  return { status, step, branch: null, dueAt: null, awaits: null, reason };
}
