// The fields of contacts: those of the record, and the keys of their data, each with its type and the share of contacts
// that have it.
import { momentOf } from "../../../base/moments.ts";
import { invalidParameter } from "../../../base/errors.ts";
import type { Reader, Store } from "../../../store/store.ts";
import { keptCount } from "../count-queries.ts";
import { isPlainKey, plainKeyFor } from "../plain-keys.ts";
import { isNameable } from "../data.ts";
import { extent, fieldsFrom, frequentTexts, type FieldRow } from "./field-queries.ts";

export type ContactFieldType = "string" | "number" | "boolean" | "date" | "object";
/** The API shows a list as an object; an import extends it. */
export type KeyType = ContactFieldType | "list";

type ContactField = {
  /** `email`, or `data.plan`. */
  readonly field: string;
  /** The type of most values. */
  readonly type: ContactFieldType;
  /** The percentage of contacts that have the field. */
  readonly coverage: number;
};

const STANDARD: readonly ContactField[] = [
  { field: "email", type: "string", coverage: 100 },
  { field: "subscribed", type: "boolean", coverage: 100 },
  { field: "status", type: "string", coverage: 100 },
  { field: "createdAt", type: "date", coverage: 100 },
  { field: "updatedAt", type: "date", coverage: 100 },
];

/** Up to this number, all contacts are read; of more, this many, in pieces from the oldest to the newest. */
const SAMPLED_CONTACTS = 5_000;
const PIECES = 10;
const MAX_FIELDS = 1_000;

/** The standard fields, then those of data, the most frequent first. */
export async function contactFields(store: Store, workspace: number): Promise<readonly ContactField[]> {
  return (await fieldsAndKeys(store, workspace)).fields;
}

/** A key that is not plain, and a plain name for it. */
type AwkwardKey = { readonly key: string; readonly plain: string; readonly coverage: number };

/** Includes the keys that segments, conditions and emails cannot name, or only in quotes. */
export async function fieldsAndKeys(
  store: Store,
  workspace: number,
): Promise<{ readonly fields: readonly ContactField[]; readonly notPlain: readonly AwkwardKey[] }> {
  const all = await dataFields(store, workspace);
  const keys = new Set(all.map(({ key }) => key));
  const awkward = all.filter(({ key }) => key !== "" && !isPlainKey(key));
  const notPlain = awkward.map(({ key, coverage }) => {
    const plain = plainKeyFor(key, [], (other) => keys.has(other));
    keys.add(plain);
    return { key, plain, coverage };
  });
  const ranked = all
    .filter(({ key }) => isNameable(key))
    .map(({ key, type, coverage }): ContactField => ({
      field: `data.${key}`,
      type: type === "list" ? "object" : type,
      coverage,
    }));
  return { fields: [...STANDARD, ...ranked], notPlain };
}

type DataField = { readonly key: string; readonly type: KeyType; readonly coverage: number };

async function dataFields(store: Store, workspace: number): Promise<readonly DataField[]> {
  const total = await store.read((reader) => keptCount(reader, workspace, null));
  const rows = await sampled(store, workspace, total);
  const byKey = Map.groupBy(
    rows.filter(({ type }) => type !== "null"),
    ({ key }) => key,
  );
  const fields = [...byKey].map(([key, found]) => fieldOf(key, found, Math.min(total, SAMPLED_CONTACTS)));
  return fields
    .sort((one, other) => other.coverage - one.coverage || (one.key < other.key ? -1 : 1))
    .slice(0, MAX_FIELDS);
}

/** Keys of data whose values mostly are texts; an import leaves them as text. */
export async function textKeys(store: Store, workspace: number): Promise<ReadonlySet<string>> {
  const types = await keyTypes(store, workspace);
  return new Set([...types].flatMap(([key, type]) => (type === "string" || type === "date" ? [key] : [])));
}

/** The most frequent type of each key of data. */
export async function keyTypes(store: Store, workspace: number): Promise<ReadonlyMap<string, KeyType>> {
  const fields = await dataFields(store, workspace);
  return new Map(fields.map(({ key, type }) => [key, type]));
}

const MAX_VALUES = 20;

/**
 * The most frequent texts of a field of data, among the newest contacts.
 * @throws AppError INVALID_PARAMETERS for anything but a field of data
 */
export function valuesOf(reader: Reader, workspace: number, field: string) {
  const [prefix, ...path] = field.split(".");
  if (prefix !== "data" || path.length === 0 || !path.every(isNameable))
    throw invalidParameter("field", "Expected a field of data, such as data.plan.");
  return frequentTexts(reader, workspace, path, { among: SAMPLED_CONTACTS, most: MAX_VALUES });
}

async function sampled(store: Store, workspace: number, total: number): Promise<FieldRow[]> {
  const places = await store.read((reader) => extent(reader, workspace));
  if (!places) return [];
  const pieces = total <= SAMPLED_CONTACTS ? 1 : PIECES;
  const rows: FieldRow[] = [];
  for (let piece = 0; piece < pieces; piece++) {
    const from = places.first + Math.floor(((places.last - places.first) * piece) / pieces);
    const read = store.read((reader) => fieldsFrom(reader, workspace, from, SAMPLED_CONTACTS / pieces), {
      longFor: workspace,
    });
    rows.push(...(await read));
  }
  return rows;
}

function fieldOf(key: string, rows: readonly FieldRow[], contacts: number): DataField {
  const having = rows.reduce((sum, row) => sum + row.contacts, 0);
  const counts = new Map<KeyType, number>();
  for (const row of rows) counts.set(typeOf(row), (counts.get(typeOf(row)) ?? 0) + row.contacts);
  const [[type] = ["string" as const]] = [...counts].sort(([, one], [, other]) => other - one);
  const percent = Math.min(100, (100 * having) / Math.max(1, contacts));
  return { key, type, coverage: Math.round(percent * 10) / 10 };
}

const TYPES: Readonly<Record<string, KeyType>> = {
  integer: "number",
  real: "number",
  number: "number",
  true: "boolean",
  false: "boolean",
  boolean: "boolean",
  text: "string",
  string: "string",
  array: "list",
};

/** Texts are dates if the smallest and the largest are: the texts between begin like them. */
function typeOf({ type, least, greatest }: FieldRow): KeyType {
  const known = TYPES[type] ?? "object";
  return known === "string" && isDate(least ?? "") && isDate(greatest ?? "") ? "date" : known;
}

function isDate(text: string): boolean {
  return momentOf(text) !== null;
}
