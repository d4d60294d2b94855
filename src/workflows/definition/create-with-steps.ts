// A workflow created with all its steps: from one request, or as a copy of another.
import { invalidFields, type FieldError } from "../../errors.ts";
import type { Tx } from "../../store/store.ts";
import { copyName } from "../../templates/template.ts";
import type { Caller } from "../../access/caller.ts";
import type { Step } from "./definition.ts";
import type { NamedStep } from "./draft.ts";
import type { Workflow } from "./queries.ts";
import { asWritten } from "./spelling.ts";
import { branchIn } from "./step-config.ts";
import { connect, connectOnward, insertNewStep, type TransitionInput } from "./step.ts";
import type { StoredStep } from "./step-queries.ts";
import { refuseTooMuchCode } from "./texts.ts";
import { createWorkflow, findWithSteps, type WorkflowInput, type WorkflowWithSteps } from "./workflow.ts";

type CreationInput = WorkflowInput & {
  readonly steps?: readonly NamedStep[] | null;
  readonly transitions?: readonly TransitionInput[] | null;
};

type Placed = { readonly ref: string | null; readonly step: StoredStep };

/** @throws AppError as createWorkflow, and TEMPLATE_NOT_FOUND */
export function createWithSteps(tx: Tx, workspace: number, input: CreationInput): Promise<WorkflowWithSteps> {
  return createWorkflow(tx, workspace, input, async (workflow) => {
    const steps = input.steps ?? [];
    refuseTooMuchCode(steps);
    const hasTrigger = steps.some(({ type }) => type === "TRIGGER");
    const placed: Placed[] = hasTrigger ? [] : [await place(tx, workflow, { type: "TRIGGER", name: "Trigger" }, "")];
    for (const [at, step] of steps.entries()) placed.push(await place(tx, workflow, step, `steps.${at}.`));
    if (input.transitions) await connectAll(tx, workflow.seq, placed, input.transitions);
    else await connectInOrder(tx, workflow.seq, placed);
  });
}

/** A disabled copy under a name of its own. @throws AppError WORKFLOW_NOT_FOUND */
export async function duplicateWorkflow(
  tx: Tx,
  { workspace, by }: Pick<Caller, "workspace" | "by">,
  id: string,
): Promise<WorkflowWithSteps> {
  const { name, description, reentry, entryKey, trigger, steps, transitions } = await findWithSteps(tx, workspace, id);
  return createWithSteps(tx, workspace, {
    by,
    name: copyName(name),
    description,
    reentry,
    entryKey,
    triggerType: trigger.type,
    triggerConfig: trigger.config,
    steps: steps.map(({ id: ref, type, name, config, spelling, position }) => ({
      ref,
      type,
      name,
      position,
      config: { ...asWritten(config, spelling) },
    })),
    transitions: transitions.map(({ from: fromStepId, to: toStepId, branch }) => ({
      fromStepId,
      toStepId,
      condition: branch === null ? null : { branch },
    })),
  });
}

async function place(tx: Tx, workflow: Workflow, input: NamedStep, path: string): Promise<Placed> {
  return { ref: input.ref ?? null, step: await insertNewStep(tx, workflow, input, path) };
}

async function connectInOrder(tx: Tx, workflow: number, placed: readonly Placed[]): Promise<void> {
  const inOrder = placed.map(({ step }) => step).toSorted((one, other) => rank(one) - rank(other));
  for (const [at, to] of inOrder.entries()) {
    const from = inOrder[at - 1];
    if (from && from.type !== "EXIT") await connectOnward(tx, workflow, from, to);
  }
}

function rank({ type }: Step): number {
  return type === "TRIGGER" ? 0 : 1;
}

async function connectAll(
  tx: Tx,
  workflow: number,
  placed: readonly Placed[],
  inputs: readonly TransitionInput[],
): Promise<void> {
  const refs = placed.flatMap(({ ref }) => ref ?? []);
  const faults: FieldError[] = refs.flatMap((ref, at) =>
    refs.indexOf(ref) < at ? [{ field: "steps", message: `Two steps are called "${ref}".`, code: "duplicate" }] : [],
  );
  const named = (ref: string, field: string): StoredStep | null => {
    const step = stepNamed(placed, ref);
    if (!step) faults.push({ field, message: `No step is called "${ref}".`, code: "unknown_step" });
    return step;
  };
  const ends = inputs.map((input, at) => ({
    from: named(input.fromStepId, `transitions.${at}.fromStepId`),
    to: named(input.toStepId, `transitions.${at}.toStepId`),
    branch: branchIn(input),
  }));
  if (faults.length > 0) throw invalidFields(faults);
  for (const { from, to, branch } of ends) if (from && to) await connect(tx, workflow, { from, to, branch });
}

/** `trigger` is the trigger, unless a step has that ref. */
function stepNamed(placed: readonly Placed[], name: string): StoredStep | null {
  const one =
    placed.find(({ ref }) => ref === name) ?? placed.find(({ step }) => name === "trigger" && step.type === "TRIGGER");
  return one?.step ?? null;
}
