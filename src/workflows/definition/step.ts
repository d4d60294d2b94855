// The steps of a workflow and the transitions between them: added, changed, removed.
import { AppError, invalidField, invalidFields } from "../../errors.ts";
import { newId } from "../../ids.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { findTemplate } from "../../templates/template.ts";
import { branchesOnward, type Configs, type StepType } from "./definition.ts";
import { unmasked } from "./masked-headers.ts";
import { segmentsNamedBy } from "./named-segments.ts";
import type { Workflow } from "./queries.ts";
import { asWritten, spellingOf } from "./spelling.ts";
import { branchIn, readConfig, type BranchInput } from "./step-config.ts";
import {
  deleteStep,
  deleteTransition,
  insertStep,
  insertTransition,
  stepById,
  stepsOf,
  transitionsOf,
  updateStep,
  type StepFields,
  type StoredStep,
  type StoredTransition,
} from "./step-queries.ts";
import { editWorkflow, setTrigger, written, type WorkflowWithSteps } from "./workflow.ts";

type StepChange = {
  readonly name?: string | null;
  readonly config?: Readonly<Record<string, unknown>> | null;
  /** The same as `templateId` in the configuration. */
  readonly templateId?: string | null;
  readonly position?: unknown;
};

export type StepInput = StepChange & { readonly type: StepType; readonly name: string };

type EditedStep = { readonly step: StoredStep; readonly workflow: WorkflowWithSteps };

/**
 * Adds a step; with `autoConnect` after the last one that leads nowhere yet.
 * @throws AppError WORKFLOW_NOT_FOUND, TEMPLATE_NOT_FOUND, VALIDATION_ERROR
 */
export async function addStep(
  tx: Tx,
  workspace: number,
  workflowId: string,
  input: StepInput & { readonly autoConnect?: boolean | null },
): Promise<EditedStep> {
  const { made: id, workflow: edited } = await editWorkflow(tx, workspace, workflowId, async (workflow) => {
    if (input.type === "TRIGGER") throw invalidField("type", "The workflow has its trigger already.", "duplicate");
    const leaf = input.autoConnect === false ? null : await lastLeaf(tx, workflow.seq);
    const step = await insertNewStep(tx, workflow, input, "");
    if (leaf) await connectOnward(tx, workflow.seq, leaf, step);
    return step.id;
  });
  return { step: written(edited.steps, id), workflow: edited };
}

/** @throws AppError WORKFLOW_NOT_FOUND, STEP_NOT_FOUND, TEMPLATE_NOT_FOUND, VALIDATION_ERROR */
export async function changeStep(
  tx: Tx,
  workspace: number,
  ids: { readonly workflow: string; readonly step: string },
  change: StepChange,
): Promise<EditedStep> {
  const { workflow: edited } = await editWorkflow(tx, workspace, ids.workflow, async (workflow) => {
    const step = await findStep(tx, workflow.seq, ids.step);
    if (step.type === "TRIGGER" && change.config) await setTrigger(tx, workflow, { triggerConfig: change.config });
    const before = change.config
      ? templateIn({ templateId: step.template?.id ?? null })
      : asWritten(step.config, step.spelling);
    const config = unmasked(step.type, { ...before, ...templateIn(change), ...change.config }, step.config);
    const position = change.position === undefined ? step.position : change.position;
    const input = { type: step.type, name: change.name ?? step.name, config, position };
    await updateStep(tx, step.seq, await fieldsOf(tx, workspace, input, ""));
  });
  return { step: written(edited.steps, ids.step), workflow: edited };
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
  await editWorkflow(tx, workspace, ids.workflow, async (workflow) => {
    const step = await findStep(tx, workflow.seq, ids.step);
    if (step.type === "TRIGGER") throw new AppError("WORKFLOW_STATE", "A workflow keeps its trigger.");
    const [steps, transitions] = [await stepsOf(tx, workflow.seq), await transitionsOf(tx, workflow.seq)];
    await deleteStep(tx, step.seq);
    const after = transitions.filter(({ from }) => from === ids.step);
    const nextIds = new Set(after.map(({ to }) => to));
    const next = steps.find(({ id }) => nextIds.size === 1 && nextIds.has(id));
    if (!splice || !next) return;
    for (const { from, branch } of transitions.filter(({ to }) => to === ids.step))
      await connect(tx, workflow.seq, { from: written(steps, from), to: next, branch });
  });
}

/** @throws AppError STEP_NOT_FOUND */
export async function findStep(reader: Reader, workflow: number, id: string): Promise<StoredStep> {
  const step = await stepById(reader, workflow, id);
  if (!step) throw new AppError("STEP_NOT_FOUND", `There is no step ${id} in this workflow.`);
  return step;
}

