// Runs executions, many side by side: each from its current step to the next one that waits, or to the end.
import type { DispatchedEvent } from "../../../tenant/events/outbox.ts";
import { headsOfEvents } from "../../../tenant/events/queries.ts";
import { newId } from "../../../base/ids.ts";
import type { Tx } from "../../../store/store.ts";
import { stepAfter } from "../definition/definition.ts";
import type { WorkflowVersion } from "../definition/queries.ts";
import { queueCall } from "../webhook/sender.ts";
import type { Payload } from "../webhook/record.ts";
import { arrivalOf, arrivedBefore, contextWith } from "./arrival.ts";
import { MailSupplies } from "./steps/mail-step.ts";
import { apply, planStep, type StepRun, type StepOutcome, type StepPlan } from "./steps/plan.ts";
import {
  contactsInContext,
  setContext,
  setExecutionStates,
  type DueExecution,
  type ExecutionState,
  type ExecutionStatus,
} from "./queries.ts";
import { sidesOf } from "./side-by-side.ts";
import { endExecutionSteps, insertExecutionSteps, type EndedStep, type StepStatus } from "./trace-queries.ts";

/** An execution that is due, with the version that it runs on. */
export type DueRun = { readonly execution: DueExecution; readonly version: WorkflowVersion };

/**
 * Executions of one contact run one after the other, since a step of one may be about a change by a step of another.
 */
export async function advanceEach(tx: Tx, due: readonly DueRun[]): Promise<void> {
  for (const side of sidesOf(due, ({ execution }) => execution.contact)) await advanceSide(tx, side);
}

/**
 * Runs all steps that can be run now, those of all executions side by side: their effects, and the states of the
 * executions afterwards.
 */
async function advanceSide(tx: Tx, due: readonly DueRun[]): Promise<void> {
  const states: ExecutionState[] = [];
  let moving = await leaveEach(tx, due);
  while (moving.length > 0) {
    const reached = await nextEach(tx, moving);
    states.push(...reached.flatMap((one) => ("status" in one ? one : [])));
    moving = reached.flatMap((one) => ("status" in one ? [] : one));
  }
  await setExecutionStates(tx, states);
}

/** Runs the next step of each. Answers the execution after it, or the state in which it stays. */
async function nextEach(tx: Tx, moving: readonly DueRun[]): Promise<(DueRun | ExecutionState)[]> {
  const contacts = moving.map(({ execution }) => execution.contact);
  // As they are now: an earlier step may have changed them.
  const known = await contactsInContext(tx, contacts);
  const supplies = new MailSupplies(tx);
  const startedBy = await startersOf(tx, moving);
  const reached = new Map<DueRun, DueRun | ExecutionState>();
  const planned: RunPlan[] = [];
  for (const one of moving) {
    const { execution, version } = one;
    const step = stepAfter(version, execution.step, execution.branch);
    const contact = known.get(execution.contact);
    if (!step) reached.set(one, { seq: execution.seq, ...endState("COMPLETED", execution.step, null) });
    // The contact may be erased, and soon the execution with it.
    else if (!contact) reached.set(one, { seq: execution.seq, ...endState("CANCELLED", step.id, null) });
    else {
      const { workspace, id, startedAt, context: event } = execution;
      const workflow = { id: version.workflowId, name: version.name };
      const at = {
        workspace,
        workflow,
        execution: { id, startedAt },
        context: { contact, event },
        nowMs: tx.nowMs,
        startedBy: startedBy.get(execution),
      };
      planned.push({ one, step: step.id, plan: await planStep(tx, step, at, supplies), at });
    }
  }
  for (const [one, after] of await carryOut(tx, planned)) reached.set(one, after);
  return moving.map((one) => reached.get(one) as DueRun | ExecutionState);
}

/** The events that started the executions whose next step calls a webhook, as far as they are kept. */
async function startersOf(tx: Tx, moving: readonly DueRun[]): Promise<Map<DueExecution, Payload["startedBy"]>> {
  const calling = moving.flatMap(({ execution, version }) => {
    const isCalling = stepAfter(version, execution.step, execution.branch)?.type === "WEBHOOK";
    return isCalling && execution.eventName !== null ? [execution] : [];
  });
  const events = await headsOfEvents(
    tx,
    calling.map(({ afterEvent }) => afterEvent),
  );
  return new Map(calling.map((execution) => [execution, events.get(execution.afterEvent)]));
}

type RunPlan = { readonly one: DueRun; readonly step: string; readonly plan: StepPlan; readonly at: StepRun };

async function carryOut(tx: Tx, planned: readonly RunPlan[]): Promise<Map<DueRun, DueRun | ExecutionState>> {
  const outcomes = await Promise.all(planned.map(({ plan, at }) => apply(tx, plan, at)));
  const after = new Map<DueRun, DueRun | ExecutionState>();
  const done: (StepRecord & { readonly one: DueRun })[] = [];
  for (const [index, { one, step, plan }] of planned.entries()) {
    const { execution } = one;
    const outcome = outcomes[index] as StepOutcome;
    // At the step before, to be left by the same branch again.
    if (outcome.kind === "later")
      after.set(one, { ...standing(execution), status: "RUNNING", dueAt: outcome.dueAt, reason: outcome.reason });
    else {
      const [reached, what] = await unlessArrived(tx, one, { ...execution, step, branch: null }, outcome);
      done.push({ one, execution: reached, plan, done: what });
    }
  }
  await recordEach(tx, done);
  for (const { one, execution, done: what } of done) after.set(one, stateAfter(execution, one.version, what));
  return after;
}

