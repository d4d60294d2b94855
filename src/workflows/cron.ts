// When a schedule fires: cron expressions of five parts, in a time zone (interface-gaps.md §6 "SCHEDULE").
import { Cron } from "croner";

export type CronTimes = { readonly cron: string; readonly timezone?: string };

/** The first moment after `afterMs`; null if there is none. A time that a day does not have, for clocks are set forward, is the next that it has. @throws if it is no expression, or no zone */
export function nextTime({ cron, timezone = "UTC" }: CronTimes, afterMs: number): string | null {
  // Paused, it starts no timer: it is asked and forgotten.
  const times = new Cron(cron, { paused: true, mode: "5-part", timezone });
  return times.nextRun(new Date(afterMs))?.toISOString() ?? null;
}

/** What is wrong with it, by field; null = nothing. */
export function cronFault({ cron, timezone }: CronTimes, nowMs: number): "cron" | "timezone" | null {
  if (timezone !== undefined && !isTimeZone(timezone)) return "timezone";
  try {
    return nextTime({ cron, timezone: "UTC" }, nowMs) === null ? "cron" : null;
  } catch {
    return "cron";
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
