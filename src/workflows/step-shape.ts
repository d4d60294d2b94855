// The shapes of what steps are configured with (interface-gaps.md §6 "Step types and config").
import { t, type TSchema } from "elysia";
import { addressShape, dataShape, optional, wholeNumber } from "../http/schemas.ts";
import { asBody, type Shape } from "../http/shape.ts";
import type { StepType } from "./definition.ts";

export const eventNameShape = t.String({ minLength: 1, maxLength: 255 });

const A_YEAR_IN_SECONDS = 365 * 24 * 60 * 60;

const choice = <const Value extends string>(...values: readonly Value[]) =>
  t.Union(values.map((value) => t.Literal(value)));

const operator = choice(
  "equals",
  "notEquals",
  "contains",
  "notContains",
  "greaterThan",
  "lessThan",
  "greaterThanOrEqual",
  "lessThanOrEqual",
  "exists",
  "notExists",
);
const field = t.String({
  maxLength: 500,
  pattern: "^(data\\..|event\\..|contact\\.data\\..|contact\\.(id|email|subscribed|status|createdAt|updatedAt)$).*",
});
const branchId = t.String({ minLength: 1, maxLength: 100, pattern: "^(?!default$)" });

const SCHEMAS: Readonly<Record<StepType | "CONDITION multi", TSchema>> = {
  TRIGGER: t.Object({}),
  SEND_EMAIL: t.Object({ templateId: t.String({ minLength: 1, maxLength: 200 }), to: optional(addressShape) }),
  DELAY: t.Object({ amount: wholeNumber(1, 525_600), unit: choice("minutes", "hours", "days") }),
  WAIT_FOR_EVENT: t.Object({ eventName: eventNameShape, timeout: optional(wholeNumber(1, A_YEAR_IN_SECONDS)) }),
  CONDITION: t.Object({ mode: optional(t.Literal("binary")), field, operator, value: t.Optional(t.Unknown()) }),
  "CONDITION multi": t.Object({
    mode: t.Literal("multi"),
    field,
    branches: t.Array(
      t.Object({
        id: branchId,
        name: optional(t.String({ maxLength: 100 })),
        operator,
        value: t.Optional(t.Unknown()),
      }),
      {
        minItems: 1,
        maxItems: 20,
      },
    ),
  }),
  UPDATE_CONTACT: t.Object({ data: optional(dataShape), subscribed: optional(t.Boolean()) }),
  WEBHOOK: t.Object({
    url: t.String({ minLength: 1, maxLength: 2_000 }),
    method: optional(choice("GET", "POST", "PUT", "PATCH", "DELETE")),
    headers: optional(t.Record(t.String(), t.String({ maxLength: 2_000 }))),
    body: t.Optional(t.Unknown()),
    onFailure: optional(choice("continue", "stop")),
  }),
  EXIT: t.Object({ reason: optional(t.String({ maxLength: 500 })) }),
};

const made = new Map<TSchema, Shape<unknown>>();

/** What the configuration of a step must look like; made when first needed. */
export function configShapeOf(type: StepType, config: object): Shape<unknown> {
  const isMulti = type === "CONDITION" && "mode" in config && config.mode === "multi";
  const schema = SCHEMAS[isMulti ? "CONDITION multi" : type];
  const shape = made.get(schema) ?? asBody(schema);
  made.set(schema, shape);
  return shape;
}
