// The text of a cell: each value of a contact's data has one text, and that text means no other value. An apostrophe keeps a
// spreadsheet from running a text as a formula.
import { excessOf, refuseBrokenText } from "../../http/body.ts";

const MAX_DEPTH = 32;
/** Also full-width forms, which spreadsheets read as the plain ones, and line breaks, which they ignore. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;

/**
 * `text` must not be empty: an empty cell has no value. Canonical numbers (`7`, not `007`), true and false, and JSON objects,
 * lists and quoted texts are what they look like; anything else is text, without the apostrophe that guards a formula.
 * @throws AppError VALIDATION_ERROR for what no contact can hold
 */
export function valueOf(text: string): unknown {
  if (text === "true") return true;
  if (text === "false") return false;
  if (isNumber(text)) return Number(text);
  const json = asJson(text);
  if (json !== undefined) return json;
  refuseBrokenText(text);
  return unguarded(text);
}

/** The text that `valueOf` reads as this value. */
export function textOf(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  if (startsFormula(value) && !isNumber(value)) return guarded(value);
  return isPlain(value) ? value : JSON.stringify(value);
}

function isPlain(text: string): boolean {
  return text !== "" && text !== "true" && text !== "false" && !isNumber(text) && asJson(text) === undefined;
}

function isNumber(text: string): boolean {
  if (!/^-?\d/.test(text) || text.length > 25) return false;
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text;
}

/** Undefined unless it is the JSON of an object, a list or a text. */
function asJson(text: string): unknown {
  if (!/^[{["]/.test(text)) return undefined;
  if (excessOf(text, { levels: MAX_DEPTH })) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (/\\u(0000|[dD][89a-fA-F])/.test(text)) refuseBrokenText(value);
  return value;
}

export function startsFormula(text: string): boolean {
  return FORMULA.test(text);
}

/** A text with such an apostrophe of its own gets another one, so that `unguarded` restores it. */
export function guarded(text: string): string {
  return startsFormula(text) ? `'${text}` : text;
}

export function unguarded(text: string): string {
  return GUARDED.test(text) ? text.slice(1) : text;
}
