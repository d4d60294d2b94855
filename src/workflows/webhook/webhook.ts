// WEBHOOK: the payload is stored when an execution reaches the step, and sent by a loop of its own (interface-gaps.md §6).
import { AppError } from "../../errors.ts";
import type { Tx } from "../../store/store.ts";
import type { Configs, Step } from "../definition.ts";
import { findExecution } from "../execution.ts";
import { type DueExecution } from "../execution-queries.ts";
import { traceOf } from "../trace-queries.ts";
import type { Subject } from "../subject.ts";
import type { Version } from "../version.ts";
import { originOf } from "./config.ts";
import { WEBHOOK_DUE } from "./holding.ts";
import { insertCall, setDueNow, setSentByHand } from "./queries.ts";
import { findWorkflow } from "../workflow.ts";

/** The body without a configured one (interface.md "Default webhook payload"). */
export type Payload = {
  readonly contact: {
    readonly email: string;
    readonly subscribed: boolean;
    readonly data: Readonly<Record<string, unknown>>;
  };
  readonly workflow: { readonly id: string; readonly name: string };
  readonly execution: { readonly id: string; readonly startedAt: string };
  readonly event: Readonly<Record<string, unknown>>;
};

type StepRun = {
  readonly execution: Pick<DueExecution, "seq" | "id" | "workspace" | "started_at">;
  readonly version: Pick<Version, "workflowId" | "name">;
  readonly step: Step;
  readonly subject: Subject;
};

export function payloadOf({ execution, version, subject }: Omit<StepRun, "step">): Payload {
  const { email, subscribed, data } = subject.contact;
  return {
    contact: { email, subscribed, data },
    workflow: { id: version.workflowId, name: version.name },
    execution: { id: execution.id, startedAt: execution.started_at },
    event: subject.event,
  };
}

/** `executionStep`: the row of the trace, whose id is the webhook's. */
export async function queueCall(
  tx: Tx,
  executionStep: number,
  run: StepRun,
  { url }: Configs["WEBHOOK"],
): Promise<void> {
  const { seq: execution, workspace } = run.execution;
  const payload = JSON.stringify(payloadOf(run));
  await insertCall(tx, { executionStep, execution, workspace, origin: originOf(url) ?? "", payload });
  tx.signal(WEBHOOK_DUE);
}

/** At one webhook, before it is not sent again by hand: all of them stand in the trace. */
const MAX_ATTEMPTS = 100;
const NOT_SENT_AGAIN = `The step is no webhook, it is being sent at this moment, or it has been sent ${MAX_ATTEMPTS} times.`;

/**
 * Sends a webhook again by hand, under the same id, or tries at once one that waits for its next attempt. The execution does
 * not turn back for it. `step`: what the execution did there, or the step of the workflow; it comes by each once.
 * @throws AppError WORKFLOW_NOT_FOUND, EXECUTION_NOT_FOUND, STEP_NOT_FOUND, WORKFLOW_STATE for a step that is no webhook, or
 * one that is being sent just now, or has been so often
 */
export async function sendAgain(
  tx: Tx,
  workspace: number,
  ids: { readonly workflow: string; readonly execution: string; readonly step: string },
): Promise<void> {
  const { seq: workflow } = await findWorkflow(tx, workspace, ids.workflow);
  const execution = await findExecution(tx, workflow, ids.execution);
  const step = (await traceOf(tx, execution.seq)).find(({ id, step: of }) => id === ids.step || of === ids.step);
  if (!step) throw new AppError("STEP_NOT_FOUND", `There is no step ${ids.step} in this execution.`);
  if ((await setDueNow(tx, step.seq)) === 0 && (await setSentByHand(tx, step.seq, MAX_ATTEMPTS)) === 0)
    throw new AppError("WORKFLOW_STATE", NOT_SENT_AGAIN);
  tx.signal(WEBHOOK_DUE);
}
