// The shape of a query: its texts become what the shape names, what does not fit is answered with its faults.
import { getSchemaValidator, type Static, type TSchema } from "elysia";
import { invalidParameters } from "../errors.ts";
import { fieldErrors } from "./fields.ts";

type TObjectOf = TSchema & { readonly properties: Readonly<Record<string, TSchema>> };

/** What a route takes as its `query` (Standard Schema). */
export type QueryShape<Query> = {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "posthorn";
    readonly validate: (value: unknown) => { readonly value: Query };
    readonly types?: { readonly input: Query; readonly output: Query };
  };
};

/**
 * For the `query` of a route; parameters that the shape does not name are ignored.
 * The check throws AppError INVALID_PARAMETERS with an item for each parameter (interface-gaps.md §1).
 */
export function asQuery<Shape extends TObjectOf>(shape: Shape): QueryShape<Static<Shape>> {
  const checker = getSchemaValidator(shape, {});
  const validate = (given: unknown): { value: Static<Shape> } => {
    const value = typed(shape, given as Readonly<Record<string, unknown>>);
    if (checker.Check(value)) return { value: value as Static<Shape> };
    throw invalidParameters(fieldErrors(checker.Errors(value) as Parameters<typeof fieldErrors>[0]));
  };
  return { "~standard": { version: 1, vendor: "posthorn", validate } };
}

function typed({ properties }: TObjectOf, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = Object.entries(properties).filter(([name]) => given[name] !== undefined);
  return Object.fromEntries(named.map(([name, { type }]) => [name, read(type, given[name])]));
}

/** Numbers as digits, flags as true or false; everything else stays a text and is refused where a text is not wanted. */
function read(type: unknown, text: unknown): unknown {
  if (type === "number" && typeof text === "string" && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