export async function connect(
  tx: Tx,
  workflow: number,
  { from, to, branch }: { readonly from: StoredStep; readonly to: StoredStep; readonly branch: string | null },
): Promise<string> {
  const id = newId(tx.nowMs);
  await insertTransition(tx, { id, workflow, from: from.seq, to: to.seq, branch });
  return id;
}

/** By whatever branch `from` is left. */
export async function connectOnward(tx: Tx, workflow: number, from: StoredStep, to: StoredStep): Promise<void> {
  for (const branch of branchesOnward(from)) await connect(tx, workflow, { from, to, branch });
}

/** `path` leads to the step in the request, with a dot at its end, or is empty. */
export async function insertNewStep(
  tx: Tx,
  { seq: workflow, workspace }: Workflow,
  input: StepInput,
  path: string,
): Promise<StoredStep> {
  const fields = await fieldsOf(tx, workspace, input, path);
  const id = newId(tx.nowMs);
  await insertStep(tx, { ...fields, id, workspace, workflow });
  return findStep(tx, workflow, id);
}

/** The step as the input has it, under its own id. */
export async function rewriteStep(
  tx: Tx,
  { seq: workflow, workspace }: Workflow,
  { seq, id, type, config: before }: StoredStep,
  { input, path }: { readonly input: StepInput; readonly path: string },
): Promise<StoredStep> {
  const config = input.config ? unmasked(type, input.config, before) : null;
  await updateStep(tx, seq, await fieldsOf(tx, workspace, { ...input, config }, path));
  return findStep(tx, workflow, id);
}

async function fieldsOf(tx: Tx, workspace: number, input: StepInput, path: string): Promise<StepFields> {
  const { type, name, position } = input;
  const given = { ...templateIn(input), ...input.config };
  const config = readConfig(type, given, `${path}config`);
  const segments = await segmentsNamedBy(tx, workspace, { type, config }, `${path}config`);
  const template = type === "SEND_EMAIL" ? (config as Configs["SEND_EMAIL"]).templateId : null;
  refuseLargePosition(position, path);
  return {
    type,
    name,
    config,
    spelling: spellingOf(type, given),
    position,
    segments,
    template: template === null ? null : (await findTemplate(tx, workspace, template)).seq,
  };
}

function templateIn({ templateId }: StepChange): { readonly templateId?: string } {
  return templateId ? { templateId } : {};
}

const MAX_POSITION_CHARS = 1_000;

function refuseLargePosition(position: unknown, path: string): void {
  if ((JSON.stringify(position) ?? "").length > MAX_POSITION_CHARS)
    throw invalidField(`${path}position`, "A position takes at most 1,000 characters.", "too_big");
}

/** The newest of the steps that could lead on and do not. */
async function lastLeaf(tx: Tx, workflow: number): Promise<StoredStep | null> {
  const leading = new Set((await transitionsOf(tx, workflow)).map(({ from }) => from));
  return (await stepsOf(tx, workflow)).findLast(({ id, type }) => type !== "EXIT" && !leading.has(id)) ?? null;
}

export type TransitionInput = BranchInput & { readonly fromStepId: string; readonly toStepId: string };

/** @throws AppError WORKFLOW_NOT_FOUND, STEP_NOT_FOUND, VALIDATION_ERROR */
export async function addTransition(
  tx: Tx,
  workspace: number,
  workflowId: string,
  input: TransitionInput,
): Promise<{ readonly transition: StoredTransition; readonly workflow: WorkflowWithSteps }> {
  const adding = editWorkflow(tx, workspace, workflowId, async ({ seq }) => {
    const [from, to] = [await findStep(tx, seq, input.fromStepId), await findStep(tx, seq, input.toStepId)];
    return connect(tx, seq, { from, to, branch: branchIn(input) });
  });
  const { made: id, workflow } = await adding.catch(asOwnFault);
  return { transition: written(workflow.transitions, id), workflow };
}

/** @throws AppError WORKFLOW_NOT_FOUND, TRANSITION_NOT_FOUND, VALIDATION_ERROR */
export async function removeTransition(tx: Tx, workspace: number, workflowId: string, id: string): Promise<void> {
  await editWorkflow(tx, workspace, workflowId, async ({ seq }) => {
    if ((await deleteTransition(tx, seq, id)) === 0)
      throw new AppError("TRANSITION_NOT_FOUND", `There is no transition ${id} in this workflow.`);
  });
}

/** The existing transitions are valid, so any fault is in the added one. */
function asOwnFault(error: unknown): never {
  if (!(error instanceof AppError) || !error.details.errors) throw error;
  throw invalidFields(
    error.details.errors.map((fault) => ({ ...fault, field: fault.field.replace(/^transitions\.\d+\./, "") })),
  );
}
