// The text of a cell: its possible types, its value in a column of a type, and the text of a value. An apostrophe keeps
// a spreadsheet from running a text as a formula, or from reading digits as a number.
import { excessOf, refuseBrokenText } from "../../http/body/body.ts";
import { dateIn, numberIn, readNumber, type DateOrder, type DecimalMark } from "./forms.ts";
import { isTruthful, wordIn } from "./words.ts";

/**
 * `number-comma`: 1.234,5. `date-dmy`: 25.12.2026; `date-mdy`: 12/25/2026. `json`: objects and lists. `list`: vip,
 * "new"; only where it is chosen.
 */
export const COLUMN_TYPES = [
  "text",
  "number",
  "number-comma",
  "boolean",
  "date",
  "date-dmy",
  "date-mdy",
  "json",
  "list",
] as const;
/** The type of a whole column. */
export type CsvColumnType = (typeof COLUMN_TYPES)[number];

const MARKS: Partial<Record<CsvColumnType, DecimalMark>> = { number: ".", "number-comma": "," };
const ORDERS: Partial<Record<CsvColumnType, DateOrder>> = { date: "year", "date-dmy": "day", "date-mdy": "month" };

const MAX_DEPTH = 32;
/** Includes full-width forms, which spreadsheets read as the plain ones, and line breaks, which they ignore. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
/** Digits after an apostrophe are a text that looks like a number. */
const GUARDED = /^'+(?:[=+\-@\t\r\n＝＋－＠]|\d[\d .,:/()-]*$)/;

/**
 * True if the cell is beyond doubt of this type; any cell may be text. The cell must not be empty: an empty cell has no
 * value.
 */
export function fits(text: string, type: CsvColumnType): boolean {
  const [mark, order] = [MARKS[type], ORDERS[type]];
  if (mark) return numberIn(text, mark) !== null;
  if (order) return !(order === "month" && text.includes(".")) && dateIn(text, order) !== null;
  if (type === "boolean") return wordIn(text) !== null;
  if (type === "text" || type === "list") return type === "text";
  const json = asJson(text);
  return json !== undefined && typeof json !== "string";
}

/** The type of a single cell. */
export function typeOfCell(text: string): CsvColumnType {
  return COLUMN_TYPES.find((type) => type !== "text" && fits(text, type)) ?? "text";
}

/**
 * The value of the cell in a column of this type; undefined = no value. In a column of texts, a JSON text in quotes is
 * decoded, and any other text is taken literally, without the apostrophe that guards it.
 * @throws AppError VALIDATION_ERROR for a value that contacts cannot hold
 */
export function valueIn(text: string, type: CsvColumnType): unknown {
  const [mark, order] = [MARKS[type], ORDERS[type]];
  if (mark) return readNumber(unguarded(text), mark) ?? undefined;
  if (order) return dateIn(unguarded(text.trim()), order) ?? dateIn(text.trim(), "year") ?? undefined;
  if (type === "boolean") return isTruthful(unguarded(text)) ?? undefined;
  const json = asJson(text);
  if (type === "list" && !Array.isArray(json)) return listIn(text);
  if (json !== undefined && (type !== "text" || typeof json === "string")) {
    if (HAS_BROKEN_ESCAPE.test(text)) refuseBrokenText(json);
    return type === "json" && typeof json === "string" ? undefined : json;
  }
  refuseBrokenText(text);
  return type === "json" ? undefined : unguarded(text);
}

/** The items between commas or semicolons, perhaps in quotes: `"vip","new, 2026"`. Duplicates are dropped. */
function listIn(text: string): readonly string[] | undefined {
  refuseBrokenText(text);
  const items = [...unguarded(text).matchAll(/\s*"((?:[^"]|"")*)"|[^,;]+/g)];
  const list = items
    .map(([item, quoted]) => (quoted?.replaceAll('""', '"') ?? item).trim())
    .filter((one) => one !== "");
  return list.length > 0 ? [...new Set(list)] : undefined;
}

const HAS_BROKEN_ESCAPE = /\\u(0000|[dD][89a-fA-F])/;

/** The type of the column in which `textOf` means this value; null = no cell can hold it. */
export function typeOfValue(value: unknown): CsvColumnType | null {
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? "number" : null;
  return typeof value === "object" && value !== null ? "json" : null;
}

/** The text that `valueIn` reads as this value and that no other type fits. */
export function cellText(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  if (numberIn(value, ".") !== null) return JSON.stringify(value);
  return isGuarded(value) || startsFormula(value) ? `'${value}` : isPlain(value) ? value : JSON.stringify(value);
}

/** In a column of dates, a date in ISO 8601 is its own text. */
function isPlain(text: string): boolean {
  const isSame = (type: CsvColumnType) => !fits(text, type) || valueIn(text, type) === text;
  return text !== "" && asJson(text) === undefined && COLUMN_TYPES.every(isSame);
}

/** Undefined unless the text is the JSON of an object, a list or a text. */
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

/** A text that already begins with such an apostrophe gets another one, so that `unguarded` restores it. */
export function guarded(text: string): string {
  return startsFormula(text) || isGuarded(text) ? `'${text}` : text;
}

function isGuarded(text: string): boolean {
  return GUARDED.test(text);
}

export function unguarded(text: string): string {
  return isGuarded(text) ? text.slice(1) : text;
}
