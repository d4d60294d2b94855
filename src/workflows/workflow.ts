// Workflows as people write them: made, shown, changed, enabled, copied, deleted (interface-gaps.md §6).
import { AppError, invalidFields, limitReached } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { Definition, Step, Trigger } from "./definition.ts";
import { isRunning } from "./execution-queries.ts";
import { shapeFaults, wholeFaults } from "./graph.ts";
import { listenFor, listenNoMore } from "./listening.ts";
import {
  countRevision,
  countWorkflows,
  deleteStepsOf,
  hideWorkflow,
  insertWorkflow,
  lockWorkflow,
  stepsOf,
  transitionsOf,
  updateWorkflow,
  workflowById,
  type StepRow,
  type TransitionRow,
  type WorkflowFields,
  type WorkflowRow,
} from "./queries.ts";
import { keepSchedule } from "./schedule.ts";
import { readTrigger, type TriggerWish } from "./trigger.ts";
import { releaseCalls } from "./webhook/holding.ts";

/** What a caller may say of a workflow; undefined = as it was. */
export type WorkflowWish = TriggerWish & {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly enabled?: boolean | null;
  readonly allowReentry?: boolean | null;
};

export type WholeWorkflow = {
  readonly workflow: WorkflowRow;
  readonly steps: readonly StepRow[];
  readonly transitions: readonly TransitionRow[];
};

const MAX_WORKFLOWS = 1_000;
const MAX_STEPS = 100;

/**
 * Makes a workflow; `fill` adds its steps before it is validated as a whole.
 * @throws AppError VALIDATION_ERROR, or CONFLICT if the workspace has a thousand already
 */
export async function createWorkflow(
  tx: Tx,
  workspace: number,
  wish: WorkflowWish,
  fill: (workflow: WorkflowRow) => Promise<void>,
): Promise<WholeWorkflow> {
  if ((await countWorkflows(tx, { workspace, search: "" })) >= MAX_WORKFLOWS)
    throw limitReached(
      `A workspace has at most ${MAX_WORKFLOWS} workflows.`,
      "Delete a workflow that is not used any more: DELETE /workflows/{id}.",
    );
  const workflow = await insertWorkflow(tx, workspace, newId(tx.nowMs), fieldsWith(tx, null, wish));
  await fill(workflow);
  return validated(tx, workspace, workflow.id);
}

/** @throws AppError WORKFLOW_NOT_FOUND, also for another workspace's workflow */
export async function findWorkflow(reader: Reader, workspace: number, id: string): Promise<WorkflowRow> {
  return found(await workflowById(reader, workspace, id), id);
}

/** With its steps and transitions. @throws AppError WORKFLOW_NOT_FOUND */
export async function wholeWorkflow(reader: Reader, workspace: number, id: string): Promise<WholeWorkflow> {
  const workflow = await findWorkflow(reader, workspace, id);
  return {
    workflow,
    steps: await stepsOf(reader, workflow.seq),
    transitions: await transitionsOf(reader, workflow.seq),
  };
}

/** @throws AppError WORKFLOW_NOT_FOUND, VALIDATION_ERROR also for what an enabled workflow must not have */
export function changeWorkflow(tx: Tx, workspace: number, id: string, wish: WorkflowWish): Promise<WholeWorkflow> {
  return editWorkflow(tx, workspace, id, async (workflow) => {
    const fields = fieldsWith(tx, workflow, wish);
    await updateWorkflow(tx, workflow.seq, fields);
    if (fields.enabled > workflow.enabled) await releaseCalls(tx, [workflow.seq]);
  });
}

/**
 * Does `work` on a workflow under lock, and validates it as a whole afterwards. What runs already keeps to
 * the version on which it started.
 * @throws AppError WORKFLOW_NOT_FOUND, VALIDATION_ERROR
 */
