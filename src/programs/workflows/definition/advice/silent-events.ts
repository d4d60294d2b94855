// Events that a workflow waits for and that have never been recorded, nor will be by a form: nothing would ever start.
import type { FieldError } from "../../../../base/errors.ts";
import { isReservedEvent } from "../../../../tenant/events/catalog.ts";
import type { Reader } from "../../../../store/store.ts";
import type { WorkflowDrawing } from "../draft.ts";
import { heardBy } from "./heard.ts";
import { isHeardOf } from "../queries.ts";
import type { TriggerInput } from "../trigger.ts";

type WorkflowRef = { readonly workspace: number; readonly id: string };

export async function silentEvents(
  reader: Reader,
  whose: WorkflowRef,
  drawing: WorkflowDrawing & TriggerInput,
): Promise<readonly FieldError[]> {
  const { workspace } = whose;
  const risks: FieldError[] = [];
  for (const { field, name } of await heardBy(reader, whose, drawing))
    if (name !== "" && !isReservedEvent(name) && !(await isHeardOf(reader, workspace, name)))
      risks.push({ field, message: `${name} has never happened, and no form sends it.`, code: "never_happened" });
  return risks;
}
