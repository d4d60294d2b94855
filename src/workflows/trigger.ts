// What starts a workflow (interface-gaps.md §6 "triggerType").
import { invalidField } from "../errors.ts";
import { cronFault } from "./cron.ts";
import type { Trigger, TriggerType } from "./definition.ts";
import { under } from "./step-config.ts";
import { triggerShapeOf } from "./trigger-shape.ts";

/** As callers send it: `eventName` is short for an EVENT trigger. */
export type TriggerWish = {
  readonly eventName?: string | null;
  readonly triggerType?: TriggerType | null;
  readonly triggerConfig?: Readonly<Record<string, unknown>> | null;
};

/**
 * The trigger that the wish makes of the one before; null = there was none.
 * @throws AppError VALIDATION_ERROR if it is none, on `eventName` or on a path in `triggerConfig`
 */
export function readTrigger(wish: TriggerWish, before: Trigger | null, nowMs: number): Trigger {
  const type = wish.triggerType ?? (wish.eventName ? "EVENT" : (before?.type ?? "EVENT"));
  const kept = before?.type === type ? before.config : {};
  const config = { ...kept, ...wish.triggerConfig, ...(wish.eventName ? { eventName: wish.eventName } : {}) };
  if (type === "EVENT" && config["eventName"] === undefined && !wish.triggerConfig)
    throw invalidField("eventName", "This is required unless triggerType and triggerConfig are given.", "required");
  under("triggerConfig", () => triggerShapeOf(type)["~standard"].validate(config));
  if (type === "MANUAL") return { type, config: {} };
  return { type, config: type === "EVENT" ? { eventName: config["eventName"] } : readSchedule(config, nowMs) };
}

function readSchedule(config: Trigger["config"], nowMs: number): Trigger["config"] {
  const { cron, timezone, segmentId } = config as { cron: string; timezone?: string | null; segmentId: string };
  const times = { cron, ...(timezone ? { timezone } : {}) };
  const fault = cronFault(times, nowMs);
  if (fault === null) return { ...times, segmentId };
  const message =
    fault === "cron" ? "This is no cron expression of five parts that ever fires." : "This is no time zone.";
  throw invalidField(`triggerConfig.${fault}`, message, `invalid_${fault}`);
}
