// The text of a cell: what it looks like, what it means in a column of a type, and the text that means a value. An
// apostrophe keeps a spreadsheet from running a text as a formula.
import { excessOf, refuseBrokenText } from "../../http/body.ts";
import { wordIn } from "./words.ts";

/** Of a whole column. JSON: objects and lists. */
export type ColumnType = "number" | "boolean" | "json" | "text";

const MAX_DEPTH = 32;
/** Also full-width forms, which spreadsheets read as the plain ones, and line breaks, which they ignore. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** What the cell looks like by itself; it must not be empty, since an empty cell has no value. */
export function typeOfCell(text: string): ColumnType {
  if (isNumber(text)) return "number";
  if (wordIn(text)) return "boolean";
  const json = asJson(text);
  return json === undefined || typeof json === "string" ? "text" : "json";
}

/**
 * What the cell means in a column of this type. In a column of texts, a JSON text in quotes is what is in them, and
 * anything else is itself, without the apostrophe that guards a formula.
 * @throws AppError VALIDATION_ERROR for what no contact can hold
 */
export function valueIn(text: string, type: ColumnType): unknown {
  if (type === "number" && isNumber(text)) return Number(text);
  const word = type === "boolean" ? wordIn(text) : null;
  if (word) return word.means;
  const json = asJson(text);
  if (json !== undefined && (type === "json" || typeof json === "string")) {
    if (HAS_BROKEN_ESCAPE.test(text)) refuseBrokenText(json);
    return json;
  }
  refuseBrokenText(text);
  return unguarded(text);
}

const HAS_BROKEN_ESCAPE = /\\u(0000|[dD][89a-fA-F])/;

/** The type of the column in which `textOf` means this value; null = no cell means it. */
export function typeOfValue(value: unknown): ColumnType | null {
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? "number" : null;
  return typeof value === "object" && value !== null ? "json" : null;
}

/** The text that `valueIn` reads as this value, and that looks like nothing else. */
export function textOf(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  if (startsFormula(value) && !isNumber(value)) return guarded(value);
  return isPlain(value) ? value : JSON.stringify(value);
}

function isPlain(text: string): boolean {
  return text !== "" && !isNumber(text) && wordIn(text) === null && asJson(text) === undefined;
}

/** As JSON writes it: `7`, not `007`, `7.0` or `1e3`. Beyond 2^53 digits would be lost. */
function isNumber(text: string): boolean {
  if (!/^-?\d/.test(text) || text.length > 25) return false;
  const number = Number(text);
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER && String(number) === text;
}

/** Undefined unless it is the JSON of an object, a list or a text. */
export function asJson(text: string): unknown {
  if (!/^[{["]/.test(text)) return undefined;
  if (excessOf(text, { levels: MAX_DEPTH })) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
