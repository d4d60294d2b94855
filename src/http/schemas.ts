// Shapes that the requests of several rooms share.
import { t, type TSchema } from "elysia";
import { FIRST_PAGE } from "../store/page.ts";

/** Checked as `shape`, and described as `shown`: for values that rules check more closely than a shape can. */
export function shownAs<Shape extends TSchema>(shape: Shape, shown: TSchema): Shape {
  return { ...shape, shown };
}

/** The shape that readers see. */
export function described(shape: TSchema): TSchema {
  const { shown, description } = shape as TSchema & { readonly shown?: TSchema };
  if (!shown) return shape;
  return description === undefined ? shown : { ...shown, description };
}

/** Described with a format that a rule checks. */
function formatted<Shape extends TSchema>(format: string, shape: Shape): Shape {
  return shownAs(shape, { ...shape, format });
}

/**
 * A field that may be missing or null: many clients write out fields that they do not set. `description` is for readers
 * of /docs.
 */
export function optional<Shape extends TSchema>(shape: Shape, description?: string) {
  return t.Optional(t.Union([shape, t.Null()], description === undefined ? {} : { description }));
}

/** Checked for its form by the rules (src/base/addresses.ts); here only its size. */
export const mailboxShape = t.String({ minLength: 1, maxLength: 1000 });
export const addressShape = formatted("email", mailboxShape);

/** The id of a record, to be looked up. */
export const idInputShape = formatted("uuid", t.String({ maxLength: 100 }));

/** A date-time with its zone (src/base/moments.ts). */
export const timeInputShape = formatted("date-time", t.String({ maxLength: 40 }));

const ONE_LINE = "^[^\\r\\n]*$";

/** 1 to 998 characters on one line: it becomes a header. */
export const subjectShape = t.String({ minLength: 1, maxLength: 998, pattern: ONE_LINE });

/** A subject that a template may supply: an empty one counts as absent. */
export const subjectOrNoneShape = t.String({ maxLength: 998, pattern: ONE_LINE });

/** The text that lists of emails show beside the subject. */
export const preheaderShape = t.String({ maxLength: 500 });

/** A display name: it becomes part of a header. */
export const nameShape = t.String({ maxLength: 255, pattern: ONE_LINE });

/** In characters. */
export const LONGEST_RECORD_NAME = 100;

/** The name of a record: on one line, and not of blanks alone. */
export const recordNameShape = t.String({
  minLength: 1,
  maxLength: LONGEST_RECORD_NAME,
  pattern: "^[^\\r\\n]*[^\\s][^\\r\\n]*$",
});

export const dataShape = t.Record(t.String(), t.Unknown());

/**
 * Not `t.Integer`, which takes texts as well. `otherwise`: the meaning of absence, for readers; no default is filled
 * in.
 */
export function wholeNumber(minimum: number, maximum: number, otherwise?: number) {
  return t.Number({ minimum, maximum, multipleOf: 1, ...(otherwise === undefined ? {} : { default: otherwise }) });
}

export const pageShape = {
  page: parameter(wholeNumber(1, 1_000_000_000, FIRST_PAGE.page), "The number of the page, from 1."),
  pageSize: parameter(wholeNumber(1, 100, FIRST_PAGE.pageSize), "How many records a page has."),
};

/** An optional parameter of a query. */
export function parameter<Shape extends TSchema>(shape: Shape, description: string) {
  return t.Optional({ ...shape, description });
}
