// The steps of a workflow: added, changed, taken out (interface-gaps.md §6 "Steps").
import { AppError, invalidField } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Reader, Tx } from "../store/store.ts";
import { findTemplate } from "../templates/template.ts";
import { mainBranchOf, type Configs, type Step, type StepType } from "./definition.ts";
import {
  deleteStep,
  insertStep,
  insertTransition,
  stepById,
  stepsOf,
  transitionsOf,
  updateStep,
  type StepFields,
  type StepRow,
  type WorkflowRow,
} from "./queries.ts";
import { readConfig } from "./step-config.ts";
import { editWorkflow, rowIn, setTrigger, type WholeWorkflow } from "./workflow.ts";

type StepChange = {
  readonly name?: string | null;
  readonly config?: Readonly<Record<string, unknown>> | null;
  /** Another place for the `templateId` of the configuration. */
  readonly templateId?: string | null;
  readonly position?: unknown;
};

export type StepWish = StepChange & { readonly type: StepType; readonly name: string };

type EditedStep = { readonly step: StepRow; readonly whole: WholeWorkflow };

/**
 * Adds a step; with `autoConnect` after the last one that leads nowhere yet.
 * @throws AppError WORKFLOW_NOT_FOUND, TEMPLATE_NOT_FOUND, VALIDATION_ERROR
 */
export async function addStep(
  tx: Tx,
  workspace: number,
  workflowId: string,
  wish: StepWish & { readonly autoConnect?: boolean | null },
): Promise<EditedStep> {
  let id = "";
  const whole = await editWorkflow(tx, workspace, workflowId, async (workflow) => {
    if (wish.type === "TRIGGER") throw invalidField("type", "The workflow has its trigger already.", "duplicate");
    const leaf = wish.autoConnect === false ? null : await lastLeaf(tx, workflow.seq);
    const step = await insertNewStep(tx, workflow, wish, "");
    id = step.id;
    if (leaf) await connect(tx, workflow.seq, { from: leaf, to: step, branch: mainBranchOf(asStep(leaf)) });
  });
  return { step: rowIn(whole.steps, id), whole };
}

/** @throws AppError WORKFLOW_NOT_FOUND, STEP_NOT_FOUND, TEMPLATE_NOT_FOUND, VALIDATION_ERROR */
export async function changeStep(
  tx: Tx,
  workspace: number,
  workflowId: string,
  id: string,
  change: StepChange,
): Promise<EditedStep> {
  const whole = await editWorkflow(tx, workspace, workflowId, async (workflow) => {
    const step = await findStep(tx, workflow.seq, id);
    if (step.type === "TRIGGER" && change.config) await setTrigger(tx, workflow, { triggerConfig: change.config });
    const before = change.config ? templateIn({ templateId: step.template_id }) : (JSON.parse(step.config) as object);
    const config = { ...before, ...templateIn(change), ...change.config };
    const position = change.position === undefined ? step.position : positionOf(change, "");
    const fields = await fieldsOf(
      tx,
      workspace,
      { ...change, type: step.type, name: change.name ?? step.name, config },
      "",
    );
    await updateStep(tx, step.seq, { ...fields, position });
  });
  return { step: rowIn(whole.steps, id), whole };
}

/**
 * Takes a step out with its transitions. With `splice` what led to it leads to the one step after it.
 * @throws AppError WORKFLOW_NOT_FOUND, STEP_NOT_FOUND, WORKFLOW_STATE for the trigger, VALIDATION_ERROR
 */
export async function removeStep(
  tx: Tx,
  workspace: number,
  workflowId: string,
  id: string,
  splice: boolean,
): Promise<void> {
  await editWorkflow(tx, workspace, workflowId, async (workflow) => {
    const step = await findStep(tx, workflow.seq, id);
    if (step.type === "TRIGGER") throw new AppError("WORKFLOW_STATE", "A workflow keeps its trigger.");
    const [steps, transitions] = [await stepsOf(tx, workflow.seq), await transitionsOf(tx, workflow.seq)];
    await deleteStep(tx, step.seq);
    const after = transitions.filter(({ from_id: from }) => from === id);
    const next = steps.find((one) => after.length === 1 && one.id === after[0]?.to_id);
    if (!splice || !next) return;
    for (const { from_id: from, branch } of transitions.filter(({ to_id: to }) => to === id)) {
      const before = steps.find((one) => one.id === from) as StepRow;
      await connect(tx, workflow.seq, { from: before, to: next, branch });
    }
  });
}

/** @throws AppError STEP_NOT_FOUND */
export async function findStep(reader: Reader, workflow: number, id: string): Promise<StepRow> {
  const step = await stepById(reader, workflow, id);
  if (!step) throw new AppError("STEP_NOT_FOUND", `There is no step ${id} in this workflow.`);
  return step;
}

type StepEnd = { readonly seq: number };

export async function connect(
  tx: Tx,
  workflow: number,
  way: { readonly from: StepEnd; readonly to: StepEnd; readonly branch: string | null },
): Promise<string> {
  const id = newId(tx.nowMs);
  await insertTransition(tx, { id, workflow, from: way.from.seq, to: way.to.seq, branch: way.branch });
  return id;
}

/** `path` leads to the step in the request, with a dot at its end, or is empty. */
export async function insertNewStep(
  tx: Tx,
  workflow: WorkflowRow,
  wish: StepWish,
  path: string,
): Promise<StepEnd & { readonly id: string }> {
  const fields = await fieldsOf(tx, workflow.workspace, wish, path);
  const id = newId(tx.nowMs);
  return { id, seq: await insertStep(tx, { ...fields, id, workspace: workflow.workspace, workflow: workflow.seq }) };
}

export function asStep({ id, type, name, config }: StepRow): Step {
  return { id, type, name, config: JSON.parse(config) as Step["config"] } as Step;
}

async function fieldsOf(tx: Tx, workspace: number, wish: StepWish, path: string): Promise<StepFields> {
  const given = { ...templateIn(wish), ...wish.config };
  const config = readConfig(wish.type, given, `${path}config`);
  const template = wish.type === "SEND_EMAIL" ? (config as Configs["SEND_EMAIL"]).templateId : null;
  return {
    type: wish.type,
    name: wish.name,
    config: JSON.stringify(config),
    template: template === null ? null : (await findTemplate(tx, workspace, template)).seq,
    position: positionOf(wish, path),
  };
}

function templateIn({ templateId }: StepChange): { readonly templateId?: string } {
  return templateId ? { templateId } : {};
}

const MAX_POSITION_CHARS = 1_000;

function positionOf({ position }: StepChange, path: string): string | null {
  if (position === undefined || position === null) return null;
  const text = JSON.stringify(position);
  if (text.length > MAX_POSITION_CHARS)
    throw invalidField(`${path}position`, "A position takes at most 1,000 characters.", "too_big");
  return text;
}

/** The newest of the steps that could lead on and do not. */
async function lastLeaf(tx: Tx, workflow: number): Promise<StepRow | null> {
  const leading = new Set((await transitionsOf(tx, workflow)).map(({ from_id: from }) => from));
  return (await stepsOf(tx, workflow)).findLast(({ id, type }) => type !== "EXIT" && !leading.has(id)) ?? null;
}
