// One contact's execution of a workflow: its states, how it starts and how it is cancelled.
//
//   RUNNING    due: the run loop takes it from step to step
//   WAITING    until a time, an event, or the answer to a webhook
//   COMPLETED  at an end of the workflow
//   EXITED     at an EXIT
//   FAILED     a step could not be done, or workflows kept starting each other
//   CANCELLED  by hand, its contact is being erased, or was merged into one that is in the workflow as well
import { HOUR_MS, iso } from "../../../base/clock.ts";
import { contactMeant, type ContactRef } from "../../../audience/contacts/contact.ts";
import { readEventData, type Variables } from "../../../audience/contacts/data.ts";
import { AppError } from "../../../base/errors.ts";
import { isReservedEvent } from "../../../tenant/events/catalog.ts";
import type { DispatchedEvent } from "../../../tenant/events/outbox.ts";
import { newId } from "../../../base/ids.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { entryOf, keyIn, ONE } from "./entry.ts";
import { activeExecutions, setCancelled } from "./queries.ts";
import {
  countStarts,
  insertCutOff,
  insertExecutions,
  insideAmong,
  startedAmong,
  startsSince,
  wasStarted,
  type NewExecution,
} from "./start-queries.ts";
import { cancelSteps, executionById, type Execution } from "./trace-queries.ts";
import { SAID, type UnstartedReason } from "./unstarted/unstarted.ts";
import { triggerStepOf, type Definition } from "../definition/definition.ts";
import { holdWorkflow, type StoredVersion, type Workflow } from "../definition/queries.ts";
import { currentVersion } from "../definition/version.ts";
import { cancelCalls } from "../../webhooks/sending/step-queries.ts";
import { findWorkflow, noWorkflow } from "../definition/workflow.ts";

/** Signalled when there may be an execution to run. */
export const EXECUTION_DUE = "execution";

type ExecutionStart = {
  readonly contact: number;
  /** Null = by hand, or by the schedule. */
  readonly event: Pick<DispatchedEvent, "seq" | "name"> | null;
  readonly context: Variables;
};

/** The id of an execution, or why none was started; neither = it was started before. */
export type StartResult = { readonly id: string | null; readonly reason: UnstartedReason | null };

/**
 * Starts of one contact in one workflow within an hour. More, by events that workflows cause themselves, mean a circle.
 */
const MAX_STARTS_AN_HOUR = { byOwnDoing: 20, byCallers: 1_000 };

type StartRefusals = ReadonlyMap<number, UnstartedReason>;

/** Starts contacts, each once, in an enabled workflow. */
export async function startEach(
  tx: Tx,
  workflow: Workflow,
  starts: readonly ExecutionStart[],
  stored?: StoredVersion,
): Promise<StartResult[]> {
  if (starts.length === 0) return [];
  const { seq: version, version: definition } = stored ?? (await currentVersion(tx, workflow));
  const once = workflow.reentry === "never";
  const executions = starts.map(({ contact, event, context }): NewExecution & { readonly key: string | null } => {
    const [eventName, afterEvent] = [event?.name ?? null, event?.seq ?? null];
    const [id, key] = [newId(tx.nowMs), workflow.entryKey === null ? "" : keyIn(workflow.entryKey, context)];
    const entry = workflow.reentry === "always" ? entryOf(key ?? "", afterEvent ?? id) : ONE;
    return {
      id,
      workspace: workflow.workspace,
      workflow: workflow.seq,
      version,
      contact,
      key,
      entry,
      step: triggerStepOf(definition).id,
      eventName,
      afterEvent,
      context,
      once,
    };
  });
  const keyless = new Map(executions.flatMap(({ contact, key }) => (key === null ? [[contact, "key_failed"]] : [])));
  const refused = new Map([
    ...(await refusedAmong(tx, workflow, executions, definition)),
    ...(keyless as StartRefusals),
  ]);
  const made = await insertExecutions(
    tx,
    executions.filter(({ contact }) => !refused.has(contact)),
  );
  if (made.size > 0) tx.signal(EXECUTION_DUE);
  return executions.map(({ id, contact, key }) =>
    made.has(id) ? { id, reason: null } : { id: null, reason: refused.get(contact) ?? whyNot(workflow, key) },
  );
}

/** The reason for a start that a concurrent one has beaten. */
function whyNot({ reentry }: Workflow, key: string | null): UnstartedReason | null {
  if (reentry === "never") return "entered_before";
  if (reentry === "after-end") return "still_inside";
  return key === "" ? null : "key_running";
}

/** Contacts that cannot enter, as far as known before the start is tried. */
async function refusedAmong(
  tx: Tx,
  { seq, reentry }: Workflow,
  executions: readonly NewExecution[],
  definition: Definition,
): Promise<StartRefusals> {
  const contacts = executions.map(({ contact }) => contact);
  if (reentry === "never") return because("entered_before", await startedAmong(tx, seq, contacts));
  // Also contacts that entered when each event started one.
  const inside = reentry === "after-end" ? insideAmong(tx, seq, contacts) : new Set<number>();
  // Awaited together: if one waited for the other, its failure would be unhandled.
  const [late, within] = await Promise.all([cutOff(tx, seq, executions, definition), inside]);
  return new Map([...because("too_often", late), ...because("still_inside", within)]);
}

function because(reason: UnstartedReason, contacts: ReadonlySet<number>): StartRefusals {
  return new Map([...contacts].map((contact) => [contact, reason]));
}

/**
 * The contacts for whom this start is one too many within an hour, so that workflows that start each other end. The
 * first such start leaves a FAILED execution with the reason.
 */
