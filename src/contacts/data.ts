// Free-form contact data and the variables of a request (interface-gaps.md §2 "data").
import { invalidField } from "../errors.ts";

export type Variables = Readonly<Record<string, unknown>>;

export type DataChanges = {
  /** Merged into the contact at the top level; null deletes a key. */
  readonly stored: Variables;
  /** What this one mail or event uses: everything, the values that are not to be stored included. */
  readonly flat: Variables;
};

const RESERVED = new Set(["id", "email", "subscribed", "unsubscribeUrl", "subscribeUrl", "manageUrl"]);
const PROTOTYPE_KEYS = new Set(["__proto__", "constructor", "prototype"]);
const MAX_DATA_BYTES = 64 * 1024;
const MAX_EVENT_BYTES = 256 * 1024;
const MAX_DEPTH = 32;
/** More could not be stored; without a bound, one request could keep everybody waiting for seconds. */
const MAX_KEYS = 10_000;

/** True for a key that a filter can name: a dot parts keys, and a path of SQLite has no quotation marks and backslashes. */
export function isNameable(key: string): boolean {
  return key !== "" && !/[."\\\p{Cc}]/u.test(key);
}

/**
 * Splits the `data` of a request. Reserved keys are ignored; `{ "value": x, "persistent": false }` is used but not stored.
 * @throws AppError VALIDATION_ERROR on `field` or a path in it, for what is too deep, too large or no number
 */
export function readData(data: Variables, field = "data"): DataChanges {
  const entries = entriesOf(data, field).filter(([key]) => !RESERVED.has(key));
  return { stored: storedOf(entries), flat: flatOf(entries) };
}

/**
 * As `readData`, for what is kept with an event: that has the reserved keys too (interface.md "Internal events": the `data` object
 * that was passed). Bounded, since each workflow that an event starts has a copy, and many are in memory together.
 * @throws AppError VALIDATION_ERROR as readData, and on `field` for more than 256 KB
 */
export function readEventData(data: Variables, field = "data"): DataChanges {
  const entries = entriesOf(data, field);
  const flat = flatOf(entries);
  if (Buffer.byteLength(JSON.stringify(flat)) > MAX_EVENT_BYTES)
    throw invalidField(field, "An event holds at most 256 KB of data.", "too_big");
  return { stored: storedOf(entries.filter(([key]) => !RESERVED.has(key))), flat };
}

function entriesOf(data: Variables, field: string): [string, unknown][] {
  return Object.entries(cleaned(data, field, 1) as Variables);
}

function storedOf(entries: readonly [string, unknown][]): Variables {
  return Object.fromEntries(entries.filter(([, value]) => !isPassing(value)));
}

function flatOf(entries: readonly [string, unknown][]): Variables {
  return Object.fromEntries(entries.map(([key, value]) => [key, isPassing(value) ? value.value : value]));
}

/**
 * `current` (JSON text) with `changes` merged in, as JSON text; the very same text if nothing changes.
 * @throws AppError VALIDATION_ERROR if the contact would hold more than 64 KB
 */
export function mergeData(current: string, changes: Variables): string {
  const merged = new Map(Object.entries(JSON.parse(current) as Variables));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  const text = JSON.stringify(Object.fromEntries(merged));
  if (text === JSON.stringify(JSON.parse(current))) return current;
  if (Buffer.byteLength(text) > MAX_DATA_BYTES)
    throw invalidField("data", "A contact holds at most 64 KB of data.", "too_big");
  return text;
}

/** The keys of the top level whose values differ between two states of a contact's data (JSON texts). */
export function changedKeys(before: string, after: string): string[] {
  const [old, now] = [JSON.parse(before) as Variables, JSON.parse(after) as Variables];
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...keys].filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]));
}

function isPassing(value: unknown): value is { value: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    "value" in value &&
    "persistent" in value &&
    value.persistent === false
  );
}

/** A copy in which no key can reach an object's prototype, whatever it is later put into. */
function cleaned(value: unknown, path: string, depth: number): unknown {
  // What JSON writes as 1e999 would be stored as null.
  if (typeof value === "number" && !Number.isFinite(value))
    throw invalidField(path, "The number is too large.", "too_big");
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH)
    throw invalidField(path.replace(/\..*$/s, ""), `Data may be nested ${MAX_DEPTH} levels deep.`, "too_deep");
  if (Array.isArray(value)) return value.map((item, index) => cleaned(item, `${path}.${index}`, depth + 1));
  const entries = Object.entries(value).filter(([key]) => !PROTOTYPE_KEYS.has(key));
  if (entries.length > MAX_KEYS) throw invalidField(path, `At most ${MAX_KEYS} keys can stand here.`, "too_big");
  return Object.fromEntries(entries.map(([key, inner]) => [key, cleaned(inner, `${path}.${key}`, depth + 1)]));
}
