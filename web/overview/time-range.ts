// The parameters of the series for the days shown.
import type { Range } from "./range.ts";

export const DAYS = ["7", "30", "90"] as const;
export type Days = (typeof DAYS)[number];

const DAY_MS = 86_400_000;
/** Ranges of up to this many days are shown in hours. */
const HOURLY_DAYS = 4;

export function daysOf({ days }: Range): Days {
  return DAYS.find((one) => Number(one) === days) ?? "30";
}

export type SeriesQuery = {
  readonly from: string;
  readonly to?: string;
  readonly step: "hour" | "day";
  readonly timeZone: string;
};

/** Days start at local midnight. */
export function rangeOf(range: Range, now: Date): SeriesQuery {
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

/** The end of a point's interval. */
export function endOf(at: string, step: "hour" | "day"): string {
  const end = new Date(at);
  if (step === "hour") end.setTime(end.getTime() + DAY_MS / 24);
  else end.setDate(end.getDate() + 1);
  return end.toISOString();
}
