// Conditions of workflows that name erased people: the addresses are removed from the steps, and from the versions that
// executions run on.
import { namesOneOf } from "../../../base/addresses.ts";
import { withoutAddresses } from "../../../audience/segments/condition/naming.ts";
import type { Tx } from "../../../store/store.ts";
import type { WorkflowStep } from "./definition.ts";
import { setDefinition, versionsWithAddresses, type WorkflowVersion } from "./queries.ts";
import { conditionsWithAddresses, setConfig } from "./steps/step-queries.ts";

export async function forgetInWorkflows(tx: Tx, workspace: number, emails: readonly string[]): Promise<void> {
  for (const { seq, config } of await conditionsWithAddresses(tx, workspace)) {
    const without = JSON.stringify(withoutAddresses(JSON.parse(config) as unknown, emails));
    if (without !== config) await setConfig(tx, seq, without);
  }
  for (const { seq, definition } of await versionsWithAddresses(tx, workspace)) {
    // A version may have megabytes, and many people are erased at a time.
    if (!mayName(definition, emails)) continue;
    const { steps, ...version } = JSON.parse(definition) as WorkflowVersion;
    const without = steps.map((step) => stepWithout(step, emails));
    if (!Bun.deepEquals(steps, without)) await setDefinition(tx, seq, { ...version, steps: without });
  }
}

/** JSON escapes some characters. */
function mayName(json: string, emails: readonly string[]): boolean {
  return emails.some((email) => /["\\]/.test(email)) || namesOneOf(json, emails);
}

function stepWithout(step: WorkflowStep, emails: readonly string[]): WorkflowStep {
  return step.type === "CONDITION" ? { ...step, config: withoutAddresses(step.config, emails) } : step;
}
