// Fields of another service: read as ours; those that change nothing here are named in X-Posthorn-Ignored.
import { invalidField, invalidParameter } from "../../base/errors.ts";

export type JsonFields = Readonly<Record<string, unknown>>;

/** The body for our call, the names of the ignored fields, and warnings for the sender. */
export type CallTranslation = {
  readonly body: JsonFields;
  readonly ignored: readonly string[];
  readonly said?: readonly string[];
};

export type FieldSupport = {
  /** Fields that have a meaning here. */
  readonly taken: readonly string[];
  /** Fields that people would miss, each with the reason for its refusal. */
  readonly refused: Readonly<Record<string, string>>;
};

const MOST_NAMED = 20;
const LONGEST_NAME = 60;
const LONGEST_WARNING = 1_000;

/** The names of the ignored fields. @throws AppError VALIDATION_ERROR for one that must not be ignored */
export function ignoredIn(given: JsonFields, { taken, refused }: FieldSupport): string[] {
  const there = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  for (const [name] of there) {
    if (Object.hasOwn(refused, name)) throw invalidField(name, refused[name] as string, "unsupported");
  }
  return there.map(([name]) => name).filter((name) => !taken.includes(name));
}

/** A list that ignores a requested filter would be another list. @throws AppError INVALID_PARAMETERS */
export function refuseFilters({ url }: Pick<Request, "url">, taken: readonly string[]): void {
  const given = [...new URL(url).searchParams].filter(([, value]) => value !== "");
  const other = given.find(([name]) => !taken.includes(name.toLowerCase()));
  if (other) throw invalidParameter(other[0].slice(0, LONGEST_NAME), "Posthorn does not have this filter.");
}

/** Sets the header of an answer. */
export function nameIgnored(headers: Record<string, string | number>, names: readonly string[]): void {
  const safe = [...new Set(names)].map((name) => name.replace(/[^\w.-]/g, "?").slice(0, LONGEST_NAME));
  if (safe.length > 0) headers["x-posthorn-ignored"] = safe.slice(0, MOST_NAMED).join(", ");
}

/** The answers of other services have no field for them. */
export function nameWarnings(
  headers: Record<string, string | number>,
  warnings: readonly { readonly message: string }[],
): void {
  const said = warnings.map(({ message }) => message.replaceAll("→", ">").replace(/[^ -~]/g, "?")).join(" ");
  // Several parts of a call may warn, and a transaction may be tried again.
  const before = String(headers["x-posthorn-warning"] ?? "");
  if (said !== "" && !before.includes(said))
    headers["x-posthorn-warning"] = `${before} ${said}`.trim().slice(0, LONGEST_WARNING);
}

export function objectIn(field: string, given: unknown): JsonFields {
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return given as JsonFields;
  throw invalidField(field, "This must be an object.", "invalid");
}

/** A missing object is empty, and so is PHP's empty list. */
export function fieldsIn(field: string, given: unknown): JsonFields {
  return given == null || (Array.isArray(given) && given.length === 0) ? {} : objectIn(field, given);
}

export function listIn(field: string, given: unknown): readonly unknown[] {
  if (given == null) return [];
  if (Array.isArray(given)) return given as readonly unknown[];
  throw invalidField(field, "This must be a list.", "invalid");
}

/** Clients send numbers and flags where a text is meant. */
export function textIn(field: string, given: unknown): string {
  if (["string", "number", "boolean"].includes(typeof given)) return String(given);
  throw invalidField(field, "This must be a text.", "invalid");
}

/** A part between commas; a comma in quotes separates nothing. An unclosed quote extends to the end. */
const BETWEEN_COMMAS = /(?:"(?:\\[^]?|[^"\\])*(?:"|$)|[^,"]+)+/g;

/** `Ada <ada@example.com>, "Bob, Jr." <bob@example.com>`. @throws AppError VALIDATION_ERROR */
export function splitAddresses(field: string, given: unknown, longest: number): string[] {
  if (given == null || given === "") return [];
  if (typeof given !== "string")
    throw invalidField(field, "This must be addresses with commas between them.", "invalid");
  if (given.length > longest) throw invalidField(field, `At most ${longest} characters.`, "too_big");
  const found = given.match(BETWEEN_COMMAS) ?? [];
  return found.map((one) => one.trim()).filter((one) => one !== "");
}

/** Clients send empty texts for absent parts of an email. */
export function withoutEmpty(fields: JsonFields): JsonFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}

export function withoutNothing(fields: JsonFields): JsonFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}
