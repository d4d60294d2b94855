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
const LARGEST_BYTES = 64 * 1024;
const DEEPEST = 32;

/**
 * Splits the `data` of a request. Reserved keys are ignored; `{ "value": x, "persistent": false }` is used but not stored.
 * @throws AppError VALIDATION_ERROR on field `data` if it is too deep or too large
 */
export function readData(data: Variables): DataChanges {
  const clean = withoutPrototypeKeys(data, 0) as Variables;
  const stored: [string, unknown][] = [];
  const flat: [string, unknown][] = [];
  for (const [key, value] of Object.entries(clean)) {
    if (RESERVED.has(key)) continue;
    const passing = isPassing(value);
    flat.push([key, passing ? value.value : value]);
    if (!passing) stored.push([key, value]);
  }
  return { stored: Object.fromEntries(stored), flat: Object.fromEntries(flat) };
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
  if (Buffer.byteLength(text) > LARGEST_BYTES) throw invalidField("data", "A contact holds at most 64 KB of data.", "too_big");
  return text;
}

function isPassing(value: unknown): value is { value: unknown } {
  return typeof value === "object" && value !== null && "value" in value && "persistent" in value && value.persistent === false;
}

/** A copy in which no key can reach an object's prototype, whatever it is later put into. */
function withoutPrototypeKeys(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) throw invalidField("data", `Data may be nested ${DEEPEST} levels deep.`, "too_deep");
  if (Array.isArray(value)) return value.map((item) => withoutPrototypeKeys(item, depth + 1));
  const entries = Object.entries(value).filter(([key]) => !PROTOTYPE_KEYS.has(key));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutPrototypeKeys(inner, depth + 1)]));
}
