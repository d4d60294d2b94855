// The shape of a design: the document of an editor.
import { t } from "elysia";
import { nullable } from "../../../http/answer-shapes.ts";
import { dataShape, optional } from "../../../http/schemas.ts";

/** `kind`: the editor that reads it. */
const shape = t.Object({ kind: t.String({ minLength: 1, maxLength: 40 }), source: t.Union([t.String(), dataShape]) });
export type Design = typeof shape.static;

export const designShape = nullable(t.Object(shape.properties, { title: "Design" }));
export const designInputShape = optional(
  shape,
  "The document that an editor made `body` from: its kind and its source, a text or an object. A `body` that changes without it drops it.",
);
