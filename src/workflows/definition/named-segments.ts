// The segments that the condition of a step names: each must be there when the step is saved.
import { acceptCondition } from "../../segments/references.ts";
import type { Reader } from "../../store/store.ts";
import { isAsking, type ConditionConfig, type StepType } from "./definition.ts";

/** `path` leads to the configuration. @throws AppError VALIDATION_ERROR as acceptCondition */
export async function refuseUnknownSegments(
  reader: Reader,
  workspace: number,
  { type, config }: { readonly type: StepType; readonly config: object },
  path: string,
): Promise<void> {
  if (type !== "CONDITION" || !isAsking(config as ConditionConfig)) return;
  const { condition } = config as { readonly condition: unknown };
  await acceptCondition(reader, workspace, condition, { field: `${path}.condition` });
}
