// The shapes of the last editor of a record, and of the terms of a change.
import { t } from "elysia";
import { idShape, nullable, oneOf } from "../../http/answer-shapes.ts";
import { optional, timeInputShape } from "../../http/schemas.ts";

export const ifUpdatedAtShape = optional(
  timeInputShape,
  "The `updatedAt` that you have seen. If it was saved since, nothing changes: 409 with the `reason` `saved_since`.",
);

export const updatedByShape = nullable(
  t.Object(
    { kind: oneOf("PERSON", "KEY", "COMMAND_LINE"), id: nullable(idShape), name: nullable(t.String()) },
    { title: "SavedBy" },
  ),
);
