// The stored fields of a step, read from a request.
import { invalidField } from "../../../../base/errors.ts";
import type { Tx } from "../../../../store/store.ts";
import { templateToSend } from "../../../../content/templates/sent.ts";
import type { Configs, StepType } from "../definition.ts";
import { segmentsNamedBy } from "./named-segments.ts";
import { spellingOf } from "./spelling.ts";
import { readConfig } from "./step-config.ts";
import type { StepFields } from "./step-queries.ts";

export type StepChange = {
  readonly name?: string | null;
  readonly config?: Readonly<Record<string, unknown>> | null;
  /** The same as `templateId` in the configuration. */
  readonly templateId?: string | null;
  readonly position?: unknown;
};

export type StepInput = StepChange & { readonly type: StepType; readonly name: string };

/** `path` leads to the step in the request, with a dot at its end, or is empty. */
export async function stepFields(tx: Tx, workspace: number, input: StepInput, path: string): Promise<StepFields> {
  const { type, name, position } = input;
  const given = { ...templateIn(input), ...input.config };
  const config = readConfig(type, given, `${path}config`);
  const segments = await segmentsNamedBy(tx, workspace, { type, config }, `${path}config`);
  const named = type === "SEND_EMAIL" ? (config as Configs["SEND_EMAIL"]).templateId : null;
  const sent = named === null ? null : await templateToSend(tx, workspace, named);
  refuseLargePosition(position, path);
  return {
    type,
    name,
    config: sent ? { ...config, templateId: sent.reference } : config,
    spelling: spellingOf(type, given),
    position,
    segments,
    template: sent && sent.template.seq,
  };
}

export function templateIn({ templateId }: StepChange): { readonly templateId?: string } {
  return templateId ? { templateId } : {};
}

const MAX_POSITION_CHARS = 1_000;

function refuseLargePosition(position: unknown, path: string): void {
  if ((JSON.stringify(position) ?? "").length > MAX_POSITION_CHARS)
    throw invalidField(`${path}position`, "A position takes at most 1,000 characters.", "too_big");
}
