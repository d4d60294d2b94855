// Turns the faults of a shape's check into field errors for the caller.
import { nearest } from "../../base/edit-distance.ts";
import type { FieldError } from "../../base/errors.ts";
import { NO_TAG, TAG_PATTERN } from "../../base/labels.ts";

type FieldShape = {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
  readonly shown?: { readonly format?: unknown };
};

/**
 * One fault as TypeBox reports it; a union's fault carries those of its branches. They are found while they are read.
 */
export type SchemaFault = {
  readonly path: string;
  readonly message: string;
  readonly value: unknown;
  readonly schema?: FieldShape & { readonly pattern?: string; readonly anyOf?: readonly FieldShape[] };
  readonly errors?: readonly Iterable<SchemaFault>[];
};

/** The fault of a shape that takes no other fields than its own. */
const UNKNOWN = "Unexpected property";
/** The limit of listed errors: a list of a million wrong items is one mistake. */
const MAX_FIELD_ERRORS = 100;
/** The items of a list longer than this are not checked once it is known to be too long. */
const LONG_LIST_ITEMS = 1_000;

/** One error a field, in the order of the body; `field` is a dot path such as `to.0.email`. */
export function fieldErrors(faults: Iterable<SchemaFault>): FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const fault of first(faults)) {
    for (const leaf of meant(fault)) {
      const field = fieldOf(leaf);
      if (!byField.has(field)) byField.set(field, { field, message: message(leaf), code: code(leaf) });
    }
  }
  return [...byField.values()].slice(0, MAX_FIELD_ERRORS);
}

/**
 * The faults of the most likely branch of a union: one that takes a value of this type, whose faults lie deepest, and
 * that knows most of its fields.
 */
function meant(fault: SchemaFault): SchemaFault[] {
  const branches = (fault.errors ?? []).map((branch) => first(branch).flatMap(meant));
  const fitting = branches
    .map((leaves, at) => ({ leaves, depth: depth(leaves), known: knownBy(fault, at) }))
    .filter(({ leaves }) => leaves.some((leaf) => leaf.path !== fault.path || !isOfOtherType(leaf)))
    .toSorted((one, other) => other.depth - one.depth || other.known - one.known);
  if (fitting[0]) return fitting[0].leaves;
  const types = branches.flat().map((leaf) => leaf.message.replace(/^Expected /, ""));
  return [types.length === 0 ? fault : { ...fault, message: `Expected ${[...new Set(types)].join(" or ")}` }];
}

/** How many fields of the value the branch of the union has. */
function knownBy({ schema, value }: SchemaFault, at: number): number {
  const { properties = {} } = schema?.anyOf?.[at] ?? {};
  return typeof value === "object" && value !== null
    ? Object.keys(properties).filter((name) => name in value).length
    : 0;
}

function isOfOtherType({ message }: SchemaFault): boolean {
  return /^Expected (\w+|'.*')( or (\w+|'.*'))*$/.test(message);
}

function first(faults: Iterable<SchemaFault>): SchemaFault[] {
  const found: SchemaFault[] = [];
  for (const fault of faults) {
    found.push(fault);
    if (found.length === MAX_FIELD_ERRORS || isTooLong(fault)) break;
  }
  return found;
}

function isTooLong({ value, message }: SchemaFault): boolean {
  return Array.isArray(value) && value.length > LONG_LIST_ITEMS && message.includes("less or equal");
}

function depth(faults: readonly SchemaFault[]): number {
  return Math.max(...faults.map(({ path }) => path.split("/").length), 0);
}

/** A path is a JSON pointer (RFC 6901). */
function fieldOf({ path }: SchemaFault): string {
  const names = path.split("/").slice(1);
  return names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~")).join(".") || "body";
}

