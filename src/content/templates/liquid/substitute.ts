// Substitution without Liquid, for texts that do not parse: fills in `{{ x }}`, `{{ First Name }}`, `{{ x ?? "y" }}`
// and `{{{ x }}}`; all other text stays.
import { OverBudget, type Budget } from "./budget.ts";
import { isMissing, MAX_OUTPUT_CHARS, show, type RenderScope, type TemplateFormat } from "./values.ts";

const NAME = String.raw`[\p{L}\p{N}_][\p{L}\p{N}_\-]{0,200}`;
const FALLBACK = String.raw`\?\?(\s*"[^"]*"\s*|\s*'[^']*'\s*|[^{}|]*)`;
// No two adjacent parts can match the same characters, so that a hostile body takes linear time; and paths are bounded,
// since each character of one without a value costs a microsecond.
const OUTPUT = new RegExp(
  String.raw`\{\{(\{?)\s{0,500}(${NAME}(?:(?:\.| {1,20})${NAME}){0,50})\s{0,500}(?:${FALLBACK})?\}\}(\}?)`,
  "gu",
);

/** True if `source` has no code except the variables that `substitute` fills in. */
export function isPlain(source: string): boolean {
  return !/\{[{%]/.test(source.replace(OUTPUT, ""));
}

/** `source` with its plain variables filled in; a missing one is empty. @throws OverBudget */
export function substitute(source: string, scope: RenderScope, format: TemplateFormat, budget: Budget): string {
  let chars = source.length;
  return source.replace(OUTPUT, (_, open: string, path: string, fallback: string | undefined, close: string) => {
    budget.check();
    const found = lookUp(scope, path);
    const value = isMissing(found) ? literal(fallback ?? "") : found;
    const shown = showOrNothing(value, open && close ? "text" : format);
    chars += shown.length;
    if (chars > MAX_OUTPUT_CHARS) throw new OverBudget(`The result is longer than ${MAX_OUTPUT_CHARS} characters.`);
    return open && close ? shown : open + shown + close;
  });
}

function lookUp(scope: RenderScope, path: string): unknown {
  let value: unknown = scope;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as RenderScope)[key];
  }
  return value;
}

function literal(text: string): string {
  const trimmed = text.trim();
  const quote = trimmed[0];
  const isQuoted = trimmed.length > 1 && (quote === '"' || quote === "'") && trimmed.endsWith(quote);
  return isQuoted ? trimmed.slice(1, -1) : trimmed;
}

function showOrNothing(value: unknown, format: TemplateFormat): string {
  try {
    return show(value, format);
  } catch {
    return ""; // nested too deeply to be printed
  }
}
