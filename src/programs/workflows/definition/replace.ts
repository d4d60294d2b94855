// The single way to write the steps and transitions of a workflow: a drawing replaces the one before, in one change.
// Steps in both stay, with their ids, and so with their people and numbers.
import { invalidField, refuse } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import type { Tx } from "../../../store/store.ts";
import { refuseSavedSince } from "../../../tenant/access/saving.ts";
import type { Transition } from "./definition.ts";
import { readDraft, type WorkflowDrawing } from "./draft.ts";
import { unmasked } from "./steps/masked-headers.ts";
import type { Workflow } from "./queries.ts";
import { stepFields, type StepInput } from "./steps/step-fields.ts";
import {
  deleteStep,
  deleteTransition,
  insertStep,
  insertTransition,
  stepsOf,
  transitionsOf,
  updateStep,
  type StoredStep,
  type StoredTransition,
} from "./steps/step-queries.ts";
import { changeWorkflow, type OnEnable, type WorkflowInput, type WorkflowWithSteps } from "./workflow.ts";

/** `id`: its own, or the drawing's name for a new one. `path` leads to it in the request, with a dot at its end. */
export type WrittenStep = { readonly id: string; readonly input: StepInput; readonly path: string };

export type NewDrawing = {
  /** Stored steps stay untouched. */
  readonly steps: readonly (StoredStep | WrittenStep)[];
  /** Between ids of steps; `trigger` is the trigger, unless another step has that name. */
  readonly transitions: readonly Transition[];
};

type StoredDrawing = { readonly steps: readonly StoredStep[]; readonly transitions: readonly StoredTransition[] };

type DrawingTarget = {
  readonly workspace: number;
  readonly id: string;
  readonly onEnabled: OnEnable;
  readonly webhookAllow: readonly string[];
};

/**
 * @throws AppError WORKFLOW_NOT_FOUND, CONFLICT if it was changed since, VALIDATION_ERROR with all faults together, by
 * their places in the request
 */
export function replaceWorkflow(
  tx: Tx,
  place: DrawingTarget,
  input: WorkflowInput & WorkflowDrawing,
): Promise<WorkflowWithSteps> {
  return changeWorkflow(tx, place, input, async (workflow, { enabled }) => {
    refuseSavedSince(tx, workflow, input);
    const stored = await stepsOf(tx, workflow.seq);
    const { faults, lacks, transitions } = await readDraft(tx, { ...place, stored }, input);
    refuse([...faults, ...(enabled ? lacks : [])]);
    const before = { steps: stored, transitions: await transitionsOf(tx, workflow.seq) };
    await replaceDrawing(tx, workflow, before, { steps: input.steps.map(writtenStep), transitions });
  });
}

/** A step of a request, with its place there. */
export function writtenStep(input: WorkflowDrawing["steps"][number], at: number): WrittenStep {
  return { id: input.ref ?? `step ${at}`, input, path: `steps.${at}.` };
}

/** The trigger stays, whether it is drawn or not. @throws AppError TEMPLATE_NOT_FOUND, VALIDATION_ERROR */
export async function replaceDrawing(
  tx: Tx,
  workflow: Workflow,
  before: StoredDrawing,
  { steps, transitions }: NewDrawing,
): Promise<void> {
  const seqs = new Map<string, number>();
  for (const { type, seq } of before.steps) if (type === "TRIGGER") seqs.set("trigger", seq);
  for (const step of steps)
    seqs.set(step.id, "seq" in step ? step.seq : await writeStep(tx, workflow, before.steps, step));
  const kept = new Set(seqs.values());
  for (const { type, seq } of before.steps) if (type !== "TRIGGER" && !kept.has(seq)) await deleteStep(tx, seq);
  const wanted = transitions.map(({ from, to, branch }) => ({
    from: seqs.get(from) as number,
    to: seqs.get(to) as number,
    branch,
  }));
  await replaceTransitions(tx, workflow.seq, before, wanted);
}

/** Answers its seq. */
async function writeStep(
  tx: Tx,
  { seq: workflow, workspace }: Workflow,
  before: readonly StoredStep[],
  { id, input, path }: WrittenStep,
): Promise<number> {
  const isTrigger = input.type === "TRIGGER";
  const own = before.find((step) => (isTrigger ? step.type === "TRIGGER" : step.id === id));
  if (!own) {
    const fields = await stepFields(tx, workspace, input, path);
    return insertStep(tx, { ...fields, id: newId(tx.nowMs), workspace, workflow });
  }
  if (own.type !== input.type)
    throw invalidField(`${path}type`, "A step keeps its type: give a new one another ref.", "conflict");
  const config = input.config ? unmasked(input.type, input.config, own.config) : null;
  await updateStep(tx, own.seq, await stepFields(tx, workspace, { ...input, config }, path));
  return own.seq;
}

/** Steps by their seq. */
type StepEdge = { readonly from: number; readonly to: number; readonly branch: string | null };

async function replaceTransitions(
  tx: Tx,
  workflow: number,
  before: StoredDrawing,
  wanted: readonly StepEdge[],
): Promise<void> {
  const seqs = new Map(before.steps.map(({ id, seq }) => [id, seq]));
  const removed = [...before.transitions];
  const added: StepEdge[] = [];
  for (const one of wanted) {
    const same = removed.findIndex(
      ({ from, to, branch }) => seqs.get(from) === one.from && seqs.get(to) === one.to && branch === one.branch,
    );
    if (same === -1) added.push(one);
    else removed.splice(same, 1);
  }
  for (const { id } of removed) await deleteTransition(tx, workflow, id);
  for (const one of added) await insertTransition(tx, { ...one, id: newId(tx.nowMs), workflow });
}
