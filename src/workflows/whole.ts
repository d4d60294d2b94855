// A workflow with all its steps in one go: as a request has it, or as another workflow does (interface-gaps.md §6).
import { invalidField, invalidFields, type FieldError } from "../errors.ts";
import type { Tx } from "../store/store.ts";
import { copyName } from "../templates/copy-name.ts";
import { mainBranchOf, type Step } from "./definition.ts";
import { stepById, type WorkflowRow } from "./queries.ts";
import { branchIn } from "./spelling.ts";
import { asStep, connect, insertNewStep, type StepWish } from "./step.ts";
import { codeCharsOf } from "./texts.ts";
import { createWorkflow, triggerOf, wholeWorkflow, type WholeWorkflow, type WorkflowWish } from "./workflow.ts";
import type { TransitionWish } from "./transition.ts";

/** Characters. */
const MAX_CODE_CHARS = 50_000;
const TOO_MUCH_CODE = `The webhooks and updates of one request hold at most ${MAX_CODE_CHARS} characters in {{ }} and {% %} together.`;

/** `ref` is the name by which transitions of the same request call the step. */
type NamedStep = StepWish & { readonly ref?: string | null };

type WholeWish = WorkflowWish & {
  readonly steps?: readonly NamedStep[] | null;
  readonly transitions?: readonly TransitionWish[] | null;
};

type Placed = { readonly seq: number; readonly ref: string | null; readonly step: Step };

/** @throws AppError as createWorkflow, and TEMPLATE_NOT_FOUND */
export function createWhole(tx: Tx, workspace: number, wish: WholeWish): Promise<WholeWorkflow> {
  return createWorkflow(tx, workspace, wish, async (workflow) => {
    const wished = wish.steps ?? [];
    refuseTooMuchCode(wished);
    const hasTrigger = wished.some(({ type }) => type === "TRIGGER");
    const placed: Placed[] = hasTrigger ? [] : [await place(tx, workflow, { type: "TRIGGER", name: "Trigger" }, "")];
    for (const [at, step] of wished.entries()) placed.push(await place(tx, workflow, step, `steps.${at}.`));
    if (wish.transitions) await connectAll(tx, workflow.seq, placed, wish.transitions);
    else await connectInOrder(tx, workflow.seq, placed);
  });
}

/** All of it is parsed in one transaction, and everybody else waits. */
function refuseTooMuchCode(steps: readonly NamedStep[]): void {
  let chars = 0;
  for (const { type, config } of steps) {
    if (type === "WEBHOOK" || type === "UPDATE_CONTACT") chars += codeCharsOf(config ?? {});
    if (chars > MAX_CODE_CHARS) throw invalidField("steps", TOO_MUCH_CODE, "too_big");
  }
}

/** A disabled copy under a name of its own. @throws AppError WORKFLOW_NOT_FOUND */
export async function duplicateWorkflow(tx: Tx, workspace: number, id: string): Promise<WholeWorkflow> {
  const { workflow, steps, transitions } = await wholeWorkflow(tx, workspace, id);
  const trigger = triggerOf(workflow);
  return createWhole(tx, workspace, {
    name: copyName(workflow.name),
    description: workflow.description,
    allowReentry: workflow.allow_reentry === 1,
    triggerType: trigger.type,
    triggerConfig: trigger.config,
    steps: steps.map((step) => ({
      ...asStep(step),
      ref: step.id,
      position: step.position === null ? undefined : (JSON.parse(step.position) as unknown),
    })),
    transitions: transitions.map(({ from_id: fromStepId, to_id: toStepId, branch }) => ({
      fromStepId,
      toStepId,
      condition: branch === null ? null : { branch },
    })),
  });
}

async function place(tx: Tx, workflow: WorkflowRow, wish: NamedStep, path: string): Promise<Placed> {
  const { id, seq } = await insertNewStep(tx, workflow, wish, path);
  const row = await stepById(tx, workflow.seq, id);
  return { seq, ref: wish.ref ?? null, step: asStep(row as NonNullable<typeof row>) };
}

async function connectInOrder(tx: Tx, workflow: number, placed: readonly Placed[]): Promise<void> {
  const inOrder = placed.toSorted((one, other) => rank(one) - rank(other));
  for (const [at, to] of inOrder.entries()) {
    const from = inOrder[at - 1];
    if (from && from.step.type !== "EXIT") await connect(tx, workflow, { from, to, branch: mainBranchOf(from.step) });
  }
}

function rank({ step }: Placed): number {
  return step.type === "TRIGGER" ? 0 : 1;
}

/** A transition that names no step leads from the trigger if its `fromStepId` is `trigger`. */
async function connectAll(
  tx: Tx,
  workflow: number,
  placed: readonly Placed[],
  wished: readonly TransitionWish[],
): Promise<void> {
  const refs = placed.flatMap(({ ref }) => ref ?? []);
  const faults: FieldError[] = refs.flatMap((ref, at) =>
    refs.indexOf(ref) < at ? [{ field: "steps", message: `Two steps are called "${ref}".`, code: "duplicate" }] : [],
  );
  const named = (name: string, field: string): Placed | null => {
    const step = placed.find(({ ref }) => ref === name) ?? (name === "trigger" ? placed.find(isTrigger) : undefined);
    if (!step) faults.push({ field, message: `No step is called "${name}".`, code: "unknown_step" });
    return step ?? null;
  };
  const ways = wished.map((wish, at) => ({
    from: named(wish.fromStepId, `transitions.${at}.fromStepId`),
    to: named(wish.toStepId, `transitions.${at}.toStepId`),
    branch: branchIn(wish),
  }));
  if (faults.length > 0) throw invalidFields(faults);
  for (const { from, to, branch } of ways)
    await connect(tx, workflow, { from: from as Placed, to: to as Placed, branch });
}

function isTrigger({ step }: Placed): boolean {
  return step.type === "TRIGGER";
}
