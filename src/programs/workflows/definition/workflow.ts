// Workflows as people write them: created, shown, changed, enabled, deleted.
import { AppError, invalidFields, limitReached, type FieldError } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { refuseSavedSince, type SaveTerms } from "../../../tenant/access/saving.ts";
import { readEntering, type EnteringInput } from "./reentry.ts";
import { branchFaults, reachFaults, shapeFaults } from "./steps/graph.ts";
import { listen, listenNoMore } from "./listening.ts";
import {
  countRevision,
  countWorkflows,
  hideWorkflow,
  insertWorkflow,
  isRunning,
  setUpdatedBy,
  lockWorkflow,
  updateWorkflow,
  workflowById,
  type Workflow,
  type WorkflowFields,
} from "./queries.ts";
import { deleteStepsOf, stepsOf, transitionsOf, type StoredStep, type StoredTransition } from "./steps/step-queries.ts";
import { readTrigger, type TriggerInput } from "./trigger.ts";

/** The fields of a workflow from a caller; undefined = as it was. */
export type WorkflowInput = TriggerInput &
  EnteringInput &
  SaveTerms & {
    readonly name?: string | null;
    readonly description?: string | null;
    readonly enabled?: boolean | null;
  };

export type WorkflowWithSteps = Workflow & {
  readonly steps: readonly StoredStep[];
  readonly transitions: readonly StoredTransition[];
};

/** A workflow was enabled: executions that waited for that may go on. */
export type OnEnable = (tx: Tx, workflow: number) => Promise<void>;

const MAX_WORKFLOWS = 1_000;
const MAX_STEPS = 100;

/**
 * Creates a workflow; `fill` adds its steps before it is validated.
 * @throws AppError VALIDATION_ERROR, or CONFLICT if the workspace has a thousand already
 */
export async function createWorkflow(
  tx: Tx,
  workspace: number,
  input: WorkflowInput,
  fill: (workflow: Workflow) => Promise<void>,
): Promise<WorkflowWithSteps> {
  if ((await countWorkflows(tx, { workspace, search: "", status: null })) >= MAX_WORKFLOWS)
    throw limitReached(
      "workflows",
      MAX_WORKFLOWS,
      `A workspace has at most ${MAX_WORKFLOWS} workflows.`,
      "Delete a workflow that is no longer used: DELETE /workflows/{id}.",
    );
  const workflow = await insertWorkflow(tx, workspace, newId(tx.nowMs), fieldsWith(tx, null, input));
  await fill(workflow);
  return validated(tx, workspace, workflow.id);
}

/** @throws AppError WORKFLOW_NOT_FOUND, also for another workspace's workflow */
export async function findWorkflow(reader: Reader, workspace: number, id: string): Promise<Workflow> {
  return existingWorkflow(await workflowById(reader, workspace, id), id);
}

/** @throws AppError WORKFLOW_NOT_FOUND */
export async function findWithSteps(reader: Reader, workspace: number, id: string): Promise<WorkflowWithSteps> {
  const workflow = await findWorkflow(reader, workspace, id);
  const steps = await stepsOf(reader, workflow.seq);
  return { ...workflow, steps, transitions: await transitionsOf(reader, workflow.seq) };
}

/**
 * `also`: work that belongs to the same change.
 * @throws AppError WORKFLOW_NOT_FOUND, VALIDATION_ERROR also for faults that only an enabled workflow must not have
 */
export function changeWorkflow(
  tx: Tx,
  { workspace, id, onEnabled }: { readonly workspace: number; readonly id: string; readonly onEnabled: OnEnable },
  input: WorkflowInput,
  also: (before: Workflow, fields: WorkflowFields) => Promise<void> = async () => {},
): Promise<WorkflowWithSteps> {
  return editWorkflow(tx, workspace, id, async (before) => {
    const fields = fieldsWith(tx, before, input);
    await also(before, fields);
    await updateWorkflow(tx, before.seq, fields);
    if (fields.enabled && !before.enabled) await onEnabled(tx, before.seq);
  });
}

