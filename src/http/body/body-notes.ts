// Notes about a body from its checks, for the answer: unknown fields, and fields in another spelling than ours.
import type { TSchema } from "elysia";
import { AppError, invalidFields, type FieldError } from "../../base/errors.ts";
import type { TranslatedBody } from "./spellings.ts";
import { unknownFields, warningOf, type UnknownField, type FieldWarning } from "./unknown-fields.ts";

type Notes = { readonly unknown: readonly UnknownField[]; readonly written: TranslatedBody["written"] };

/** Notes on the few bodies that have any. */
const NOTES = new WeakMap<object, Notes>();

export function noteBody(
  schema: TSchema,
  { given, body, written }: TranslatedBody & { readonly given: unknown },
): void {
  if (typeof body !== "object" || body === null) return;
  const unknown = unknownFields(schema, body);
  if (unknown.length === 0 && written.size === 0) return;
  for (const one of new Set([given as object, body])) NOTES.set(one, { unknown, written });
}

const WARNINGS = new WeakMap<object, FieldWarning[]>();
const NO_WARNINGS: readonly FieldWarning[] = [];

export function noteWarnings(body: object, warnings: readonly FieldWarning[]): void {
  for (const one of warnings) noteWarning(body, one);
}

/** Adds another warning about a body; its field as the caller has written it. */
export function noteWarning(body: object, given: FieldWarning): void {
  const [head = "", ...rest] = given.field.split(".");
  const warning = { ...given, field: [notesOf(body)?.written.get(head) ?? head, ...rest].join(".") };
  const before = WARNINGS.get(body) ?? [];
  // A transaction may be tried again.
  if (!before.some(({ field, message }) => field === warning.field && message === warning.message))
    WARNINGS.set(body, [...before, warning]);
}

/**
 * The `afterHandle` of a route: names the fields of its body that were ignored, or changed, beside the rest of its
 * answer.
 */
export function withWarnings({ body, responseValue }: { readonly body: unknown; readonly responseValue: unknown }) {
  const [notes, noted] = [notesOf(body), notedWarnings(body)];
  if ((!notes && noted.length === 0) || !isRecord(responseValue)) return undefined;
  const warnings = [...(notes?.unknown ?? []).map(warningOf), ...noted];
  return warnings.length === 0 ? undefined : { ...responseValue, warnings };
}

/** The warnings of `noteWarning`. */
export function notedWarnings(body: unknown): readonly FieldWarning[] {
  return (typeof body === "object" && body !== null && WARNINGS.get(body)) || NO_WARNINGS;
}

function isRecord(answer: unknown): answer is object {
  return typeof answer === "object" && answer !== null && Object.getPrototypeOf(answer) === Object.prototype;
}

/**
 * The refusal of a body, with its fields as the caller has written them; a missing field is answered with the unknown
 * field in its place.
 */
export function inCallersWords(error: AppError, body: unknown): AppError {
  const notes = notesOf(body);
  const { errors } = error.details;
  if (error.code !== "VALIDATION_ERROR" || !notes || !errors) return error;
  return invalidFields(errors.map((one) => errorAsSent(one, notes)));
}

function errorAsSent(error: FieldError, { unknown, written }: Notes): FieldError {
  const [head = "", ...rest] = error.field.split(".");
  const field = [written.get(head) ?? head, ...rest].join(".");
  const sent = unknown.find((one) => one.meant !== null && besides(one.field, one.meant) === error.field);
  if (error.code !== "required" || !sent) return { ...error, field };
  return {
    ...error,
    field,
    message: `${error.message} ${sent.field} is unknown: did you mean it to be ${sent.meant}?`,
  };
}

/** The path of `name` in the object that has `field`. */
function besides(field: string, name: string): string {
  return [...field.split(".").slice(0, -1), name].join(".");
}

function notesOf(body: unknown): Notes | undefined {
  return typeof body === "object" && body !== null ? NOTES.get(body) : undefined;
}
