// The ways from step to step (interface-gaps.md §6 "Transitions").
import { AppError, invalidFields } from "../errors.ts";
import type { Tx } from "../store/store.ts";
import { deleteTransition, type TransitionRow } from "./queries.ts";
import { branchIn, type BranchWish } from "./spelling.ts";
import { connect, findStep } from "./step.ts";
import { editWorkflow, rowIn, type WholeWorkflow } from "./workflow.ts";

export type TransitionWish = BranchWish & { readonly fromStepId: string; readonly toStepId: string };

/** @throws AppError WORKFLOW_NOT_FOUND, STEP_NOT_FOUND, VALIDATION_ERROR */
export async function addTransition(
  tx: Tx,
  workspace: number,
  workflowId: string,
  wish: TransitionWish,
): Promise<{ readonly transition: TransitionRow; readonly whole: WholeWorkflow }> {
  let id = "";
  const adding = editWorkflow(tx, workspace, workflowId, async ({ seq }) => {
    const [from, to] = [await findStep(tx, seq, wish.fromStepId), await findStep(tx, seq, wish.toStepId)];
    id = await connect(tx, seq, { from, to, branch: branchIn(wish) });
  });
  const whole = await adding.catch(asOwnFault);
  return { transition: rowIn(whole.transitions, id), whole };
}

/** @throws AppError WORKFLOW_NOT_FOUND, TRANSITION_NOT_FOUND, VALIDATION_ERROR */
export async function removeTransition(tx: Tx, workspace: number, workflowId: string, id: string): Promise<void> {
  await editWorkflow(tx, workspace, workflowId, async ({ seq }) => {
    if ((await deleteTransition(tx, seq, id)) === 0)
      throw new AppError("TRANSITION_NOT_FOUND", `There is no transition ${id} in this workflow.`);
  });
}

/** What is wrong with the transitions is wrong with the one that was added. */
function asOwnFault(error: unknown): never {
  if (!(error instanceof AppError) || !error.details.errors) throw error;
  throw invalidFields(
    error.details.errors.map((fault) => ({ ...fault, field: fault.field.replace(/^transitions\.\d+\./, "") })),
  );
}
