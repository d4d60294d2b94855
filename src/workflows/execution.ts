// One contact's way through a workflow: its states, how it is started and how it is cancelled (interface-gaps.md §6 "Execution states").
//
//   RUNNING    is due: the run loop takes it from step to step
//   WAITING    until a time, an event, or the answer to a webhook
//   COMPLETED  came to an end of the workflow
//   EXITED     came to an EXIT
//   FAILED     a step could not be done; or it was cut off, because workflows kept starting each other
//   CANCELLED  by hand
import { HOUR_MS, iso } from "../clock.ts";
import { findContact } from "../contacts/contact.ts";
import { readEventData, type Variables } from "../contacts/data.ts";
import { AppError } from "../errors.ts";
import { isReservedEvent } from "../events/catalog.ts";
import type { DispatchedEvent } from "../events/outbox.ts";
import { newId } from "../ids.ts";
import type { Reader, Tx } from "../store/store.ts";
import {
  activeExecutions,
  executionById,
  insertCutOff,
  insertExecution,
  setCancelled,
  startsSince,
  wasStarted,
  type ExecutionRow,
  type NewExecution,
} from "./execution-queries.ts";
import { cancelSteps } from "./trace-queries.ts";
import { holdWorkflow, type StartableRow } from "./version-queries.ts";
import { currentVersion, triggerOfVersion, type NumberedVersion } from "./version.ts";
import { cancelCalls } from "./webhook/queries.ts";
import { findWorkflow, noWorkflow } from "./workflow.ts";

/** Signalled when there may be an execution to run. */
export const EXECUTION_DUE = "execution";

type Start = {
  readonly contact: number;
  /** Null = by hand, or by the schedule. */
  readonly event: Pick<DispatchedEvent, "seq" | "name"> | null;
  readonly context: Variables;
};

/** Starts of one contact in one workflow within an hour: more than that by what workflows do themselves is a circle. */
const MAX_STARTS_AN_HOUR = { byOwnDoing: 20, byCallers: 1_000 };

/**
 * Starts the contact in the workflow, which is enabled; answers the execution's id, or null if the contact is in it, was in it
 * where that may be once only, or was started so often that it is cut off.
 */
export async function start(
  tx: Tx,
  workflow: StartableRow,
  { contact, event, context }: Start,
  numbered?: NumberedVersion,
): Promise<string | null> {
  const { seq: version, version: definition } = numbered ?? (await currentVersion(tx, workflow));
  const once = workflow.allow_reentry === 0;
  if (once && (await wasStarted(tx, workflow.seq, contact))) return null;
  const execution: NewExecution = {
    id: newId(tx.nowMs),
    workspace: workflow.workspace,
    workflow: workflow.seq,
    version,
    contact,
    step: triggerOfVersion(definition).id,
    eventName: event?.name ?? null,
    afterEvent: event?.seq ?? null,
    context: JSON.stringify(context),
    once,
  };
  if (!once && (await cutOff(tx, execution, definition.steps))) return null;
  if ((await insertExecution(tx, execution)) === 0) return null;
  tx.signal(EXECUTION_DUE);
  return execution.id;
}

/**
 * Answers true if this start is one too many within an hour, so that workflows that start each other come to an end. The first
 * such start of an hour leaves a FAILED execution that says so.
 */
async function cutOff(tx: Tx, execution: NewExecution, steps: NumberedVersion["version"]["steps"]): Promise<boolean> {
  const { workflow, contact, eventName } = execution;
  if (eventName === null) return false;
  const causesEvents = steps.some(({ type }) => type === "SEND_EMAIL" || type === "UPDATE_CONTACT");
  const most =
    isReservedEvent(eventName) && causesEvents ? MAX_STARTS_AN_HOUR.byOwnDoing : MAX_STARTS_AN_HOUR.byCallers;
  const starts = await startsSince(tx, workflow, contact, { since: iso(tx.nowMs - HOUR_MS), most });
  if (starts.length < most) return false;
  const reason = `Started ${most} times within an hour for this contact: cut off for the rest of it.`;
  if (starts.every(({ step }) => step !== null)) await insertCutOff(tx, execution, reason);
  return true;
}

/**
 * Starts one by hand.
 * @throws AppError WORKFLOW_NOT_FOUND, CONTACT_NOT_FOUND, WORKFLOW_STATE if the workflow is disabled, CONFLICT if the contact
 * is in it, or was where that may be once only
 */
export async function startByHand(
  tx: Tx,
  workspace: number,
  workflowId: string,
  { contactId, context }: { readonly contactId: string; readonly context: Variables },
): Promise<ExecutionRow> {
  const { seq } = await findWorkflow(tx, workspace, workflowId);
  const workflow = await holdWorkflow(tx, seq);
  if (!workflow) throw noWorkflow(workflowId);
  const contact = await findContact(tx, workspace, contactId);
  const data = readEventData(context, "context").flat;
  if (workflow.enabled === 0) throw new AppError("WORKFLOW_STATE", "The workflow is disabled: it starts nothing.");
  const id = await start(tx, workflow, { contact: contact.seq, event: null, context: data });
  if (id === null) throw new AppError("CONFLICT", "The contact is in this workflow, or was and may not enter again.");
  return findExecution(tx, seq, id);
}

/** @throws AppError EXECUTION_NOT_FOUND */
export async function findExecution(reader: Reader, workflow: number, id: string): Promise<ExecutionRow> {
  const execution = await executionById(reader, workflow, id);
  if (!execution) throw new AppError("EXECUTION_NOT_FOUND", `There is no execution ${id} of this workflow.`);
  return execution;
}

/** @throws AppError WORKFLOW_NOT_FOUND, EXECUTION_NOT_FOUND, WORKFLOW_STATE if it has ended already */
export async function cancel(tx: Tx, workspace: number, workflowId: string, id: string): Promise<void> {
  const { seq } = await findWorkflow(tx, workspace, workflowId);
  const execution = await findExecution(tx, seq, id);
  if ((await setCancelled(tx, [execution.seq], CANCELLED)) === 0)
    throw new AppError("WORKFLOW_STATE", `The execution is ${execution.status} and cannot be cancelled.`);
  await cancelWork(tx, [execution.seq]);
}

const CANCELLED = "Cancelled by hand.";

/** Cancels some of those that run or wait; answers how many. */
export async function cancelSome(tx: Tx, workflow: number, most: number): Promise<number> {
  const seqs = (await activeExecutions(tx, workflow, most)).map(({ seq }) => seq);
  if (seqs.length === 0) return 0;
  await setCancelled(tx, seqs, CANCELLED);
  await cancelWork(tx, seqs);
  return seqs.length;
}

async function cancelWork(tx: Tx, executions: readonly number[]): Promise<void> {
  await cancelSteps(tx, executions);
  await cancelCalls(tx, executions);
}
