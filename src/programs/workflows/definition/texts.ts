// The texts in the configuration of a step. They are templates, checked when the step is saved.
import { readData, type Variables } from "../../../audience/contacts/data.ts";
import { invalidField, type FieldError } from "../../../base/errors.ts";
import { Budget, isOverBudget } from "../../../content/templates/liquid/budget.ts";
import {
  TemplateSyntaxError,
  checkSyntax,
  codeCharsIn,
  evaluate,
  hasVariables,
  prepare,
  type RenderScope,
} from "../../../content/templates/liquid/render.ts";
import { MAX_CODE_CHARS } from "../../../content/templates/liquid/template-syntax.ts";
import type { StepType } from "./definition.ts";

const MAX_FAULTS = 100;

/** Every text in a JSON value, with the path to it. */
export function* textsIn(value: unknown, path = ""): Iterable<[path: string, text: string]> {
  if (typeof value === "string") yield [path, value];
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* textsIn(inner, path === "" ? name : `${path}.${name}`);
}

/** A copy of a JSON value with each text replaced by the result of `fill`. */
export function filledIn(value: unknown, fill: (text: string) => unknown): unknown {
  if (typeof value === "string") return fill(value);
  if (Array.isArray(value)) return value.map((item) => filledIn(item, fill));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filledIn(inner, fill)]));
}

/** The characters of code in all texts; beyond the limit of a template it stops counting. */
export function codeCharsOf(value: unknown): number {
  let chars = 0;
  for (const [, text] of textsIn(value)) {
    chars += codeCharsIn(text);
    if (chars > MAX_CODE_CHARS) break;
  }
  return chars;
}

/** Characters. */
const MAX_REQUEST_CHARS = 50_000;
const TOO_MUCH_CODE = `The webhooks and updates of one request hold at most ${MAX_REQUEST_CHARS} characters in {{ }} and {% %} together.`;

type ConfiguredStep = { readonly type: StepType; readonly config?: Variables | null };

/** Steps whose configurations have texts that are templates. */
export const HAS_TEXTS: ReadonlySet<StepType> = new Set(["WEBHOOK", "UPDATE_CONTACT"]);

/** All of it is parsed in one transaction, while other requests wait. */
export function refuseTooMuchCode(steps: readonly ConfiguredStep[]): void {
  let chars = 0;
  for (const { type, config } of steps) {
    if (HAS_TEXTS.has(type)) chars += codeCharsOf(config ?? {});
    if (chars > MAX_REQUEST_CHARS) throw invalidField("steps", TOO_MUCH_CODE, "too_big");
  }
}

/** The first hundred texts that `faultOf` finds a fault in. */
export function faultsIn(value: unknown, faultOf: (text: string) => string | null): FieldError[] {
  const faults: FieldError[] = [];
  for (const [field, text] of textsIn(value)) {
    const message = faults.length < MAX_FAULTS ? faultOf(text) : null;
    if (message !== null) faults.push({ field, message, code: "template_syntax" });
  }
  return faults;
}

/** The fault of a text, and its place; null = none. */
export function syntaxFault(text: string): string | null {
  try {
    checkSyntax(text);
    return null;
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return error.message;
  }
}

/** For all texts of an update: every other request waits for them. */
const RENDERING_MS = 10;
const LOOP = /\{%-?\s*(for|tablerow)\b/;
/** Each line in it is a tag. */
const LIQUID = /\{%-?\s*liquid\b/;
const LOOP_IN_LIQUID = /(\bliquid|\n)[^\S\n]*(for|tablerow)\b/;

/** `field` is a path within the configuration. */
export function updateFaults(data: Variables): FieldError[] {
  const tooMuch = `The texts of a step hold at most ${MAX_CODE_CHARS} characters in {{ }} and {% %} together.`;
  if (codeCharsOf(data) > MAX_CODE_CHARS) return [{ field: "data", message: tooMuch, code: "too_big" }];
  return faultsIn({ data }, (text) =>
    hasLoop(text) ? "Loops cannot be used here; filters and conditions can." : syntaxFault(text),
  );
}

/**
 * The data with its texts rendered. A text that is a single `{{ … }}` becomes the value itself, or null where there is
 * none.
 * @throws AppError VALIDATION_ERROR for data that a contact cannot hold, OverBudget
 */
export function renderedData(data: Variables, scope: RenderScope): Variables {
  const templates = [...textsIn(data)].map(([, text]) => text).filter(hasVariables);
  if (templates.length === 0) return data;
  // The time to parse them is bounded by their length; the budget is for rendering.
  templates.forEach(prepare);
  return readData(renderedTwice(data, scope)).stored;
}

/** A process that has just started is slow: only texts that are over budget a second time are given up. */
function renderedTwice(data: Variables, scope: RenderScope): Variables {
  try {
    return rendered(data, scope);
  } catch (error) {
    if (!isOverBudget(error)) throw error;
    return rendered(data, scope);
  }
}

function rendered(data: Variables, scope: RenderScope): Variables {
  const budget = new Budget(RENDERING_MS);
  const fill = (text: string) => (hasVariables(text) ? evaluate(text, scope, { budget }) : text);
  return filledIn(data, fill) as Variables;
}

function hasLoop(text: string): boolean {
  return LOOP.test(text) || (LIQUID.test(text) && LOOP_IN_LIQUID.test(text));
}
