// The shape of a body: what has it goes on as it came, what has not is answered with its faults.
import { getSchemaValidator, type Static, type TSchema } from "elysia";
import { invalidFields } from "../errors.ts";
import { fieldErrors } from "./fields.ts";

/** What a route takes as its `body` (Standard Schema). */
export type BodyShape<Body> = {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "posthorn";
    readonly validate: (value: unknown) => { readonly value: Body };
    readonly types?: { readonly input: Body; readonly output: Body };
  };
};

/**
 * For the `body` of a route. Fields that the shape does not name are let through and ignored. Elysia's own check would
 * write the whole body down for each fault, which a large one can stretch to seconds.
 * The check throws AppError VALIDATION_ERROR with an item for each field (interface-gaps.md §1).
 */
export function asBody<Shape extends TSchema>(shape: Shape): BodyShape<Static<Shape>> {
  const checker = getSchemaValidator(shape, { additionalProperties: true });
  const validate = (value: unknown): { value: Static<Shape> } => {
    if (checker.Check(value)) return { value: value as Static<Shape> };
    throw invalidFields(fieldErrors(checker.Errors(value) as Parameters<typeof fieldErrors>[0]));
  };
  return { "~standard": { version: 1, vendor: "posthorn", validate } };
}
