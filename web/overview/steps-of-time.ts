// What the server is asked for the days that are looked at.
import type { Range } from "./range.ts";

export const DAYS = ["7", "30", "90"] as const;
export type Days = (typeof DAYS)[number];

const DAY_MS = 86_400_000;
/** Fewer days are shown by the hour: more bars than that are a fence. */
const HOURLY_DAYS = 4;

export function daysOf({ days }: Range): Days {
  return DAYS.find((one) => Number(one) === days) ?? "30";
}

export type Asked = {
  readonly from: string;
  readonly to?: string;
  readonly step: "hour" | "day";
  readonly timeZone: string;
};

/** Days begin where the reader is. */
export function rangeOf(range: Range, now: Date): Asked {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { from = "", to = "" } = range;
  if (Date.parse(from) < Date.parse(to)) return { from, to, step: stepFor(from, to), timeZone };
  const days = Number(daysOf(range));
  const first = new Date(now);
  first.setHours(0, 0, 0, 0);
  first.setDate(first.getDate() - (days - 1));
  return { from: first.toISOString(), step: days < HOURLY_DAYS ? "hour" : "day", timeZone };
}

function stepFor(from: string, to: string): "hour" | "day" {
  return Date.parse(to) - Date.parse(from) < HOURLY_DAYS * DAY_MS ? "hour" : "day";
}

/** When the step of a point is over. */
export function endOf(at: string, step: "hour" | "day"): string {
  const end = new Date(at);
  if (step === "hour") end.setTime(end.getTime() + DAY_MS / 24);
  else end.setDate(end.getDate() + 1);
  return end.toISOString();
}
