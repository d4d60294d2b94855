// The texts of a workflow's request that were repaired when they were saved: the answer names them.
import { noteWarning } from "../../../../http/body/body-notes.ts";
import { withoutEditorMarks } from "../../../../content/templates/design/editor-marks.ts";
import { REPAIRED } from "../../../../content/templates/written.ts";
import type { StepType } from "../definition.ts";
import { HAS_TEXTS, textsIn } from "../texts.ts";

type RawStep = { readonly type: StepType; readonly config?: unknown };
type RawWorkflow = { readonly steps?: readonly RawStep[] | null; readonly entryKey?: string | null };

/** The body of a request that writes a workflow. */
export function notedWhole<Body extends RawWorkflow>(body: Body): Body {
  for (const [at, step] of (body.steps ?? []).entries()) noteTexts(body, step, `steps.${at}.config`);
  note(body, "entryKey", body.entryKey ?? "");
  return body;
}

/** The body of a request that writes one step, of this type. */
export function notedStep<Body extends { readonly config?: unknown }>(body: Body, type: StepType): Body {
  noteTexts(body, { type, config: body.config }, "config");
  return body;
}

function noteTexts(body: object, { type, config }: RawStep, path: string): void {
  if (HAS_TEXTS.has(type)) for (const [at, text] of textsIn(config)) note(body, `${path}.${at}`, text);
}

function note(body: object, field: string, text: string): void {
  if (withoutEditorMarks(text, "text") !== text) noteWarning(body, { field, message: REPAIRED, code: "repaired" });
}
