// Shapes that several slices' requests share.
import { t, type TSchema } from "elysia";
import { FIRST_PAGE } from "../store/page.ts";

/** Null says the same as nothing: many clients write out what they do not set. `description` is for readers of /docs. */
export function optional<Shape extends TSchema>(shape: Shape, description?: string) {
  return t.Optional(t.Union([shape, t.Null()], description === undefined ? {} : { description }));
}

/** Checked for its form by the rules (src/addresses.ts); here only its size. */
export const addressShape = t.String({ minLength: 1, maxLength: 1000 });

const ONE_LINE = "^[^\\r\\n]*$";

/** 1 to 998 characters on one line (interface-gaps.md §2): it becomes a header. */
export const subjectShape = t.String({ minLength: 1, maxLength: 998, pattern: ONE_LINE });

/** A subject where a template may supply it: an empty one is none. */
export const subjectOrNoneShape = t.String({ maxLength: 998, pattern: ONE_LINE });

/** A display name: it becomes part of a header. */
export const nameShape = t.String({ maxLength: 255, pattern: ONE_LINE });

/** Characters. */
export const LONGEST_RECORD_NAME = 100;

/** What a record is called: on one line, and not of blanks alone. */
export const recordNameShape = t.String({
  minLength: 1,
  maxLength: LONGEST_RECORD_NAME,
  pattern: "^[^\\r\\n]*[^\\s][^\\r\\n]*$",
});

export const dataShape = t.Record(t.String(), t.Unknown());

/** Not `t.Integer`: that one takes texts as well. `otherwise`: what absence means, for readers; nothing is filled in. */
export function wholeNumber(minimum: number, maximum: number, otherwise?: number) {
  return t.Number({ minimum, maximum, multipleOf: 1, ...(otherwise === undefined ? {} : { default: otherwise }) });
}

export const pageShape = {
  page: t.Optional(wholeNumber(1, 1_000_000_000, FIRST_PAGE.page)),
  pageSize: t.Optional(wholeNumber(1, 100, FIRST_PAGE.pageSize)),
};

export const idParams = t.Object({ id: t.String() });
