// A workflow created with all its steps: from one request, or as a copy of another.
import { refuse } from "../../../base/errors.ts";
import type { Tx } from "../../../store/store.ts";
import { copyName } from "../../../content/templates/template.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { branchesOnward, type WorkflowStep, type Transition } from "./definition.ts";
import { transitionsIn, uncheckedStep, type NamedStep } from "./draft.ts";
import { replaceDrawing, writtenStep, type WrittenStep } from "./replace.ts";
import { asWritten } from "./steps/spelling.ts";
import type { TransitionInput } from "./steps/step-config.ts";
import { refuseTooMuchCode } from "./texts.ts";
import { createWorkflow, findWithSteps, type WorkflowInput, type WorkflowWithSteps } from "./workflow.ts";

type CreationInput = WorkflowInput & {
  readonly steps?: readonly NamedStep[] | null;
  readonly transitions?: readonly TransitionInput[] | null;
};

/** @throws AppError as createWorkflow, and TEMPLATE_NOT_FOUND */
export function createWithSteps(tx: Tx, workspace: number, input: CreationInput): Promise<WorkflowWithSteps> {
  return createWorkflow(tx, workspace, input, async (workflow) => {
    const inputs = input.steps ?? [];
    refuseTooMuchCode(inputs);
    const hasTrigger = inputs.some(({ type }) => type === "TRIGGER");
    const steps = hasTrigger ? inputs.map(writtenStep) : [TRIGGER, ...inputs.map(writtenStep)];
    const unchecked = steps.map(({ id, input: step }) => uncheckedStep(id, step));
    const { transitions: named, faults } = transitionsIn(input.transitions ?? [], unchecked);
    refuse(faults);
    const transitions = input.transitions ? named : inOrder(unchecked);
    await replaceDrawing(tx, workflow, { steps: [], transitions: [] }, { steps, transitions });
  });
}

const TRIGGER: WrittenStep = { id: "trigger", input: { type: "TRIGGER", name: "Trigger" }, path: "" };

/** From each step to the next, from the trigger on. */
function inOrder(steps: readonly WorkflowStep[]): Transition[] {
  const line = steps.toSorted((one, other) => rank(one) - rank(other));
  return line.flatMap(({ id: to }, at) => {
    const from = line[at - 1];
    return from && from.type !== "EXIT" ? branchesOnward(from).map((branch) => ({ from: from.id, to, branch })) : [];
  });
}

function rank({ type }: WorkflowStep): number {
  return type === "TRIGGER" ? 0 : 1;
}

/** A disabled copy with a name of its own. @throws AppError WORKFLOW_NOT_FOUND */
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
