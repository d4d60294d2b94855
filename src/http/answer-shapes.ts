// Shapes that the answers of several rooms share. A shape with a `title` has that name in /openapi.json.
import { t, type TSchema } from "elysia";
import { STATUS_OF, type ErrorCode } from "../base/errors.ts";

export const idShape = t.String({ format: "uuid" });
/** An address in its stored form: before the @ there may be letters beyond ASCII (RFC 6531). */
export const emailAddressShape = t.String({ format: "idn-email" });
export const timeShape = t.String({ format: "date-time" });
export const countShape = t.Number({ minimum: 0, multipleOf: 1 });

/** A field that is always present, but may be null. */
export function nullable<Shape extends TSchema>(shape: Shape) {
  return t.Union([shape, t.Null()]);
}

/** One of these words. */
export function oneOf<const Word extends string>(...words: readonly Word[]) {
  return t.Union(words.map((word) => t.Literal(word)));
}

/** The envelope of /v1 and of campaigns. */
export function wrapped<Shape extends TSchema>(data: Shape) {
  return t.Object({ success: t.Literal(true), data });
}

export const pageFields = { total: countShape, page: countShape, pageSize: countShape, totalPages: countShape };

/** A list by pages. */
export function pageShapeOf<Shape extends TSchema>(item: Shape) {
  return t.Object({ data: t.Array(item), ...pageFields }, { title: `${item.title}Page` });
}

const fieldErrorShape = t.Object({
  field: t.String(),
  message: t.String(),
  code: t.String(),
  line: t.Optional(t.Number({ multipleOf: 1, description: "Of what does not parse, from 1." })),
  column: t.Optional(t.Number({ multipleOf: 1 })),
});
/** A list by cursor, under its name in /openapi.json. */
export function cursorShapeOf<Shape extends TSchema>(item: Shape, title: string) {
  const cursor = nullable(t.String({ description: "Of the next page; null on the last." }));
  return t.Object({ data: t.Array(item), cursor, hasMore: t.Boolean() }, { title });
}

export const errorShape = t.Object(
  {
    success: t.Literal(false),
    error: t.Object({
      code: oneOf(...(Object.keys(STATUS_OF) as ErrorCode[])),
      message: t.String(),
      statusCode: t.Number({ multipleOf: 1 }),
      requestId: t.String(),
      reason: t.Optional(t.String({ description: "Which refusal of this code it is, such as `name_taken`." })),
      values: t.Optional(t.Record(t.String(), t.String(), { description: "What the message names, with `reason`." })),
      errors: t.Optional(t.Array(fieldErrorShape)),
      suggestion: t.String(),
    }),
    timestamp: timeShape,
  },
  { title: "ApiError" },
);
