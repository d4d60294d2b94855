// The trigger of a workflow, as a request has it, and the times of a schedule.
import { Cron } from "croner";
import { invalidField } from "../../../base/errors.ts";
import { isTimeZone } from "../../../base/moments.ts";
import type { CronTimes, Trigger, TriggerType } from "./definition.ts";
import { under } from "./steps/step-config.ts";
import { triggerShapeOf } from "./steps/step-shape.ts";

/** `eventName` is short for an EVENT trigger. */
export type TriggerInput = {
  readonly eventName?: string | null;
  readonly triggerType?: TriggerType | null;
  readonly triggerConfig?: Readonly<Record<string, unknown>> | null;
};

/**
 * The trigger after the input; `before` null = the workflow is new.
 * @throws AppError VALIDATION_ERROR on `eventName` or on a path in `triggerConfig`
 */
export function readTrigger(input: TriggerInput, before: Trigger | null, nowMs: number): Trigger {
  const type = input.triggerType ?? (input.eventName ? "EVENT" : (before?.type ?? "EVENT"));
  const kept = before?.type === type ? before.config : {};
  const config = { ...kept, ...input.triggerConfig, ...(input.eventName ? { eventName: input.eventName } : {}) };
  if (type === "EVENT" && !("eventName" in config) && !input.triggerConfig)
    throw invalidField("eventName", "This is required unless triggerType and triggerConfig are given.", "required");
  const checked = under("triggerConfig", () => triggerShapeOf(type)["~standard"].validate(config).value);
  return tidied({ type, config: checked } as Trigger, nowMs);
}

/** For people, by field. */
export const CRON_FAULTS = {
  cron: "Not a cron expression of five parts that ever fires.",
  timezone: "Not the name of a time zone.",
} as const;

/** Without fields that its type does not have. */
function tidied(trigger: Trigger, nowMs: number): Trigger {
  if (trigger.type === "MANUAL") return { type: "MANUAL", config: {} };
  if (trigger.type === "EVENT") return { type: "EVENT", config: { eventName: trigger.config.eventName } };
  const { cron, timezone, segmentId } = trigger.config;
  const times = { cron, ...(timezone ? { timezone } : {}) };
  const fault = cronFault(times, nowMs);
  if (fault === null) return { type: "SCHEDULE", config: { ...times, segmentId } };
  throw invalidField(`triggerConfig.${fault}`, CRON_FAULTS[fault], `invalid_${fault}`);
}

/**
 * The first time after `afterMs`; null if none. A time skipped when clocks go forward counts as the next one.
 * @throws for an invalid expression or zone
 */
export function nextTime({ cron, timezone = "UTC" }: CronTimes, afterMs: number): string | null {
  // Paused, it starts no timer.
  const times = new Cron(cron, { paused: true, mode: "5-part", timezone });
  return times.nextRun(new Date(afterMs))?.toISOString() ?? null;
}

/** The first `most` times after `afterMs`. @throws as nextTime */
export function nextTimes(times: CronTimes, afterMs: number, most: number): string[] {
  const next: string[] = [];
  for (let at = afterMs; next.length < most;) {
    const time = nextTime(times, at);
    if (time === null) break;
    next.push(time);
    at = Date.parse(time);
  }
  return next;
}

/** The field at fault; null = none. */
export function cronFault({ cron, timezone }: CronTimes, nowMs: number): keyof typeof CRON_FAULTS | null {
  if (timezone !== undefined && !isTimeZone(timezone)) return "timezone";
  try {
    return nextTime({ cron, timezone: "UTC" }, nowMs) === null ? "cron" : null;
  } catch {
    return "cron";
  }
}