/** Ends the waits of these executions, unless events have ended them. */
async function leaveEach(tx: Tx, due: readonly DueRun[]): Promise<DueRun[]> {
  const ended: EndedStep[] = [];
  const left: DueRun[] = [];
  for (const { execution, version } of due) {
    const { seq, step: id } = execution;
    const step = version.steps.find((one) => one.id === id);
    if (step?.type === "DELAY") ended.push({ execution: seq, step: id, output: null });
    if (step?.type !== "WAIT_FOR_EVENT" || execution.branch !== "timeout") {
      // The copy parses the context, once.
      left.push({ execution: { ...execution }, version });
      continue;
    }
    const event = await arrivedInTime(tx, execution, version);
    const timedOut = { eventName: step.config.eventName, timedOut: true, branch: "timeout" };
    ended.push({ execution: seq, step: id, output: event ? arrivalOf(event) : timedOut });
    left.push({ execution: event ? await withEvent(tx, execution, event) : { ...execution }, version });
  }
  await endExecutionSteps(tx, ended);
  return left;
}

/** The event that an expired wait has waited for, if it came in time and is not dispatched yet. */
async function arrivedInTime(
  tx: Tx,
  execution: DueExecution,
  { entryKey }: WorkflowVersion,
): Promise<DispatchedEvent | null> {
  const { awaits, dueAt } = execution;
  const event = awaits === null ? null : await arrivedBefore(tx, execution, awaits, entryKey);
  return event && event.createdAt < dueAt ? event : null;
}

/** A wait is over before it begins if its event has arrived already. */
async function unlessArrived(
  tx: Tx,
  { version }: DueRun,
  execution: DueExecution,
  outcome: FinalOutcome,
): Promise<[DueExecution, FinalOutcome]> {
  const awaited = outcome.kind === "wait" ? outcome.awaits : null;
  const event = awaited === null ? null : await arrivedBefore(tx, execution, awaited, version.entryKey);
  if (!event) return [execution, outcome];
  const output = arrivalOf(event);
  return [await withEvent(tx, execution, event), { kind: "done", branch: output.branch, output }];
}

async function withEvent(tx: Tx, execution: DueExecution, event: DispatchedEvent): Promise<DueExecution> {
  const context = contextWith(execution.context, event);
  await setContext(tx, execution.seq, context);
  return { ...execution, context, branch: arrivalOf(event).branch };
}

/** The outcome of a completed step: one that is tried again later is not. */
type FinalOutcome = Exclude<StepOutcome, { readonly kind: "later" }>;

type StepRecord = { readonly execution: DueExecution; readonly plan: StepPlan; readonly done: FinalOutcome };

async function recordEach(tx: Tx, recorded: readonly StepRecord[]): Promise<void> {
  const steps = await insertExecutionSteps(
    tx,
    recorded.map(({ execution: { seq, step }, done }) => ({
      id: newId(tx.nowMs),
      execution: seq,
      step,
      status: statusOf(done),
      output: outputOf(done),
    })),
  );
  for (const [index, { execution, plan }] of recorded.entries()) {
    if (plan.kind !== "call") continue;
    const { seq, workspace } = execution;
    const executionStep = steps[index] as number;
    await queueCall(tx, plan.config.url, { executionStep, execution: seq, workspace, payload: plan.payload });
  }
}

function statusOf(done: FinalOutcome): StepStatus {
  if (done.kind === "wait") return "WAITING";
  if (done.kind === "fail") return "FAILED";
  return done.kind === "done" && done.skipped ? "SKIPPED" : "COMPLETED";
}

function outputOf(done: FinalOutcome): Readonly<Record<string, unknown>> | null {
  if (done.kind === "exit") return null;
  if (done.kind === "fail") return { reason: done.reason };
  return Object.keys(done.output).length === 0 ? null : done.output;
}

function stateAfter(execution: DueExecution, version: WorkflowVersion, done: FinalOutcome): DueRun | ExecutionState {
  const { seq, step } = execution;
  if (done.kind === "exit") return { seq, ...endState("EXITED", step, done.reason) };
  if (done.kind === "fail") return { seq, ...endState("FAILED", step, done.reason) };
  if (done.kind === "done") return { execution: { ...execution, branch: done.branch }, version };
  const { branch, dueAt, awaits } = done;
  return { ...standing(execution), status: "WAITING", branch, dueAt, awaits };
}

function standing({ seq, step, branch }: DueExecution) {
  return { seq, step, branch, dueAt: null, awaits: null, reason: null };
}

export function endState(status: ExecutionStatus, step: string, reason: string | null): Omit<ExecutionState, "seq"> {
  return { status, step, branch: null, dueAt: null, awaits: null, reason };
}
