// The free-form data of contacts, and its changes by requests (docs/contacts.md).
import { invalidField } from "../../base/errors.ts";
import { languageAmong, type Language } from "../../base/languages/language.ts";

export type Variables = Readonly<Record<string, unknown>>;

export type DataChanges = {
  /** Merged into the contact at the top level; null deletes a key. */
  readonly stored: Variables;
  /** All data of this one mail or event, including values that are not stored. */
  readonly flat: Variables;
};

/** The variables of each mail, besides its links. */
type MailReader = { readonly email: string; readonly subscribed: boolean };

/**
 * The variables of a mail's texts: data at the top level and under `data`. The request takes precedence over the
 * contact's data and the reader's properties; only the links are always ours.
 */
export function variablesSeen(reader: Partial<MailReader>, contact: Variables, request: Variables | null): Variables {
  const { data: named } = request ?? {};
  const data = { ...contact, ...request };
  return { ...reader, ...data, data: named == null ? data : under(data, named) };
}

/** A request whose data has its own `data`: both its values and all other data are found there. */
function under(data: Variables, named: unknown): unknown {
  return typeof named === "object" && named !== null && !Array.isArray(named) ? { ...data, ...named } : named;
}

/** In each mail, these are links of its recipient; a request cannot set them. */
const LINKS = new Set(["unsubscribeUrl", "subscribeUrl", "manageUrl"]);
/** Keys that a contact's data cannot have. */
const RESERVED = new Set(["id", "email", "subscribed", ...LINKS]);
const NO_KEYS = new Set<string>();
const PROTOTYPE_KEYS = new Set(["__proto__", "constructor", "prototype"]);
const MAX_DATA_BYTES = 64 * 1024;
const MAX_EVENT_BYTES = 256 * 1024;
const MAX_DEPTH = 32;
/** More keys could not be stored, and one request could block the process for seconds. */
const MAX_KEYS = 10_000;

/** The names of our links among the keys of data: a request cannot set their targets. */
export function linksNamedIn(data: Variables): string[] {
  return Object.keys(data).filter((key) => LINKS.has(key));
}

/** True for a variable that every mail has; the data of a contact cannot have this key. */
export function isReserved(key: string): boolean {
  return RESERVED.has(key);
}

/**
 * True for a key that a filter can name: a dot separates keys, and SQLite's paths take no quotation marks or
 * backslashes.
 */
export function isNameable(key: string): boolean {
  return key !== "" && !/[."\\\p{Cc}]/u.test(key);
}

/**
 * Splits the `data` of a request. Reserved keys are not stored, and the names of our links are left out; `{ "value": x,
 * "persistent": … }` overrides whether a value is stored.
 * @throws AppError VALIDATION_ERROR on `field` or a path in it, for data that is too deep or too large
 */
export function readData(data: Variables, { field = "data", isStored = true } = {}): DataChanges {
  return split(cleaned(data, field, 1) as Variables, isStored, LINKS);
}

/**
 * Like `readData`, for an event, which keeps the reserved keys too. Bounded, since each workflow that an event starts
 * has a copy, and many are in memory together.
 * @throws AppError VALIDATION_ERROR as readData, and on `field` for more than 256 KB
 */
export function readEventData(data: Variables, field = "data"): DataChanges {
  const changes = split(cleaned(data, field, 1) as Variables, true, NO_KEYS);
  if (isLarger(JSON.stringify(changes.flat), MAX_EVENT_BYTES))
    throw invalidField(field, "An event may have at most 256 KB of data.", "too_big");
  return changes;
}

/** `otherwise`: the default for values without `persistent`. */
function split(data: Variables, otherwise: boolean, leftOut: ReadonlySet<string>): DataChanges {
  const stored: Record<string, unknown> = {};
  const flat: Record<string, unknown> = {};
  for (const key in data) {
    if (leftOut.has(key)) continue;
    const said = data[key];
    const isItself = saysItself(said);
    flat[key] = isItself ? said.value : said;
    if (!RESERVED.has(key) && (isItself ? said.persistent : otherwise)) stored[key] = flat[key];
  }
  return { stored, flat };
}

/** `bytes` is the limit. A character has at most three bytes. */
function isLarger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

/**
 * `current` with `changes` merged in; the same object if there is no change.
 * @throws AppError VALIDATION_ERROR if the contact would hold more than 64 KB
 */
export function mergeData(current: Variables, changes: Variables): Variables {
  const data: Record<string, unknown> = { ...current };
  for (const key in changes) {
    if (changes[key] === null) delete data[key];
    else data[key] = changes[key];
  }
  const text = JSON.stringify(data);
  if (text === JSON.stringify(current)) return current;
  if (isLarger(text, MAX_DATA_BYTES))
    throw invalidField("data", "A contact may have at most 64 KB of data.", "too_big");
  return data;
}

/** The keys of the top level whose values differ between two states of a contact's data. */
export function changedKeys(before: Variables, after: Variables): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

/** The language that the data names under `language` or `locale`, else `otherwise`. */
export function languageOfContact({ language, locale }: Variables, otherwise: Language): Language {
  return languageAmong(language, locale) ?? otherwise;
}

/** The change after which the data names this language, under the key that already names one. */
export function withLanguage({ language: named, locale }: Variables, language: Language): Variables {
  return languageAmong(named) === null && languageAmong(locale) !== null ? { locale: language } : { language };
}

/** A value with its own `persistent`. */
function saysItself(value: unknown): value is { readonly value: unknown; readonly persistent: boolean } {
  return (
    typeof value === "object" &&
    value !== null &&
    "value" in value &&
    "persistent" in value &&
    typeof value.persistent === "boolean"
  );
}

/** A copy in which no key can reach an object's prototype. */
function cleaned(value: unknown, path: string, depth: number): unknown {
  // 1e999 would be stored as null.
  if (typeof value === "number" && !Number.isFinite(value))
    throw invalidField(path, "The number is too large.", "too_big");
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH)
    throw invalidField(path.replace(/\..*$/s, ""), `Data may be nested ${MAX_DEPTH} levels deep.`, "too_deep");
  if (Array.isArray(value)) return value.map((item, index) => cleaned(item, `${path}.${index}`, depth + 1));
  const keys = Object.keys(value).filter((key) => !PROTOTYPE_KEYS.has(key));
  if (keys.length > MAX_KEYS) throw invalidField(path, `At most ${MAX_KEYS} keys are allowed here.`, "too_big");
  const copy: Record<string, unknown> = {};
  for (const key of keys) {
    const inner = (value as Variables)[key];
    copy[key] = typeof inner === "string" ? inner : cleaned(inner, `${path}.${key}`, depth + 1);
  }
  return copy;
}
