// The shapes of what steps are configured with (interface-gaps.md §6 "Step types and config").
import { t } from "elysia";
import { COMPARISONS } from "../comparisons/comparison.ts";
import { oneOf } from "../http/answer-shapes.ts";
import { addressShape, dataShape, optional, wholeNumber } from "../http/schemas.ts";
import { asBody, type Shape } from "../http/shape.ts";
import { UNITS } from "../segments/filter.ts";
import { METHODS, type StepType } from "./definition.ts";

export const eventNameShape = t.String({ minLength: 1, maxLength: 255 });

const A_YEAR_IN_SECONDS = 365 * 24 * 60 * 60;

const operator = oneOf(...COMPARISONS);
const field = t.String({
  maxLength: 500,
  pattern: "^(data\\..|event\\..|contact\\.data\\..|contact\\.(id|email|subscribed|status|createdAt|updatedAt)$).*",
});
const branchId = t.String({ minLength: 1, maxLength: 100, pattern: "^(?!default$)" });

const SHAPES: Readonly<Record<StepType | "CONDITION multi", Shape<unknown>>> = {
  TRIGGER: asBody(t.Object({})),
  SEND_EMAIL: asBody(t.Object({ templateId: t.String({ minLength: 1, maxLength: 200 }), to: optional(addressShape) })),
  DELAY: asBody(t.Object({ amount: wholeNumber(1, 525_600), unit: oneOf(...UNITS) })),
  WAIT_FOR_EVENT: asBody(t.Object({ eventName: eventNameShape, timeout: optional(wholeNumber(1, A_YEAR_IN_SECONDS)) })),
  CONDITION: asBody(t.Object({ mode: optional(t.Literal("binary")), field, operator, value: t.Optional(t.Unknown()) })),
  "CONDITION multi": asBody(
    t.Object({
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
  ),
  UPDATE_CONTACT: asBody(t.Object({ data: optional(dataShape), subscribed: optional(t.Boolean()) })),
  WEBHOOK: asBody(
    t.Object({
      url: t.String({ minLength: 1, maxLength: 2_000 }),
      method: optional(oneOf(...METHODS)),
      headers: optional(t.Record(t.String(), t.String({ maxLength: 2_000 }))),
      body: t.Optional(t.Unknown()),
      onFailure: optional(oneOf("continue", "stop")),
    }),
  ),
  EXIT: asBody(t.Object({ reason: optional(t.String({ maxLength: 500 })) })),
};

/** What the configuration of a step must look like. */
export function configShapeOf(type: StepType, config: object): Shape<unknown> {
  const isMulti = type === "CONDITION" && "mode" in config && config.mode === "multi";
  return SHAPES[isMulti ? "CONDITION multi" : type];
}
