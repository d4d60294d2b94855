// The events that a drawing starts by and waits for, each with the field that names it.
import type { Reader } from "../../../../store/store.ts";
import type { WorkflowDrawing } from "../draft.ts";
import type { TriggerInput } from "../trigger.ts";
import { findWorkflow } from "../workflow.ts";

type EventNameField = { readonly field: string; readonly name: string };
type WorkflowRef = { readonly workspace: number; readonly id: string };

export async function heardBy(
  reader: Reader,
  { workspace, id }: WorkflowRef,
  drawing: WorkflowDrawing & TriggerInput,
): Promise<readonly EventNameField[]> {
  const { trigger } = await findWorkflow(reader, workspace, id);
  const given = drawing.triggerConfig?.["eventName"] ?? drawing.eventName;
  const kept = trigger.type === "EVENT" ? trigger.config.eventName : null;
  const starter = (drawing.triggerType ?? "EVENT") === "EVENT" ? (given ?? kept) : null;
  const waits = drawing.steps.map(({ type, config }, at) => ({
    field: `steps.${at}.config.eventName`,
    name: type === "WAIT_FOR_EVENT" ? config?.["eventName"] : null,
  }));
  return [{ field: "triggerConfig.eventName", name: starter }, ...waits].flatMap(({ field, name }) =>
    typeof name === "string" ? [{ field, name }] : [],
  );
}
