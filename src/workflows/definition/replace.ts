// A drawing takes the place of what a workflow was made of, in one change. Steps and transitions that are in it as
// before stay, with their ids, and so with their people and numbers.
import { invalidField, refuse } from "../../errors.ts";
import type { Tx } from "../../store/store.ts";
import { refuseSavedSince } from "../../access/saving.ts";
import { readDraft, type Drawing, type NamedStep } from "./draft.ts";
import type { Workflow } from "./queries.ts";
import { branchIn } from "./step-config.ts";
import { deleteStep, deleteTransition, stepsOf, transitionsOf, type StoredStep } from "./step-queries.ts";
import { connect, insertNewStep, rewriteStep } from "./step.ts";
import { changeWorkflow, type OnEnabled, type WorkflowInput, type WorkflowWithSteps } from "./workflow.ts";

type Place = {
  readonly workspace: number;
  readonly id: string;
  readonly onEnabled: OnEnabled;
  readonly webhookAllow: readonly string[];
};

type Replacement = WorkflowInput & Drawing;

/**
 * @throws AppError WORKFLOW_NOT_FOUND, CONFLICT if somebody has changed it since, VALIDATION_ERROR with all faults at
 * once, by their places in the request
 */
export function replaceWorkflow(tx: Tx, place: Place, input: Replacement): Promise<WorkflowWithSteps> {
  return changeWorkflow(tx, place, input, async (before, { enabled }) => {
    refuseSavedSince(tx, before, input);
    const stored = await stepsOf(tx, before.seq);
    const { faults, lacks } = await readDraft(tx, { ...place, stored }, input);
    refuse([...faults, ...(enabled ? lacks : [])]);
    await rewrite(tx, before, stored, input);
  });
}

async function rewrite(
  tx: Tx,
  workflow: Workflow,
  before: readonly StoredStep[],
  { steps, transitions }: Drawing,
): Promise<void> {
  const byRef = new Map<string, StoredStep>();
  for (const [at, input] of steps.entries()) {
    const step = await writeStep(tx, workflow, { before, input, at });
    byRef.set(input.ref ?? `step ${at}`, step);
  }
  const kept = new Set([...byRef.values()].map(({ id }) => id));
  for (const step of before) if (!kept.has(step.id) && step.type !== "TRIGGER") await deleteStep(tx, step.seq);
  const trigger = before.find(({ type }) => type === "TRIGGER");
  if (trigger && !byRef.has("trigger")) byRef.set("trigger", trigger);
  await rewriteTransitions(tx, workflow.seq, byRef, transitions);
}

type Written = { readonly before: readonly StoredStep[]; readonly input: NamedStep; readonly at: number };

function writeStep(tx: Tx, workflow: Workflow, { before, input, at }: Written): Promise<StoredStep> {
  const path = `steps.${at}.`;
  const isTrigger = input.type === "TRIGGER";
  const own = before.find(({ id, type }) => (isTrigger ? type === "TRIGGER" : id === input.ref));
  if (!own) return insertNewStep(tx, workflow, input, path);
  if (own.type !== input.type)
    throw invalidField(`${path}type`, "A step keeps its type: give a new one another ref.", "conflict");
  return rewriteStep(tx, workflow, own, { input, path });
}

async function rewriteTransitions(
  tx: Tx,
  workflow: number,
  byRef: ReadonlyMap<string, StoredStep>,
  inputs: Drawing["transitions"],
): Promise<void> {
  const wanted = inputs.map((input) => ({
    from: byRef.get(input.fromStepId) as StoredStep,
    to: byRef.get(input.toStepId) as StoredStep,
    branch: branchIn(input),
  }));
  const before = await transitionsOf(tx, workflow);
  const isSame = (one: (typeof wanted)[number], other: (typeof before)[number]) =>
    one.from.id === other.from && one.to.id === other.to && one.branch === other.branch;
  for (const one of before)
    if (!wanted.some((other) => isSame(other, one))) await deleteTransition(tx, workflow, one.id);
  for (const one of wanted) if (!before.some((other) => isSame(one, other))) await connect(tx, workflow, one);
}
