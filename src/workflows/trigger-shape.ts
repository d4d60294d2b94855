// The shapes of what triggers are configured with (interface-gaps.md §6 "triggerType").
import { t, type TSchema } from "elysia";
import { optional } from "../http/schemas.ts";
import { asBody, type Shape } from "../http/shape.ts";
import type { TriggerType } from "./definition.ts";
import { eventNameShape } from "./step-shape.ts";

const SCHEMAS: Readonly<Record<TriggerType, TSchema>> = {
  EVENT: t.Object({ eventName: eventNameShape }),
  MANUAL: t.Object({}),
  SCHEDULE: t.Object({
    cron: t.String({ minLength: 1, maxLength: 100 }),
    timezone: optional(t.String({ minLength: 1, maxLength: 100 })),
    segmentId: t.String({ minLength: 1, maxLength: 100 }),
  }),
};

export const triggerTypeShape = t.Union([t.Literal("EVENT"), t.Literal("MANUAL"), t.Literal("SCHEDULE")]);

export function triggerShapeOf(type: TriggerType): Shape<unknown> {
  return asBody(SCHEMAS[type]);
}
