// An execution goes on: from the step at which it stands to the next one that waits, or to the end.
import type { Variables } from "../contacts/data.ts";
import { newId } from "../ids.ts";
import type { Tx } from "../store/store.ts";
import { stepAfter, type Step } from "./definition.ts";
import {
  contactNumbered,
  setStanding,
  type DueExecution,
  type ExecutionStatus,
  type Standing,
} from "./execution-queries.ts";
import { endExecutionStep, insertExecutionStep, type StepStatus } from "./trace-queries.ts";
import { runStep, type StepResult } from "./steps.ts";
import { subjectOf, type Subject } from "./subject.ts";
import type { Version } from "./version.ts";
import { orderCall } from "./webhook/webhook.ts";

/** All that follows at once, in one transaction: what the steps do and where the execution stands afterwards. */
export async function advance(tx: Tx, execution: DueExecution, version: Version): Promise<void> {
  const left = version.steps.find(({ id }) => id === execution.step);
  if (left) await leave(tx, execution, left);
  let at: string = execution.step;
  let branch = execution.branch;
  let step = stepAfter(version, at, branch);
  while (step) {
    const subject = await subjectNow(tx, execution);
    if (!subject) return void (await setStanding(tx, execution.seq, ended("CANCELLED", step.id, null)));
    const result = await runStep(tx, execution.workspace, step, subject);
    if (result.kind === "later") return void (await setStanding(tx, execution.seq, before({ at, branch }, result)));
    at = step.id;
    await note(tx, { execution, version, step, subject }, result);
    const standing = standingAfter(at, result);
    if (standing) return void (await setStanding(tx, execution.seq, standing));
    branch = result.kind === "done" ? result.branch : null;
    step = stepAfter(version, at, branch);
  }
  await setStanding(tx, execution.seq, ended("COMPLETED", at, null));
}

/** Waiting is over; what came of it stands there already unless it is the time that has come. */
async function leave(tx: Tx, { seq, branch }: DueExecution, step: Step): Promise<void> {
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

type Passage = {
  readonly execution: DueExecution;
  readonly version: Version;
  readonly step: Step;
  readonly subject: Subject;
};

/** What has been done: a step that is put off is not. */
type Done = Exclude<StepResult, { readonly kind: "later" }>;

async function note(tx: Tx, passage: Passage, result: Done): Promise<void> {
  const seq = await insertExecutionStep(tx, {
    id: newId(tx.nowMs),
    execution: passage.execution.seq,
    step: passage.step.id,
    status: statusOf(result),
    output: outputOf(result),
  });
  if (result.kind === "call") await orderCall(tx, seq, passage, result.config);
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
function standingAfter(step: string, result: Done): Standing | null {
  if (result.kind === "done") return null;
  if (result.kind === "exit") return ended("EXITED", step, result.reason);
  if (result.kind === "fail") return ended("FAILED", step, result.reason);
  if (result.kind === "call") return { status: "WAITING", step, branch: null, dueAt: null, awaits: null, reason: null };
  const { branch, dueAt, awaits } = result;
  return { status: "WAITING", step, branch, dueAt, awaits, reason: null };
}

/** Before the step that is put off, on the way that led to it. */
function before(
  { at, branch }: { readonly at: string; readonly branch: string | null },
  { dueAt, reason }: StepResult & { readonly kind: "later" },
): Standing {
  return { status: "RUNNING", step: at, branch, dueAt, awaits: null, reason };
}

export function ended(status: ExecutionStatus, step: string, reason: string | null): Standing {
  return { status, step, branch: null, dueAt: null, awaits: null, reason };
}
