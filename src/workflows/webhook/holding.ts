// Webhooks of a disabled workflow wait until it is enabled (interface.md "Webhook step configuration").
import type { Tx } from "../../store/store.ts";
import { callsOfDisabled, hold, lockDisabled, release } from "./queries.ts";

/** Signalled when there may be a webhook to send. */
export const WEBHOOK_DUE = "webhook";

/** The others follow when these are claimed: enabling a workflow keeps nobody waiting. */
const MAX_RELEASED = 1_000;

/** Holds those of these due calls whose workflows are disabled; answers the others. */
export async function holdDisabled(tx: Tx, steps: readonly number[]): Promise<readonly number[]> {
  const disabled = steps.length === 0 ? [] : await callsOfDisabled(tx, steps);
  if (disabled.length === 0) return steps;
  const workflows = [...new Set(disabled.map(({ workflow }) => workflow))];
  // Who is enabling one at this moment releases what is held by then, so none is held behind that.
  for (const workflow of await lockDisabled(tx, workflows)) {
    const own = disabled.filter((call) => call.workflow === workflow);
    const callSteps = own.map(({ execution_step: step }) => step);
    await hold(tx, workflow, callSteps);
  }
  // Others may be due behind these.
  tx.signal(WEBHOOK_DUE);
  const held = new Set(disabled.map(({ execution_step: step }) => step));
  return steps.filter((step) => !held.has(step));
}

/** Of enabled workflows. */
export async function releaseCalls(tx: Tx, workflows: readonly number[]): Promise<void> {
  if (workflows.length > 0 && (await release(tx, workflows, MAX_RELEASED)) > 0) tx.signal(WEBHOOK_DUE);
}
