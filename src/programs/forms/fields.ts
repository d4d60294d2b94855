// The fields of a form: their rules, and the entries in them.
import { parseAddress } from "../../base/addresses.ts";
import { isDay } from "../../base/clock.ts";
import { isReserved, type Variables } from "../../audience/contacts/data.ts";
import { invalidField, readEach, refuse, type FieldError } from "../../base/errors.ts";
import { MOST_TOPICS } from "../../audience/topics/record.ts";
import { readText, type LocalizedText } from "./text.ts";

export const FIELD_TYPES = ["text", "choice", "checkbox", "date", "number", "hidden"] as const;
export type FormFieldType = (typeof FIELD_TYPES)[number];

export type FormField = {
  /** The key that it has in the contact's data. */
  readonly name: string;
  readonly type: FormFieldType;
  /** Empty: the name. */
  readonly label: LocalizedText;
  readonly required: boolean;
  /** Only of a choice. */
  readonly options: readonly { readonly value: string; readonly label: LocalizedText }[];
  /** Only of a number. */
  readonly min: number | null;
  readonly max: number | null;
  /** Characters of a text. */
  readonly maxLength: number | null;
  /** The value of a hidden field, unless the page sets another. */
  readonly value: string | null;
};

type OptionInput = { readonly value: string; readonly label?: LocalizedText | null };
export type FieldInput = Pick<FormField, "name" | "type"> & {
  readonly [Key in "label" | "required" | "min" | "max" | "maxLength" | "value"]?: FormField[Key] | null;
} & { readonly options?: readonly OptionInput[] | null };

export const MOST_FIELDS = 30;
export const MOST_OPTIONS = 100;
/** The default limit of a text, and the limit of a hidden field, in characters. */
export const LONGEST_VALUE = 500;

/** A letter first: names with a leading underscore are the form's own. */
const NAME = /^\p{L}[\p{L}\p{N}_-]{0,63}$/u;
const TAKEN = new Set(["tags", "constructor", "prototype"]);

/** @throws AppError VALIDATION_ERROR with the faults of all fields */
export function checkedFields(inputs: readonly FieldInput[]): FormField[] {
  const fields = readEach(inputs, checkedField);
  const twice = fields.findIndex(({ name }, index) => fields.findIndex((other) => other.name === name) < index);
  if (twice >= 0) throw invalidField(`fields.${twice}.name`, "Another field has this name.", "taken");
  return fields;
}

function checkedField(input: FieldInput, index: number): FormField {
  const { name, type, min = null, max = null } = input;
  const faults: FieldError[] = [];
  const fault = (key: string, message: string) =>
    faults.push({ field: `fields.${index}.${key}`, message, code: "invalid" });
  if (!NAME.test(name) || isReserved(name) || TAKEN.has(name))
    fault("name", "A name starts with a letter, contains only letters, digits, - and _, and is not reserved.");
  const given = type === "choice" ? (input.options ?? []) : [];
  // Trimmed, as entries are.
  const options = given.map((option) => ({ ...option, value: option.value.trim() }));
  if (type === "choice" && options.length === 0) fault("options", "A choice needs at least one option.");
  if (new Set(options.map(({ value }) => value)).size < options.length)
    fault("options", "Two options have the same value.");
  if (options.some(({ value }) => value === "" || !isPlain(value)))
    fault("options", "An option needs a value of one line.");
  if (min !== null && max !== null && min > max) fault("min", "The smallest value is larger than the largest.");
  refuse(faults);
  return {
    name,
    type,
    label: readText(`fields.${index}.label`, input.label ?? {}),
    required: type !== "hidden" && (input.required ?? false),
    options: options.map(({ value, label }) => ({ value, label: readText(`fields.${index}.options`, label ?? {}) })),
    min: type === "number" ? min : null,
    max: type === "number" ? max : null,
    maxLength: type === "text" ? (input.maxLength ?? null) : null,
    value: type === "hidden" ? (input.value ?? null) : null,
  };
}

/** The fault of an entry. */
export type EntryFault = "empty" | "wrongEmail" | "wrongValue";
/** By the names of fields. */
export type Faults = ReadonlyMap<string, EntryFault>;

/** The entries, by the names of fields: texts of a form, or values of JSON. */
export type Entries = (name: string) => unknown;

/** The offer of topics that a form showed. */
export type TopicOffer = {
  /** Keys of the topics that it showed and that were left unticked. */
  readonly unticked: readonly string[];
  /** It stated what people get besides the topics that they choose. */
  readonly saysBesides: boolean;
};

type FormSubmission = {
  /** In its stored form; empty if it is invalid. */
  readonly email: string;
  readonly values: Variables;
  /** Keys of the topics that were chosen. */
  readonly topics: readonly string[];
  readonly offer: TopicOffer | null;
  readonly faults: Faults;
};

