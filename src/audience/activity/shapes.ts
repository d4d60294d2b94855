// The shape of the data of events with one name: its keys, their types and sample values.
import { isNameable } from "../contacts/data.ts";

type Data = Readonly<Record<string, unknown>>;

export const TYPES = ["text", "number", "boolean", "date", "list", "object", "null"] as const;
type Type = (typeof TYPES)[number];

export type EventDataField = {
  /** Keys of nested objects are joined by dots. */
  readonly path: string;
  readonly types: readonly Type[];
  /** The number of events that have the field. */
  readonly seen: number;
  readonly samples: readonly string[];
};

const MAX_DEPTH = 3;
const MAX_FIELDS = 100;
const MAX_SAMPLES = 3;
const MAX_SAMPLE_CHARS = 80;

type EventDataTally = { readonly types: Set<Type>; readonly samples: Set<string>; seen: number };

/** Takes the events' data, newest first; answers the most frequent fields first. */
export function shapeOf(datas: readonly Data[]): EventDataField[] {
  const noted = new Map<string, EventDataTally>();
  for (const data of datas) noteObject(noted, data, "", 1);
  return [...noted]
    .map(([path, { types, seen, samples }]) => ({ path, types: [...types], seen, samples: [...samples] }))
    .sort((one, other) => other.seen - one.seen);
}

function noteObject(noted: Map<string, EventDataTally>, data: Data, before: string, depth: number): void {
  for (const [key, value] of Object.entries(data)) {
    if (!isNameable(key)) continue;
    note(noted, `${before}${key}`, value);
    if (typeOf(value) === "object" && depth < MAX_DEPTH)
      noteObject(noted, value as Data, `${before}${key}.`, depth + 1);
  }
}

function note(noted: Map<string, EventDataTally>, path: string, value: unknown): void {
  const known = noted.get(path);
  if (!known && noted.size === MAX_FIELDS) return;
  const field = known ?? { types: new Set<Type>(), samples: new Set<string>(), seen: 0 };
  noted.set(path, field);
  const type = typeOf(value);
  field.types.add(type);
  field.seen++;
  if (type === "object" || type === "list" || type === "null" || value === "" || field.samples.size === MAX_SAMPLES)
    return;
  field.samples.add(String(value).slice(0, MAX_SAMPLE_CHARS));
}

function typeOf(value: unknown): Type {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d))?$/.test(value) ? "date" : "text";
  return typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "object";
}
