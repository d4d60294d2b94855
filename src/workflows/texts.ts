// The texts in the configuration of a step, which are templates.
import { checkSyntax, codeCharsIn, TemplateSyntaxError } from "../templates/render.ts";
import { MAX_CODE_CHARS } from "../templates/template-syntax.ts";

/** Every text in a JSON value, with the path to it. */
export function* textsIn(value: unknown, path = ""): Iterable<[path: string, text: string]> {
  if (typeof value === "string") yield [path, value];
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* textsIn(inner, path === "" ? name : `${path}.${name}`);
}

/** A copy of a JSON value with what `fill` makes of each text. */
export function filledIn(value: unknown, fill: (text: string) => unknown): unknown {
  if (typeof value === "string") return fill(value);
  if (Array.isArray(value)) return value.map((item) => filledIn(item, fill));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filledIn(inner, fill)]));
}

/** The characters of code in all texts; if they are more than a template may have, some number beyond that. */
export function codeCharsOf(value: unknown): number {
  let chars = 0;
  for (const [, text] of textsIn(value)) {
    chars += codeCharsIn(text);
    if (chars > MAX_CODE_CHARS) break;
  }
  return chars;
}

/** What is wrong with a text, and where; null = nothing. */
export function syntaxFault(text: string): string | null {
  try {
    checkSyntax(text);
    return null;
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return error.message;
  }
}