async function cutOff(
  tx: Tx,
  workflow: number,
  executions: readonly NewExecution[],
  definition: Definition,
): Promise<ReadonlySet<number>> {
  const byEvent = executions.filter(({ eventName }) => eventName !== null);
  if (byEvent.length === 0) return new Set();
  const contacts = byEvent.map(({ contact }) => contact);
  const since = iso(tx.nowMs - HOUR_MS);
  const counts = await countStarts(tx, workflow, contacts, since);
  const late = new Set<number>();
  for (const execution of byEvent) {
    const { contact, eventName } = execution;
    const most = mostStarts(eventName as string, definition);
    if ((counts.get(contact) ?? 0) < most) continue;
    late.add(contact);
    const reason = `Started ${most} times within an hour for this contact: cut off for the rest of it.`;
    const starts = await startsSince(tx, workflow, contact, { since, most });
    if (starts.every(({ step }) => step !== null)) await insertCutOff(tx, execution, reason);
  }
  return late;
}

function mostStarts(eventName: string, { steps }: Definition): number {
  const causesEvents = steps.some(({ type }) => type === "SEND_EMAIL" || type === "UPDATE_CONTACT");
  return isReservedEvent(eventName) && causesEvents ? MAX_STARTS_AN_HOUR.byOwnDoing : MAX_STARTS_AN_HOUR.byCallers;
}

/** Why this event would not start the contact now; null = it would. */
export async function reasonAgainst(
  reader: Reader,
  { seq, reentry, entryKey, trigger, ...definition }: Workflow & Definition,
  { contact, event, nowMs }: { readonly contact: number; readonly event: Variables; readonly nowMs: number },
): Promise<UnstartedReason | null> {
  if (reentry === "never") return (await wasStarted(reader, seq, contact)) ? "entered_before" : null;
  if (trigger.type === "EVENT") {
    const starts = await countStarts(reader, seq, [contact], iso(nowMs - HOUR_MS));
    if ((starts.get(contact) ?? 0) >= mostStarts(trigger.config.eventName, definition)) return "too_often";
  }
  if (reentry === "after-end") return (await insideAmong(reader, seq, [contact])).size > 0 ? "still_inside" : null;
  const key = entryKey === null ? "" : keyIn(entryKey, event);
  if (key === null) return "key_failed";
  if (key === "") return null;
  return (await insideAmong(reader, seq, [contact], entryOf(key, ""))).size > 0 ? "key_running" : null;
}

/**
 * Starts an execution by hand; answers its id.
 * @throws AppError WORKFLOW_NOT_FOUND, CONTACT_NOT_FOUND, VALIDATION_ERROR, WORKFLOW_STATE if the workflow is disabled,
 * CONFLICT if the contact is in it, or was and may enter once only
 */
export async function startByHand(
  tx: Tx,
  workspace: number,
  workflowId: string,
  { context, ...who }: ContactRef & { readonly context: Variables },
): Promise<string> {
  const { seq } = await findWorkflow(tx, workspace, workflowId);
  const workflow = await holdWorkflow(tx, seq);
  if (!workflow) throw noWorkflow(workflowId);
  const contact = await contactMeant(tx, workspace, who);
  const data = readEventData(context, "context").flat;
  if (!workflow.enabled) throw new AppError("WORKFLOW_STATE", "The workflow is disabled: it starts nothing.");
  const [started] = await startEach(tx, workflow, [{ contact: contact.seq, event: null, context: data }]);
  if (started?.id) return started.id;
  throw new AppError("CONFLICT", SAID[started?.reason ?? "still_inside"], { reason: "no_entry_again" });
}

/** Public ids. */
export type ExecutionIds = { readonly workflow: string; readonly execution: string };

/** @throws AppError WORKFLOW_NOT_FOUND, EXECUTION_NOT_FOUND */
export async function findExecution(reader: Reader, workspace: number, ids: ExecutionIds): Promise<Execution> {
  const { seq } = await findWorkflow(reader, workspace, ids.workflow);
  const execution = await executionById(reader, seq, ids.execution);
  if (!execution) throw new AppError("EXECUTION_NOT_FOUND", `There is no execution ${ids.execution} of this workflow.`);
  return execution;
}

/** @throws AppError WORKFLOW_NOT_FOUND, EXECUTION_NOT_FOUND, WORKFLOW_STATE if it has ended already */
export async function cancel(tx: Tx, workspace: number, ids: ExecutionIds): Promise<void> {
  const { seq, status } = await findExecution(tx, workspace, ids);
  if ((await setCancelled(tx, [seq], CANCELLED)) === 0)
    throw new AppError("WORKFLOW_STATE", `The execution is ${status} and cannot be cancelled.`);
  await cancelWork(tx, [seq]);
}

const CANCELLED = "Cancelled by hand.";

/** Cancels the executions among these that run or wait. `reason`: for people. */
export async function cancelBecause(tx: Tx, executions: readonly number[], reason: string): Promise<void> {
  if (executions.length === 0) return;
  await setCancelled(tx, executions, reason);
  await cancelWork(tx, executions);
}

/** Cancels some executions that run or wait; answers how many. */
export async function cancelSome(tx: Tx, workflow: number, most: number): Promise<number> {
  const seqs = (await activeExecutions(tx, workflow, most)).map(({ seq }) => seq);
  await cancelBecause(tx, seqs, CANCELLED);
  return seqs.length;
}

async function cancelWork(tx: Tx, executions: readonly number[]): Promise<void> {
  await cancelSteps(tx, executions);
  await cancelCalls(tx, executions);
}