/**
 * Does `work` on a workflow under lock, and validates the result. Running executions stay on the version on which they
 * started.
 * @throws AppError WORKFLOW_NOT_FOUND, VALIDATION_ERROR
 */
export async function editWorkflow(
  tx: Tx,
  workspace: number,
  id: string,
  work: (workflow: Workflow) => Promise<void>,
): Promise<WorkflowWithSteps> {
  const workflow = existingWorkflow(await lockWorkflow(tx, workspace, id), id);
  await work(workflow);
  await countRevision(tx, workflow);
  return validated(tx, workspace, id);
}

/**
 * Comes before an edit: the workflow is locked from now on, and the edit is this caller's.
 * @throws AppError WORKFLOW_NOT_FOUND, CONFLICT if it was saved since `ifUpdatedAt`
 */
export async function beginSaving(
  tx: Tx,
  { workspace, by }: Pick<Caller, "workspace" | "by">,
  id: string,
  saving: SaveTerms,
) {
  const workflow = existingWorkflow(await lockWorkflow(tx, workspace, id), id);
  refuseSavedSince(tx, workflow, saving);
  await setUpdatedBy(tx, workflow.seq, by);
}

/** @throws AppError WORKFLOW_NOT_FOUND, or CONFLICT while executions of it run or wait */
export async function removeWorkflow(tx: Tx, workspace: number, id: string): Promise<void> {
  const workflow = existingWorkflow(await lockWorkflow(tx, workspace, id), id);
  if (await isRunning(tx, workflow.seq))
    throw new AppError("CONFLICT", "Executions of this workflow run or wait: cancel them first.", {
      reason: "executions_inside",
    });
  await hideWorkflow(tx, workflow.seq);
  await listenNoMore(tx, workflow);
  await deleteStepsOf(tx, workflow.seq);
}

/** Changes the trigger, as part of an edit. @throws AppError VALIDATION_ERROR */
export async function setTrigger(tx: Tx, workflow: Workflow, input: TriggerInput): Promise<void> {
  await updateWorkflow(tx, workflow.seq, fieldsWith(tx, workflow, input));
}

async function validated(tx: Tx, workspace: number, id: string): Promise<WorkflowWithSteps> {
  const workflow = await findWithSteps(tx, workspace, id);
  if (workflow.steps.length > MAX_STEPS)
    throw invalidFields([{ field: "steps", message: `A workflow has at most ${MAX_STEPS} steps.`, code: "too_big" }]);
  const faults = shapeFaults(workflow);
  if (workflow.enabled)
    faults.push(...reachFaults(workflow), ...branchFaults(workflow), ...senderFaults(workflow.steps));
  if (faults.length > 0) throw invalidFields(faults);
  await listen(tx, workflow);
  return workflow;
}

/** A mail step has no sender of its own: the template must have one. */
function senderFaults(steps: readonly StoredStep[]): FieldError[] {
  return steps.flatMap(({ type, template }, at) =>
    type === "SEND_EMAIL" && !template?.from
      ? [{ field: `steps.${at}.config.templateId`, message: "The template needs a from address.", code: "required" }]
      : [],
  );
}

function fieldsWith(tx: Tx, before: Workflow | null, input: WorkflowInput): WorkflowFields {
  return {
    name: input.name ?? before?.name ?? "",
    description: input.description === undefined ? (before?.description ?? null) : input.description,
    enabled: input.enabled ?? before?.enabled ?? false,
    trigger: readTrigger(input, before?.trigger ?? null, tx.nowMs),
    ...readEntering(input, before),
    updatedBy: input.by ?? before?.updatedBy ?? null,
  };
}

function existingWorkflow(workflow: Workflow | null, id: string): Workflow {
  if (!workflow) throw noWorkflow(id);
  return workflow;
}

export function noWorkflow(id: string): AppError {
  return new AppError("WORKFLOW_NOT_FOUND", `There is no workflow ${id}.`);
}
