// The uses of a template: the workflow steps that send it. A used template cannot be deleted.
import { flag } from "../../store/columns.ts";
import type { Reader } from "../../store/store.ts";
import { stepsSending, type TemplateStep } from "./use-queries.ts";

type TemplateUse = {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  /** The names of its steps that send the template, in the order in which they were added. */
  readonly steps: readonly string[];
};

/** The number of steps that are read: the newest. */
export const MOST_STEPS = 500;

/** The workflows with a step that sends the template, newest first. `template`: its seq. */
export async function workflowsSending(reader: Reader, template: number): Promise<TemplateUse[]> {
  const rows = await stepsSending(reader, template, MOST_STEPS);
  const inOrder = rows.toSorted((one, other) => other.workflow - one.workflow || one.seq - other.seq);
  const byWorkflow = Map.groupBy(inOrder, ({ id }) => id);
  return [...byWorkflow.values()].map((steps) => {
    const { id, name, enabled } = steps[0] as TemplateStep;
    return { id, name, enabled: flag(enabled), steps: steps.map(({ step }) => step) };
  });
}
