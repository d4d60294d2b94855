// Shapes that several slices' requests share.
import { t } from "elysia";

/** Checked for its form by the rules (src/addresses.ts); here only its size. */
export const addressShape = t.String({ minLength: 1, maxLength: 1000 });

/** 1 to 998 characters on one line (interface-gaps.md §2): it becomes a header. */
export const subjectShape = t.String({ minLength: 1, maxLength: 998, pattern: "^[^\\r\\n]*$" });

/** A display name: it becomes part of a header. */
export const nameShape = t.String({ maxLength: 255, pattern: "^[^\\r\\n]*$" });

export const dataShape = t.Record(t.String(), t.Unknown());

export const pageShape = {
  page: t.Optional(t.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  pageSize: t.Optional(t.Integer({ minimum: 1, maximum: 100 })),
};

export const idParams = t.Object({ id: t.String({ maxLength: 200 }) });
