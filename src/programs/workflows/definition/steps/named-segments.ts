// The segments and topics that a step names: each must exist when the step is saved, and a segment exists as long as
// the step.
import { acceptCondition } from "../../../../audience/segments/references.ts";
import type { Reader } from "../../../../store/store.ts";
import { refuseUnknownTopic } from "../../../../audience/topics/mail.ts";
import { isAsking, type ConditionConfig, type Configs, type StepType } from "../definition.ts";

/** Their seqs. `path` leads to the configuration. @throws AppError VALIDATION_ERROR as acceptCondition */
export async function segmentsNamedBy(
  reader: Reader,
  workspace: number,
  { type, config }: { readonly type: StepType; readonly config: object },
  path: string,
): Promise<readonly number[]> {
  if (type === "SEND_EMAIL")
    await refuseUnknownTopic(reader, workspace, (config as Configs["SEND_EMAIL"]).topic ?? null, `${path}.topic`);
  if (type !== "CONDITION" || !isAsking(config as ConditionConfig)) return [];
  const { condition } = config as { readonly condition: unknown };
  const { segments } = await acceptCondition(reader, workspace, condition, { field: `${path}.condition` });
  return [...segments.values()];
}
