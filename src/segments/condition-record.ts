// A condition as the interface shows it: whole, whatever its caller left to its defaults (interface-gaps.md §4 "Condition").
import { t } from "elysia";
import { oneOf } from "../http/answer-shapes.ts";
import { storedCondition } from "./condition-check.ts";
import { OPERATORS, UNITS } from "./filter.ts";

const filterShape = t.Object(
  {
    field: t.String(),
    operator: oneOf(...OPERATORS),
    value: t.Optional(t.Union([t.String(), t.Number(), t.Boolean()])),
    unit: t.Optional(oneOf(...UNITS)),
  },
  { title: "Filter" },
);

export const conditionShape = t.Recursive(
  (This) =>
    t.Object({
      logic: oneOf("AND", "OR"),
      groups: t.Array(t.Object({ filters: t.Array(filterShape), conditions: t.Optional(This) })),
    }),
  { $id: "Condition" },
);

/** `stored`: as JSON text; null = there is none. */
export function conditionRecord(stored: string | null): typeof conditionShape.static | null {
  return stored === null ? null : (storedCondition(stored) as typeof conditionShape.static);
}