/** The name of the consent checkbox. */
export const CONSENT = "_consent";
/** The name of the topic checkboxes, each with a key as its value. */
export const TOPICS = "_topics";

/** The keys of the topics that a page shows: it may have been copied when the form offered others. */
export const OFFERED = "_offered";
/** The page states what people get besides; nothing = it does not, or not any more. */
export const BESIDES = "_besides";

/** The questions of a form. */
type FormQuestions = {
  readonly fields: readonly FormField[];
  readonly consent: { readonly checkbox: boolean } | null;
  readonly topics: readonly string[];
  readonly besides: LocalizedText;
};

/** Depends on the form and the entries alone. */
export function readEntries(form: FormQuestions, entries: Entries): FormSubmission {
  const { fields, consent, topics } = form;
  const faults = new Map<string, EntryFault>();
  const values: Record<string, unknown> = {};
  const email = emailIn(entries("email"));
  if (email === null) faults.set("email", isEmpty(entries("email")) ? "empty" : "wrongEmail");
  for (const field of fields) {
    const value = entryValue(field, entries(field.name));
    if (value === undefined) faults.set(field.name, "wrongValue");
    else if (value !== null && !(field.required && value === false)) values[field.name] = value;
    else if (field.required) faults.set(field.name, "empty");
  }
  const ticked = keysIn(entries(TOPICS));
  if (ticked === null) faults.set(TOPICS, "wrongValue");
  if (consent?.checkbox && checkboxValue(entries(CONSENT)) !== true) faults.set(CONSENT, "empty");
  // Topics that the form does not offer are ignored: other sites may show the form as it once was.
  const chosen = topics.filter((key) => ticked?.includes(key));
  return { email: email ?? "", values, topics: chosen, offer: offerIn(form, ticked ?? [], entries), faults };
}

/** Null = it lists no topics. */
function offerIn({ topics, besides }: FormQuestions, ticked: readonly string[], entries: Entries): TopicOffer | null {
  const named = keysIn(entries(OFFERED)) ?? [];
  const offered = new Set(named.length > 0 ? named.slice(0, MOST_TOPICS) : topics);
  if (offered.size === 0) return null;
  const saysBesides = Object.keys(besides).length > 0 && checkboxValue(entries(BESIDES)) === true;
  return { unticked: [...offered].filter((key) => !ticked.includes(key)), saysBesides };
}

/** Null = no keys. */
function keysIn(given: unknown): readonly string[] | null {
  const keys: readonly unknown[] = (Array.isArray(given) ? given : [given]).filter((key) => !isEmpty(key));
  return keys.every((key) => typeof key === "string") ? keys : null;
}

/** A hidden field from the query of a page: it is not visible, so a person could not correct it. */
export function fitsHidden(text: string): boolean {
  return [...text.trim()].length <= LONGEST_VALUE && isPlain(text.trim());
}

function emailIn(given: unknown): string | null {
  if (typeof given !== "string" || given.length > 1000 || !isPlain(given.trim())) return null;
  return parseAddress(given);
}

/** Null = empty; undefined = invalid. */
function entryValue(field: FormField, given: unknown): string | number | boolean | null | undefined {
  if (field.type === "checkbox") return checkboxValue(given);
  if (isEmpty(given)) return field.type === "hidden" ? field.value : null;
  const text = typeof given === "number" || typeof given === "boolean" ? String(given) : given;
  if (typeof text !== "string" || text.length > 10_000) return undefined;
  const entered = text.trim();
  if (!isPlain(entered)) return undefined;
  if (field.type === "choice") return field.options.some(({ value }) => value === entered) ? entered : undefined;
  if (field.type === "date") return isDay(entered) ? entered : undefined;
  if (field.type === "number") return numberIn(field, entered);
  return [...entered].length <= (field.maxLength ?? LONGEST_VALUE) ? entered : undefined;
}

function checkboxValue(given: unknown): boolean | undefined {
  if (isEmpty(given) || given === false || given === "false") return false;
  return given === true || (typeof given === "string" && given.length <= 10) ? true : undefined;
}

function numberIn({ min, max }: FormField, text: string): number | undefined {
  const value = /^-?\d{1,15}(?:[.,]\d{1,9})?$/.test(text) ? Number(text.replace(",", ".")) : NaN;
  return value >= (min ?? -Infinity) && value <= (max ?? Infinity) ? value : undefined;
}

/** No line breaks or other characters that fields of a page do not take. */
function isPlain(text: string): boolean {
  return !/\p{Cc}/u.test(text) && text.isWellFormed();
}

function isEmpty(given: unknown): boolean {
  return given === undefined || given === null || (typeof given === "string" && given.trim() === "");
}