function code(fault: SchemaFault): string {
  if (fault.value === undefined) return "required";
  if (fault.message === UNKNOWN) return "unknown";
  if (fault.message.includes("less or equal")) return "too_big";
  if (fault.message.includes("greater or equal")) return "too_small";
  if (fault.message.endsWith("multiple of 1")) return "invalid_type";
  return isOfOtherType(fault) && !fault.message.includes("'") ? "invalid_type" : "invalid";
}

function message({ message, value, schema }: SchemaFault): string {
  if (value === undefined) return "This field is required.";
  if (message === UNKNOWN)
    return `Unknown field; the known ones are ${Object.keys(schema?.properties ?? {}).join(", ")}.`;
  if (message.endsWith("multiple of 1")) return "Expected a whole number.";
  if (message.endsWith("length greater or equal to 1")) return "This field cannot be empty.";
  if (message.includes(" to match ") && String(value).trim() === "") return "This field cannot be blank.";
  if (message.includes(" to match ") && schema?.pattern === TAG_PATTERN) return NO_TAG;
  if (message.includes(" to match ")) return wrongCharacters(String(value), schema?.pattern);
  if (Array.isArray(value) && message === "Expected object") return listInstead(schema);
  return bound(message) ?? `${message}.${didYouMean(message, value)}${isTime(schema) ? TIME_EXAMPLE : ""}`;
}

/** For a wrong time, such as a number. */
const TIME_EXAMPLE = " Write a time with its zone, such as 2026-12-24T09:30:00Z.";

function isTime(schema: SchemaFault["schema"]): boolean {
  return [schema, ...(schema?.anyOf ?? [])].some((one) => one?.shown?.format === "date-time");
}

/** The hint for a list in place of one object; the object may have a field for the list. */
function listInstead(schema: SchemaFault["schema"]): string {
  const lists = Object.entries(schema?.properties ?? {}).filter(([, { type }]) => type === "array");
  const [name] = lists.length === 1 ? (lists[0] as [string, unknown]) : [];
  return name === undefined ? "Expected an object, not a list." : `Expected an object: { "${name}": [ … ] }.`;
}

/** The most likely of the allowed words. */
function didYouMean(message: string, value: unknown): string {
  if (typeof value !== "string" || value.length > LONGEST_WORD) return "";
  const words = [...message.matchAll(/'([^']+)'/g)].map(([, word = ""]) => word);
  const meant = words.find((word) => word.toLowerCase() === value.toLowerCase()) ?? nearest(value, words);
  return meant === null || meant === undefined ? "" : ` Did you mean ${meant}?`;
}

const LONGEST_WORD = 64;

/** "Expected array length to be less or equal to 50" */
const BOUND =
  /^Expected (string length|array length to be|number to be|integer to be) (greater|less) or equal to (-?\d+)$/;

function bound(message: string): string | null {
  const [, what = "", side, number = ""] = BOUND.exec(message) ?? [];
  if (side === undefined) return null;
  const noun = what.startsWith("string") ? "character" : what.startsWith("array") ? "item" : null;
  const shown = noun ? `${number} ${noun}${number === "1" ? "" : "s"}` : number;
  return `At ${side === "greater" ? "least" : "most"} ${shown}.`;
}

/** How many characters of a text are checked, and how many are named. */
const LOOKED_AT = 10_000;
const NAMED = 5;

/** Names the characters that cannot stand between two letters in a text of this pattern. */
function wrongCharacters(text: string, pattern: string | undefined): string {
  const takes = new RegExp(pattern ?? "");
  const characters = takes.test("xx") ? [...new Set(text.slice(0, LOOKED_AT))] : [];
  const wrong = characters.filter((character) => !takes.test(`x${character}x`));
  const named = [...new Set(wrong.map(nameOfCharacter))].slice(0, NAMED);
  const which = named.length === 0 ? "" : `: ${named.join(", ")}`;
  return `The text contains characters that are not allowed here${which}.`;
}

function nameOfCharacter(character: string): string {
  if (character === "\r" || character === "\n") return "a line break";
  return character === '"' ? 'a quotation mark (")' : JSON.stringify(character);
}
