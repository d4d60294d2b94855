// The shapes of what triggers are configured with (interface-gaps.md §6 "triggerType").
import { t } from "elysia";
import { oneOf } from "../http/answer-shapes.ts";
import { optional } from "../http/schemas.ts";
import { asBody, type Shape } from "../http/shape.ts";
import { TRIGGER_TYPES, type TriggerType } from "./definition.ts";
import { eventNameShape } from "./step-shape.ts";

const SHAPES: Readonly<Record<TriggerType, Shape<unknown>>> = {
  EVENT: asBody(t.Object({ eventName: eventNameShape })),
  MANUAL: asBody(t.Object({})),
  SCHEDULE: asBody(
    t.Object({
      cron: t.String({ minLength: 1, maxLength: 100 }),
      timezone: optional(t.String({ minLength: 1, maxLength: 100 })),
      segmentId: t.String({ minLength: 1, maxLength: 100 }),
    }),
  ),
};

export const triggerTypeShape = oneOf(...TRIGGER_TYPES);

export function triggerShapeOf(type: TriggerType): Shape<unknown> {
  return SHAPES[type];
}
