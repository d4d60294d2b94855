// Runs an execution: from the step that it has come to, to the next one that waits, or to the end.
import type { DispatchedEvent } from "../../events/outbox.ts";
import { newId } from "../../ids.ts";
import type { Tx } from "../../store/store.ts";
import { stepAfter } from "../definition/definition.ts";
import type { Version } from "../definition/queries.ts";
import { queueCall } from "../webhook/queue.ts";
import { applyPlan, planStep, type Outcome, type Plan } from "./plan.ts";
import { arrivalOf, arrivedBefore, contextWith } from "./arrival.ts";
import {
  contactInContext,
  setContext,
  setExecutionState,
  type DueExecution,
  type ExecutionState,
  type ExecutionStatus,
} from "./queries.ts";
import { endExecutionStep, insertExecutionStep, type StepStatus } from "./trace-queries.ts";

/** Runs all steps that can be run now, in one transaction: what they do, and where the execution is afterwards. */
export async function advance(tx: Tx, due: DueExecution, version: Version): Promise<void> {
  // The copy parses the context, once.
  let execution: DueExecution | ExecutionState = await leave(tx, { ...due }, version);
  while (!("status" in execution)) execution = await next(tx, execution, version);
  await setExecutionState(tx, due.seq, execution);
}

/** Runs the next step. Answers the execution after it, or the state in which it stays. */
async function next(tx: Tx, execution: DueExecution, version: Version): Promise<DueExecution | ExecutionState> {
  const step = stepAfter(version, execution.step, execution.branch);
  if (!step) return endState("COMPLETED", execution.step, null);
  const { workspace, id, startedAt, context: event } = execution;
  // As it is now: an earlier step may have changed it. It may be erased, and soon the execution with it.
  const contact = await contactInContext(tx, execution.contact);
  if (!contact) return endState("CANCELLED", step.id, null);
  const workflow = { id: version.workflowId, name: version.name };
  const at = { workspace, workflow, execution: { id, startedAt }, context: { contact, event }, nowMs: tx.nowMs };
  const plan = await planStep(tx, step, at);
  const outcome = await applyPlan(tx, plan, at);
  // At the step before, to be left by the same branch again.
  if (outcome.kind === "later")
    return { ...standing(execution), status: "RUNNING", dueAt: outcome.dueAt, reason: outcome.reason };
  const [reached, done] = await unlessArrived(tx, { ...execution, step: step.id, branch: null }, outcome);
  await record(tx, reached, plan, done);
  return after(reached, done);
}

/** Ends the wait that it is at, unless the event that ended it has done so. */
async function leave(tx: Tx, execution: DueExecution, { steps }: Version): Promise<DueExecution> {
  const step = steps.find(({ id }) => id === execution.step);
  const place = { execution: execution.seq, step: execution.step };
  if (step?.type === "DELAY") await endExecutionStep(tx, place, null);
  if (step?.type !== "WAIT_FOR_EVENT" || execution.branch !== "timeout") return execution;
  const event = await arrivedInTime(tx, execution);
  const timedOut = { eventName: step.config.eventName, timedOut: true, branch: "timeout" };
  await endExecutionStep(tx, place, event ? arrivalOf(event) : timedOut);
  return event ? withEvent(tx, execution, event) : execution;
}

/** The event that a wait whose time is over has waited for, if it came in time and is not dispatched yet. */
async function arrivedInTime(tx: Tx, execution: DueExecution): Promise<DispatchedEvent | null> {
  const { awaits, dueAt } = execution;
  const event = awaits === null ? null : await arrivedBefore(tx, execution, awaits);
  return event && event.createdAt < dueAt ? event : null;
}

/** A wait is over before it begins if its event has come already. */
async function unlessArrived(tx: Tx, execution: DueExecution, outcome: Done): Promise<[DueExecution, Done]> {
  const awaited = outcome.kind === "wait" ? outcome.awaits : null;
  const event = awaited === null ? null : await arrivedBefore(tx, execution, awaited);
  if (!event) return [execution, outcome];
  const output = arrivalOf(event);
  return [await withEvent(tx, execution, event), { kind: "done", branch: output.branch, output }];
}

async function withEvent(tx: Tx, execution: DueExecution, event: DispatchedEvent): Promise<DueExecution> {
  const context = contextWith(execution.context, event);
  await setContext(tx, execution.seq, context);
  return { ...execution, context, branch: arrivalOf(event).branch };
}

/** Of a step that has been run: one that is tried again later has not. */
type Done = Exclude<Outcome, { readonly kind: "later" }>;

async function record(
  tx: Tx,
  { seq: execution, workspace, step }: DueExecution,
  plan: Plan,
  done: Done,
): Promise<void> {
  const trace = { id: newId(tx.nowMs), execution, step, status: statusOf(done), output: outputOf(done) };
  const executionStep = await insertExecutionStep(tx, trace);
  if (plan.kind !== "call") return;
  await queueCall(tx, plan.config.url, { executionStep, execution, workspace, payload: plan.payload });
}

function statusOf(done: Done): StepStatus {
  if (done.kind === "wait") return "WAITING";
  if (done.kind === "fail") return "FAILED";
  return done.kind === "done" && done.skipped ? "SKIPPED" : "COMPLETED";
}

function outputOf(done: Done): Readonly<Record<string, unknown>> | null {
  if (done.kind === "exit") return null;
  if (done.kind === "fail") return { reason: done.reason };
  return Object.keys(done.output).length === 0 ? null : done.output;
}

function after(execution: DueExecution, done: Done): DueExecution | ExecutionState {
  if (done.kind === "exit") return endState("EXITED", execution.step, done.reason);
  if (done.kind === "fail") return endState("FAILED", execution.step, done.reason);
  if (done.kind === "done") return { ...execution, branch: done.branch };
  const { branch, dueAt, awaits } = done;
  return { ...standing(execution), status: "WAITING", branch, dueAt, awaits };
}

function standing({ step, branch }: DueExecution) {
  return { step, branch, dueAt: null, awaits: null, reason: null };
}

export function endState(status: ExecutionStatus, step: string, reason: string | null): ExecutionState {
  return { status, step, branch: null, dueAt: null, awaits: null, reason };
}
