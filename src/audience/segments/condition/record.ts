// A condition in the API, complete in answers, and as callers write it.
import { t } from "elysia";
import { oneOf } from "../../../http/answer-shapes.ts";
import { tagShape } from "../../../http/label-shapes.ts";
import { optional } from "../../../http/schemas.ts";
import type { Condition } from "./check.ts";
import { OPERATORS, UNITS } from "./filter.ts";

const field = t.String({
  description:
    "`email`, `subscribed`, `status`, `paused`, `createdAt`, `updatedAt`, `data.<key>`, `event.<name>`, `email.<activity>`, `segment.<id>` or `topic.<key>` (`in`, `out` or `unsaid`).",
});
const operator = oneOf(...OPERATORS);
const value = t.Optional(t.Union([t.String(), t.Number(), t.Boolean()]));
const unit = t.Optional(oneOf(...UNITS));
const tag = "Of events of emails: only of emails with this tag.";
const logic = oneOf("AND", "OR");
const example = { field: "data.plan", operator: "equals", value: "pro" } as const;
export const filterShape = t.Object(
  { field, operator, value, unit, tag: t.Optional(t.String({ description: tag })) },
  { title: "Filter" },
);

export const conditionShape = t.Recursive(
  (This) =>
    t.Object({ logic, groups: t.Array(t.Object({ filters: t.Array(filterShape), conditions: t.Optional(This) })) }),
  { $id: "Condition", examples: [{ logic: "AND", groups: [{ filters: [example] }] }] },
);

const filterInputShape = t.Object(
  {
    field,
    operator: optional(operator, "`equals` unless given."),
    value,
    unit: optional(oneOf(...UNITS), "Of `value`, for operators that measure time."),
    tag: optional(tagShape, tag),
  },
  { title: "FilterInput" },
);

/** The shape that callers write, for readers of /docs; check.ts validates it. */
export const conditionInputShape = t.Recursive(
  (This) =>
    t.Object({
      logic: optional(logic, "`AND` unless given."),
      groups: t.Array(t.Object({ filters: optional(t.Array(filterInputShape)), conditions: optional(This) })),
    }),
  { $id: "ConditionInput" },
);

/** A checked condition has this shape, except that its lists are readonly. */
export function conditionRecord(condition: Condition | null): typeof conditionShape.static | null {
  return condition as typeof conditionShape.static | null;
}
