// The shapes of bodies and queries: a value that fits goes on, any other is answered with its faults.
import { getSchemaValidator, t, type Static, type TSchema } from "elysia";
import { invalidFields, invalidParameters, type AppError, type FieldError } from "../../base/errors.ts";
import { fieldErrors, type SchemaFault } from "./fields.ts";
import { likelyName } from "./likely-names.ts";
import { noteBody } from "./body-notes.ts";
import { inOurSpelling, objectsIn, spellingsOf, withObjects } from "./spellings.ts";

/**
 * The check of a route's `body` or `query` (Standard Schema). Elysia's own check would serialize the whole value for
 * each fault, which takes seconds for a large one.
 */
export type Shape<Value> = {
  /** The schema that it checks with, from which http/docs/openapi.ts describes the interface. */
  readonly schema: TSchema;
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "posthorn";
    readonly validate: (value: unknown) => { readonly value: Value };
    readonly types?: { readonly input: Value; readonly output: Value };
  };
};

export type ObjectSchema = TSchema & { readonly properties: Readonly<Record<string, TSchema>> };

const NOTHING = t.Object({});

/**
 * For the `body` of a route. Other spellings of a field become ours; fields that the shape does not name are let
 * through, ignored and noted (http/body/body-notes.ts). The check throws AppError VALIDATION_ERROR with an item for
 * each field.
 */
export function asBody<Schema extends TSchema>(schema: Schema): Shape<Static<Schema>> {
  const faultsOf = checker(schema);
  const spellings = spellingsOf(schema);
  const objects = objectsIn(schema);
  return shape(schema, (given) => {
    const { body, written } = inOurSpelling(spellings, withObjects(objects, given));
    noteBody(schema, { given, body, written });
    const faults = faultsOf(body);
    if (faults) throw invalidFields(fieldErrors(faults));
    return body as Static<Schema>;
  });
}

/** For the `body` of a route that needs none: any body passes, and its fields are noted as unknown. */
export const NO_BODY = shape(NOTHING, (given) => {
  noteBody(NOTHING, { given, body: given, written: new Map() });
  return given;
});

/**
 * For the `query` of a route: its texts become the numbers and flags of the shape; unknown parameters are left out. The
 * check throws AppError INVALID_PARAMETERS with an item for each parameter.
 */
export function asQuery<Schema extends ObjectSchema>(schema: Schema): Shape<Static<Schema>> {
  const faultsOf = checker(schema);
  const known = Object.keys(schema.properties);
  const objects = objectsIn(schema);
  const mayBeEmpty = (schema["required"] ?? []).length === 0;
  return shape(schema, (query) => {
    const given = withKeys(objects, query as Readonly<Record<string, unknown>>);
    if (mayBeEmpty && Object.keys(given).length === 0) return {} as Static<Schema>;
    const value = typed(schema, given);
    const faults = faultsOf(value);
    const errors = [...(faults ? parameterErrors(faults) : []), ...unknownParameters(Object.keys(given), known)];
    if (errors.length > 0) throw refusedQuery(errors, known);
    return value as Static<Schema>;
  });
}

/** `metadata[order]=7` is the key `order` of `metadata`. */
function withKeys(
  names: readonly string[],
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (names.length === 0) return given;
  const valueFromText: Record<string, unknown> = {};
  for (const [text, value] of Object.entries(given)) {
    const [, name = "", key = ""] = /^(\w+)\[(.+)\]$/s.exec(text) ?? [];
    if (names.includes(name)) valueFromText[name] = { ...(valueFromText[name] as object | undefined), [key]: value };
    else valueFromText[text] = value;
  }
  return valueFromText;
}

/** For the `query` of a route that takes no parameters. */
export const NO_QUERY = asQuery(NOTHING as ObjectSchema);

/** Names the workspace that a person's GET is about (team/door.ts). */
const WORKSPACE = "workspace";
const MOST_UNKNOWN = 20;

/** A misspelt filter would answer the whole list. */
function unknownParameters(given: readonly string[], known: readonly string[]): FieldError[] {
  const unknown = given.filter((name) => name !== WORKSPACE && !known.includes(name)).slice(0, MOST_UNKNOWN);
  return unknown.map((name) => {
    const meant = likelyName(name, known);
    const message = meant === null ? "This parameter is unknown." : `This parameter is unknown. Did you mean ${meant}?`;
    return { field: name.slice(0, LONGEST_NAME), message, code: "unknown" };
  });
}

function refusedQuery(errors: readonly FieldError[], known: readonly string[]): AppError {
  const unknown = errors.filter(({ code }) => code === "unknown");
  if (unknown.length === 0) return invalidParameters(errors);
  const meant = unknown.flatMap(({ field }) => likelyName(field, known) ?? []);
  const names = known.length === 0 ? "This call takes no parameters." : `This call takes ${known.join(", ")}.`;
  const suggestion = meant.length === 0 ? names : `Did you mean ${meant.join(", ")}? ${names}`;
  return invalidParameters(errors, suggestion);
}

/** Queries have a few short names. */
const LONGEST_NAME = 100;

function shape<Value>(schema: TSchema, check: (value: unknown) => Value): Shape<Value> {
  return { schema, "~standard": { version: 1, vendor: "posthorn", validate: (value) => ({ value: check(value) }) } };
}

/**
 * Null for a value that fits. Made when first needed, because no module does anything when imported. Made of a copy,
 * because Elysia writes `additionalProperties` into its schema, and the description of the interface is made of the
 * same schema.
 */
function checker(schema: TSchema): (value: unknown) => Iterable<SchemaFault> | null {
  let made: ReturnType<typeof getSchemaValidator> | undefined;
  return (value) => {
    const validator = (made ??= getSchemaValidator({ ...schema }, { additionalProperties: true }));
    return validator.Check(value) ? null : (validator.Errors(value) as Iterable<SchemaFault>);
  };
}

function typed({ properties }: ObjectSchema, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = Object.entries(properties).filter(([name]) => given[name] !== undefined);
  return Object.fromEntries(named.map(([name, { type }]) => [name, read(type, given[name])]));
}

/** An error for each parameter: the items of a list have no names of their own. */
function parameterErrors(faults: Iterable<SchemaFault>): FieldError[] {
  const errors = fieldErrors(faults).map((error) => ({ ...error, field: error.field.replace(/\.\d+$/, "") }));
  return [...new Map(errors.toReversed().map((error) => [error.field, error])).values()].toReversed();
}

/**
 * Lists repeated or with commas, numbers as digits, flags as true or false; any other value stays a text and is refused
 * where a text does not fit.
 */
function read(type: unknown, text: unknown): unknown {
  if (type === "array") return [text].flat().flatMap((one) => String(one).split(","));
  if (type === "number" && typeof text === "string" && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
