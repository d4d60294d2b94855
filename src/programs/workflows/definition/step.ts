// Steps and transitions, one at a time: each edit reads the drawing and answers another, which takes its place.
import { AppError, invalidField, invalidFields } from "../../../base/errors.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { branchesOnward } from "./definition.ts";
import { replaceDrawing, type NewDrawing } from "./replace.ts";
import { asWritten } from "./steps/spelling.ts";
import { branchIn, type TransitionInput } from "./steps/step-config.ts";
import { templateIn, type StepChange, type StepInput } from "./steps/step-fields.ts";
import { stepById, stepsOf, transitionsOf, type StoredStep, type StoredTransition } from "./steps/step-queries.ts";
import { editWorkflow, setTrigger, type WorkflowWithSteps } from "./workflow.ts";

type EditedStep = { readonly step: StoredStep; readonly workflow: WorkflowWithSteps };

/** The drawing's name for the step that it adds. */
const NEW = "new";

/**
 * Adds a step; with `autoConnect` after the last one without a transition.
 * @throws AppError WORKFLOW_NOT_FOUND, TEMPLATE_NOT_FOUND, VALIDATION_ERROR
 */
export async function addStep(
  tx: Tx,
  workspace: number,
  workflowId: string,
  input: StepInput & { readonly autoConnect?: boolean | null },
): Promise<EditedStep> {
  const workflow = await editDrawing(tx, workspace, workflowId, ({ steps, transitions }) => {
    if (input.type === "TRIGGER") throw invalidField("type", "The workflow has its trigger already.", "duplicate");
    const leading = new Set(transitions.map(({ from }) => from));
    const leaf = steps.findLast(({ id, type }) => type !== "EXIT" && !leading.has(id));
    const added =
      leaf && input.autoConnect !== false
        ? branchesOnward(leaf).map((branch) => ({ from: leaf.id, to: NEW, branch }))
        : [];
    return { steps: [...steps, { id: NEW, input, path: "" }], transitions: [...transitions, ...added] };
  });
  return { step: workflow.steps.at(-1) as StoredStep, workflow };
}

/** @throws AppError WORKFLOW_NOT_FOUND, STEP_NOT_FOUND, TEMPLATE_NOT_FOUND, VALIDATION_ERROR */
export async function changeStep(
  tx: Tx,
  workspace: number,
  ids: { readonly workflow: string; readonly step: string },
  change: StepChange,
): Promise<EditedStep> {
  const workflow = await editDrawing(tx, workspace, ids.workflow, async (before) => {
    const step = stepIn(before, ids.step);
    const { id, type, name, position } = step;
    if (type === "TRIGGER" && change.config) await setTrigger(tx, before, { triggerConfig: change.config });
    const own = change.config ? templateIn(step.config as StepChange) : asWritten(step.config, step.spelling);
    const input = {
      type,
      name: change.name ?? name,
      config: { ...own, ...templateIn(change), ...change.config },
      position: change.position === undefined ? position : change.position,
    };
    return { ...before, steps: before.steps.map((one) => (one === step ? { id, input, path: "" } : one)) };
  });
  return { step: stepIn(workflow, ids.step), workflow };
}

/**
 * Removes a step with its transitions. With `splice` the steps before it are connected to the one after it.
 * @throws AppError WORKFLOW_NOT_FOUND, STEP_NOT_FOUND, WORKFLOW_STATE for the trigger, VALIDATION_ERROR
 */
export async function removeStep(
  tx: Tx,
  workspace: number,
  ids: { readonly workflow: string; readonly step: string },
  splice: boolean,
): Promise<void> {
  await editDrawing(tx, workspace, ids.workflow, (before) => {
    const step = stepIn(before, ids.step);
    if (step.type === "TRIGGER") throw new AppError("WORKFLOW_STATE", "A workflow keeps its trigger.");
    const [next, ...others] = new Set(before.transitions.filter(({ from }) => from === step.id).map(({ to }) => to));
    const isSpliced = splice && next !== undefined && others.length === 0;
    return {
      steps: before.steps.filter((one) => one !== step),
      transitions: before.transitions.flatMap((one) => {
        if (one.from === step.id) return [];
        if (one.to !== step.id) return [one];
        return isSpliced ? [{ ...one, to: next }] : [];
      }),
    };
  });
}

/** @throws AppError WORKFLOW_NOT_FOUND, STEP_NOT_FOUND, VALIDATION_ERROR */
export async function addTransition(
  tx: Tx,
  workspace: number,
  workflowId: string,
  input: TransitionInput,
): Promise<{ readonly transition: StoredTransition; readonly workflow: WorkflowWithSteps }> {
  const adding = editDrawing(tx, workspace, workflowId, (before) => {
    const [{ id: from }, { id: to }] = [stepIn(before, input.fromStepId), stepIn(before, input.toStepId)];
    return { ...before, transitions: [...before.transitions, { from, to, branch: branchIn(input) }] };
  });
  const workflow = await adding.catch(asOwnFault);
  return { transition: workflow.transitions.at(-1) as StoredTransition, workflow };
}

/** @throws AppError WORKFLOW_NOT_FOUND, TRANSITION_NOT_FOUND, VALIDATION_ERROR */
export async function removeTransition(tx: Tx, workspace: number, workflowId: string, id: string): Promise<void> {
  await editDrawing(tx, workspace, workflowId, (before) => {
    const transitions = before.transitions.filter((one) => one.id !== id);
    if (transitions.length === before.transitions.length)
      throw new AppError("TRANSITION_NOT_FOUND", `There is no transition ${id} in this workflow.`);
    return { ...before, transitions };
  });
}

type DrawingEdit = (before: WorkflowWithSteps) => NewDrawing | Promise<NewDrawing>;

function editDrawing(tx: Tx, workspace: number, id: string, edit: DrawingEdit): Promise<WorkflowWithSteps> {
  return editWorkflow(tx, workspace, id, async (workflow) => {
    const [steps, transitions] = [await stepsOf(tx, workflow.seq), await transitionsOf(tx, workflow.seq)];
    const before = { ...workflow, steps, transitions };
    await replaceDrawing(tx, workflow, before, await edit(before));
  });
}

/** @throws AppError STEP_NOT_FOUND */
export async function findStep(reader: Reader, workflow: number, id: string): Promise<StoredStep> {
  return existingStep(await stepById(reader, workflow, id), id);
}

function stepIn({ steps }: Pick<WorkflowWithSteps, "steps">, id: string): StoredStep {
  return existingStep(
    steps.find((step) => step.id === id),
    id,
  );
}

function existingStep(step: StoredStep | null | undefined, id: string): StoredStep {
  if (!step) throw new AppError("STEP_NOT_FOUND", `There is no step ${id} in this workflow.`);
  return step;
}

/** The existing transitions are valid, so any fault is in the added one. */
function asOwnFault(error: unknown): never {
  if (!(error instanceof AppError) || !error.details.errors) throw error;
  throw invalidFields(
    error.details.errors.map((fault) => ({ ...fault, field: fault.field.replace(/^transitions\.\d+\./, "") })),
  );
}
