// How often a contact enters a workflow, in requests: once, again after each end, or with each event.
import { invalidField, refuse } from "../../../base/errors.ts";
import { withoutEditorMarks } from "../../../content/templates/design/editor-marks.ts";
import type { ReentryRule, Reentry } from "./definition.ts";
import { updateFaults } from "./texts.ts";

/** `allowReentry` says less: false is `never`, true one of the others. Undefined or null = as it was. */
export type EnteringInput = {
  readonly allowReentry?: boolean | null;
  readonly reentry?: Reentry | null;
  /** Null = none. */
  readonly entryKey?: string | null;
};

/** The key is the same for all of a contact's events unless it uses data of the event. */
const OF_EVENT = /\{[{%].*\bevent\b/s;

/** `before` null = the workflow is new. @throws AppError VALIDATION_ERROR */
export function readEntering(input: EnteringInput, before: ReentryRule | null): ReentryRule {
  const reentry = reentryIn(input, before?.reentry ?? "never");
  const given = input.entryKey === undefined ? before?.entryKey : input.entryKey;
  if (reentry !== "always") {
    if (input.entryKey) throw invalidField("entryKey", "An entryKey needs reentry: always.", "conflict");
    return { reentry, entryKey: null };
  }
  const entryKey = withoutEditorMarks(given ?? "", "text").trim() || null;
  if (entryKey !== null && !OF_EVENT.test(entryKey))
    throw invalidField("entryKey", "A key needs a variable of the event, such as {{ event.order }}.", "invalid");
  // A key is rendered as an update is: immediately, while others wait.
  refuse(updateFaults({ entryKey: entryKey ?? "" }).map((fault) => ({ ...fault, field: "entryKey" })));
  return { reentry, entryKey };
}

function reentryIn({ allowReentry, reentry }: EnteringInput, before: Reentry): Reentry {
  if (typeof allowReentry !== "boolean") return reentry ?? before;
  if (reentry && allowsReentry(reentry) !== allowReentry)
    throw invalidField(
      "reentry",
      `allowReentry: ${allowReentry} and reentry: ${reentry} contradict each other: leave one out.`,
      "conflict",
    );
  // A client that knows only allowReentry leaves `always` as it was.
  if (reentry) return reentry;
  return allowsReentry(before) === allowReentry ? before : allowReentry ? "after-end" : "never";
}

export function allowsReentry(reentry: Reentry): boolean {
  return reentry !== "never";
}
