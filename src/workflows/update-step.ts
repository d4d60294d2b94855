// UPDATE_CONTACT: what its data says of one contact (interface-gaps.md §6 "UPDATE_CONTACT").
import { readData, type Variables } from "../contacts/data.ts";
import type { FieldError } from "../errors.ts";
import { Budget } from "../templates/budget.ts";
import { evaluate, hasVariables } from "../templates/render.ts";
import { MAX_CODE_CHARS } from "../templates/template-syntax.ts";
import type { Subject } from "./subject.ts";
import { codeCharsOf, filledIn, syntaxFault, textsIn } from "./texts.ts";

/** For all texts of a step: nobody else's request is answered meanwhile. */
const RENDERING_MS = 10;
const LOOP = /\{%-?\s*(for|tablerow)\b/;
const MAX_FAULTS = 100;

/** `field` is a path within the configuration. */
export function updateFaults(data: Variables): FieldError[] {
  const tooMuch = `The texts of a step hold at most ${MAX_CODE_CHARS} characters in {{ }} and {% %} together.`;
  if (codeCharsOf(data) > MAX_CODE_CHARS) return [{ field: "data", message: tooMuch, code: "too_big" }];
  const faults: FieldError[] = [];
  for (const [field, text] of textsIn(data, "data")) {
    const message = LOOP.test(text) ? "Loops cannot be used here; filters and conditions can." : syntaxFault(text);
    if (message !== null && faults.length < MAX_FAULTS) faults.push({ field, message, code: "template_syntax" });
  }
  return faults;
}

/**
 * The changes for this contact, its texts rendered; one that is a single `{{ … }}` becomes the value itself, and null where there is
 * none.
 * @throws AppError VALIDATION_ERROR for what a contact cannot hold, OverBudget
 */
export function changesFor(data: Variables, { contact, event }: Subject): Variables {
  if (![...textsIn(data)].some(([, text]) => hasVariables(text))) return data;
  const { email, subscribed } = contact;
  const scope = { ...contact.data, data: contact.data, email, subscribed, contact, event };
  const budget = new Budget(RENDERING_MS);
  const fill = (text: string) => (LOOP.test(text) ? text : evaluate(text, scope, { budget }));
  return readData(filledIn(data, fill) as Variables).stored;
}
