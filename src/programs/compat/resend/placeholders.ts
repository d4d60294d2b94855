// Resend's placeholders, {{{NAME|fallback}}}, in the language of our templates.
import { invalidField } from "../../../base/errors.ts";
import { listIn, objectIn, textIn } from "../fields.ts";

/** The value that replaces a missing one; null = nothing does. */
type Fallbacks = ReadonlyMap<string, string | number | null>;

const NONE: Fallbacks = new Map();

/** Three braces, as in our language: the value is not escaped. */
const PLACEHOLDER = /\{\{\{\s*([A-Za-z_][\w.]*)\s*(?:\|\s*([^{}]*?)|\?\?\s*("[^"]*"|'[^']*'|-?\d[\d.]*))?\s*\}\}\}/g;

/** Names that Resend has for all emails. */
const OURS: ReadonlyMap<string, string> = new Map([
  ["UNSUBSCRIBE_URL", "unsubscribeUrl"],
  ["RESEND_UNSUBSCRIBE_URL", "unsubscribeUrl"],
  ["EMAIL", "email"],
  ["FIRST_NAME", "first_name"],
  ["LAST_NAME", "last_name"],
]);

/** @throws AppError VALIDATION_ERROR on `field` for a fallback that cannot be written in Liquid */
export function liquidFrom<Source>(field: string, source: Source, fallbacks = NONE): Source | string {
  if (typeof source !== "string") return source;
  return source.replace(PLACEHOLDER, (_, given: string, text?: string, quoted?: string) => {
    const name = OURS.get(given) ?? given.replace(/^contact\./, "");
    const known = fallbacks.get(given) ?? null;
    const fallback = known !== null ? written(field, known) : text ? written(field, text) : (quoted ?? null);
    return fallback === null ? `{{{ ${name} }}}` : `{{{ ${name} ?? ${fallback} }}}`;
  });
}

function written(field: string, fallback: string | number): string {
  if (typeof fallback === "number" && /^-?\d+(\.\d+)?$/.test(String(fallback))) return String(fallback);
  if (typeof fallback === "number")
    throw invalidField(field, `The fallback ${fallback} is too large or too small a number.`, "unsupported");
  const quote = ['"', "'"].find((one) => !fallback.includes(one));
  if (quote !== undefined && !/[{}\n\r]/.test(fallback)) return `${quote}${fallback}${quote}`;
  const message = `The fallback ${fallback.slice(0, 60)} has both kinds of quotation marks, braces or a line break: choose another.`;
  throw invalidField(field, message, "unsupported");
}

/** The `variables` of a template, as Resend's clients send them. @throws AppError VALIDATION_ERROR */
export function fallbacksIn(given: unknown): Fallbacks {
  const variables = listIn("variables", given).map((one, at) => objectIn(`variables.${at}`, one));
  return new Map(
    variables.map(({ key, fallback_value: fallback }, at) => [
      textIn(`variables.${at}.key`, key),
      fallback == null || typeof fallback === "number"
        ? (fallback ?? null)
        : textIn(`variables.${at}.fallback_value`, fallback),
    ]),
  );
}

/** The placeholders of texts in our language, each once. */
export function fallbacksOf(sources: readonly (string | null)[]): Fallbacks {
  const found = sources.flatMap((source) => [...(source ?? "").matchAll(PLACEHOLDER)]);
  return new Map(
    found
      .map(([, name = "", , quoted]) => [name, quoted === undefined ? null : fallbackValue(quoted)] as const)
      .toReversed(),
  );
}

function fallbackValue(quoted: string): string | number {
  return /^["']/.test(quoted) ? quoted.slice(1, -1) : Number(quoted);
}
