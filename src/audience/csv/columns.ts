// The columns of a file of contacts: their names and targets.
import { invalidField } from "../../base/errors.ts";
import { isNameable, isReserved } from "../contacts/data.ts";
import { startsFormula, type CsvColumnType } from "./cell.ts";
import { consentColumnsOf, type ConsentColumn, type ConsentStatus } from "./consent.ts";
import { fileStanding } from "./file-standing.ts";
import { addressIn } from "./names.ts";
import { presetsOf, productOf } from "./products.ts";
import { proofColumnsOf, withDates, type ProofColumn } from "./proof.ts";
import { isPlainKey, plainKeyFor } from "../contacts/plain-keys.ts";

/** The index of each column, from 0. */
export type CsvColumns = {
  readonly count: number;
  readonly email: number;
  /** -1 = none. */
  readonly subscribed: number;
  /** A column of JSON objects with further data, for files with too many keys for columns; -1 = none. */
  readonly more: number;
  readonly keys: readonly (readonly [index: number, key: string])[];
  /** The columns of topics. */
  readonly topics: readonly (readonly [index: number, key: string])[];
  /** Topic keys in column names that the workspace does not have: these columns become data. */
  readonly unknownTopics: readonly string[];
  /** Columns that say who may be mailed, in the terms of the product that made the file. They also become data. */
  readonly consent: readonly ConsentColumn[];
  /** Columns that say when and where a person agreed. They also become data. */
  readonly proof: readonly ProofColumn[];
  /** The state that the file gives all its people; null = none. */
  readonly standing: ConsentStatus | null;
  /** The product that made the file; null = unknown. */
  readonly product: string | null;
  /** The people in the export are customers. It does not say whether they agreed. */
  readonly isOfCustomers: boolean;
  /** The chosen types, by key of data. */
  readonly chosen: Readonly<Record<string, CsvColumnType>>;
  /** The keys of data whose lists are replaced by the file's, rather than extended. */
  readonly replaced: readonly string[];
  /** Columns without a plain name: the name and the resulting key. */
  readonly renamed: readonly (readonly [name: string, key: string])[];
  /** Keys that filters cannot name; and keys with blanks or signs, unless the file states the key explicitly. */
  readonly awkward: readonly string[];
};

/**
 * The target chosen for a column, as `fieldsOf` names it; "" = none, null = the target that the column's name implies.
 * `type`: of its values; null = the type that fits them all. `replace`: the file's list replaces the contact's.
 */
export type ColumnChoice = {
  readonly field: string | null;
  readonly type: CsvColumnType | null;
  readonly replace?: boolean;
};

/** The column of JSON objects with further data. */
export const JSON_COLUMN = "data";
/** Marks a key that would otherwise be mistaken for another target. */
const KEY_PREFIX = "data.";
/** Prefix of the name of a column of choices about a topic. */
export const TOPIC_PREFIX = "topic:";
const MAX_COLUMNS = 2_000;

type CsvHeaderOptions = {
  readonly choices?: readonly ColumnChoice[];
  /** The keys of the workspace's topics. */
  readonly topics?: readonly string[];
  /** The keys of existing contacts' data. */
  readonly known?: ReadonlySet<string>;
  /** The cells of the first row. */
  readonly first?: readonly string[];
  /** Null = unknown. */
  readonly fileName?: string | null;
  /** The header is that of several files, whose records say what each file says. */
  readonly isJoint?: boolean;
};
const NO_KEYS: ReadonlySet<string> = new Set();

/**
 * Reads the header.
 * @throws AppError VALIDATION_ERROR on `file` without a column of addresses, or if two columns have the same name
 */
export function columnsOf(
  header: readonly string[],
  {
    choices: chosen = [],
    topics = [],
    known = NO_KEYS,
    first = [],
    fileName = null,
    isJoint = false,
  }: CsvHeaderOptions = {},
): CsvColumns {
  if (header.length > MAX_COLUMNS) throw invalidField("file", `A file has at most ${MAX_COLUMNS} columns.`, "too_big");
  const dated = withDates(header, first);
  const choices = choicesFor(header, first, chosen);
  const product = productOf(header);
  const asNamed = withAddress(header.map((cell, index) => choices[index]?.field ?? columnName(cell, dated[index])));
  const names = withPlainKeys(asNamed, { known, isChosen: (index) => (choices[index]?.field ?? null) !== null });
  const twice = names.find((name, index) => name !== "" && names.indexOf(name) !== index);
  if (twice !== undefined)
    throw invalidField("file", `There are two columns ${twice.slice(0, 100)}.`, "duplicate_column");
  const email = names.indexOf("email");
  if (email === -1) throw invalidField("file", "The header has no column email.", "missing_column");
  const isTopic = (name: string) => topics.includes(topicIn(name) ?? "");
  const wrong = chosen.find(({ field }) => field !== null && topicIn(field) !== null && !isTopic(field))?.field;
  if (wrong) throw invalidField("columns", `There is no topic ${topicIn(wrong)}.`, "unknown_topic");
  const isData = (name: string) => !["", "email", "subscribed", JSON_COLUMN].includes(name) && !isTopic(name);
  const keys = names.flatMap((name, index) => (isData(name) ? [[index, keyOf(name)] as const] : []));
  return {
    count: names.length,
    email,
    subscribed: names.indexOf("subscribed"),
    more: names.indexOf(JSON_COLUMN),
    keys,
    topics: names.flatMap((name, index) => (isTopic(name) ? [[index, topicIn(name) ?? ""] as const] : [])),
    unknownTopics: names.flatMap((name) => (isTopic(name) ? [] : (topicIn(name) ?? []))),
    consent: consentColumnsOf(dated).filter(({ index }) => topicIn(names[index] ?? "") === null),
    proof: proofColumnsOf(dated),
    standing: isJoint ? null : fileStanding(fileName, dated),
    product: product?.name ?? null,
    isOfCustomers: product?.lists === "customers",
    chosen: Object.fromEntries(
      keys.flatMap(([index, key]) => {
        const type = choices[index]?.type;
        return type ? [[key, type]] : [];
      }),
    ),
    awkward: keys.flatMap(([index, key]) => (isAwkward(names[index] as string, key) ? key : [])),
    renamed: names.flatMap((name, index) =>
      name === asNamed[index] ? [] : [[asNamed[index] as string, name] as const],
    ),
    replaced: keys.flatMap(([index, key]) => (replacesLists(choices[index]) ? key : [])),
  };
}