export async function editWorkflow(
  tx: Tx,
  workspace: number,
  id: string,
  work: (workflow: WorkflowRow) => Promise<void>,
): Promise<WholeWorkflow> {
  const workflow = found(await lockWorkflow(tx, workspace, id), id);
  await work(workflow);
  await countRevision(tx, workflow.seq);
  return validated(tx, workspace, id);
}

/** @throws AppError WORKFLOW_NOT_FOUND, or CONFLICT while executions of it run or wait */
export async function removeWorkflow(tx: Tx, workspace: number, id: string): Promise<void> {
  const workflow = found(await lockWorkflow(tx, workspace, id), id);
  if (await isRunning(tx, workflow.seq))
    throw new AppError("CONFLICT", "Executions of this workflow run or wait: cancel them first.");
  await hideWorkflow(tx, workflow.seq);
  await listenNoMore(tx, workflow);
  await deleteStepsOf(tx, workflow.seq);
}

/** The row that an edit made or changed. */
export function rowIn<Row extends { readonly id: string }>(rows: readonly Row[], id: string): Row {
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error("What was just written is not there.");
  return row;
}

/** Changes what starts it; part of an edit. @throws AppError VALIDATION_ERROR */
export async function setTrigger(tx: Tx, workflow: WorkflowRow, wish: TriggerWish): Promise<void> {
  await updateWorkflow(tx, workflow.seq, fieldsWith(tx, workflow, wish));
}

export function definitionOf({ steps, transitions }: Omit<WholeWorkflow, "workflow">): Definition {
  return {
    steps: steps.map(({ id, type, name, config }) => ({ id, type, name, config: JSON.parse(config) }) as Step),
    transitions: transitions.map(({ from_id: from, to_id: to, branch }) => ({ from, to, branch })),
  };
}

export function triggerOf(workflow: WorkflowFields): Trigger {
  return { type: workflow.trigger_type, config: JSON.parse(workflow.trigger_config) as Trigger["config"] };
}

async function validated(tx: Tx, workspace: number, id: string): Promise<WholeWorkflow> {
  const whole = await wholeWorkflow(tx, workspace, id);
  if (whole.steps.length > MAX_STEPS)
    throw invalidFields([{ field: "steps", message: `A workflow has at most ${MAX_STEPS} steps.`, code: "too_big" }]);
  const definition = definitionOf(whole);
  const faults = shapeFaults(definition);
  if (whole.workflow.enabled === 1) faults.push(...wholeFaults(definition), ...senderFaults(whole.steps));
  if (faults.length > 0) throw invalidFields(faults);
  await listenFor(tx, whole.workflow, definition);
  await keepSchedule(tx, whole.workflow);
  return whole;
}

/** A mail step has no sender of its own: the template must have one. */
function senderFaults(steps: readonly StepRow[]) {
  return steps.flatMap(({ type, template_from: from }, at) =>
    type === "SEND_EMAIL" && from === null
      ? [{ field: `steps.${at}.config.templateId`, message: "The template needs a from address.", code: "required" }]
      : [],
  );
}

function fieldsWith(tx: Tx, before: WorkflowRow | null, wish: WorkflowWish): WorkflowFields {
  const trigger = readTrigger(wish, before && triggerOf(before), tx.nowMs);
  return {
    name: wish.name ?? before?.name ?? "",
    description: wish.description === undefined ? (before?.description ?? null) : wish.description,
    enabled: flag(wish.enabled, before?.enabled),
    trigger_type: trigger.type,
    trigger_config: JSON.stringify(trigger.config),
    allow_reentry: flag(wish.allowReentry, before?.allow_reentry),
  };
}

function flag(wished: boolean | null | undefined, before: 0 | 1 = 0): 0 | 1 {
  return wished === null || wished === undefined ? before : wished ? 1 : 0;
}

function found(workflow: WorkflowRow | null, id: string): WorkflowRow {
  if (!workflow) throw noWorkflow(id);
  return workflow;
}

export function noWorkflow(id: string): AppError {
  return new AppError("WORKFLOW_NOT_FOUND", `There is no workflow ${id}.`);
}