/** The choice for each column, else the preset of the product that made the file. */
function choicesFor(
  header: readonly string[],
  first: readonly string[],
  chosen: readonly ColumnChoice[],
): readonly (ColumnChoice | undefined)[] {
  return presetsOf(header, first).map((preset, index) => {
    const choice = chosen[index];
    const isFree = !choice || (choice.field === null && choice.type === null);
    return preset && isFree && !chosen.some(({ field }) => field === preset.field) ? { ...choice, ...preset } : choice;
  });
}

/** A column read as a text has no lists to extend. */
function replacesLists({ type = null, replace }: Partial<ColumnChoice> = {}): boolean {
  return replace === true || (type !== null && type !== "list" && type !== "json");
}

function withAddress(names: readonly string[]): readonly string[] {
  const address = addressIn(names);
  return names.map((name, index) => (index === address ? "email" : name));
}

function isAwkward(name: string, key: string): boolean {
  if (isPlainKey(key) || isReserved(key) || topicIn(key) !== null) return false;
  return !name.startsWith(KEY_PREFIX) || !isNameable(key);
}

type ColumnNames = Required<Pick<CsvHeaderOptions, "known">> & { readonly isChosen: (index: number) => boolean };

/** A name without a choice becomes a plain key, unless contacts have the original key and no plain one. */
function withPlainKeys(names: readonly string[], { known, isChosen }: ColumnNames): readonly string[] {
  const taken = new Set(names);
  return names.map((name, index) => {
    if (isChosen(index) || name === "" || name.startsWith(KEY_PREFIX) || topicIn(name) !== null || isPlainKey(name))
      return name;
    const key = plainKeyFor(name, known, (one) => taken.has(one) || taken.has(KEY_PREFIX + one) || one === JSON_COLUMN);
    if (known.has(name) && !known.has(key)) return name;
    taken.add(key);
    return key;
  });
}

/** The target of each column; null = none. */
export function fieldsOf({ count, email, subscribed, more, keys, topics }: CsvColumns): (string | null)[] {
  const fields = Array.from({ length: count }, (): string | null => null);
  for (const [index, key] of keys) if (!isReserved(key)) fields[index] = KEY_PREFIX + key;
  for (const [index, key] of topics) fields[index] = TOPIC_PREFIX + key;
  fields[email] = "email";
  if (subscribed >= 0) fields[subscribed] = "subscribed";
  if (more >= 0) fields[more] = JSON_COLUMN;
  return fields;
}

/** The name of the column that holds the data under `key`. */
export function columnNamed(key: string): string {
  const isPlain =
    columnName(key) === key &&
    keyOf(key) === key &&
    topicIn(key) === null &&
    isPlainKey(key) &&
    !["", "email", "subscribed", JSON_COLUMN].includes(key);
  return isPlain && !startsFormula(key) ? key : KEY_PREFIX + key;
}

/** The topic key in the name of a column. */
function topicIn(name: string): string | null {
  return name.startsWith(TOPIC_PREFIX) ? name.slice(TOPIC_PREFIX.length) : null;
}

/** `dated`: the column's name if its cells are dates; a column of dates does not say yes or no. */
function columnName(cell: string, dated = cell): string {
  if (cell.startsWith(KEY_PREFIX)) return cell;
  const name = cell.trim();
  const small = name.toLowerCase();
  if (small === "subscribed" && dated !== cell) return dated;
  return ["email", "subscribed", JSON_COLUMN].includes(small) || small.startsWith(TOPIC_PREFIX) ? small : name;
}

function keyOf(name: string): string {
  return name.startsWith(KEY_PREFIX) ? name.slice(KEY_PREFIX.length) : name;
}
