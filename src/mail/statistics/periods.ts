// Hours, days and weeks of a time zone as moments. Zones differ from UTC by whole quarters of an hour.
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from "../../base/clock.ts";
import { invalidParameter } from "../../base/errors.ts";
import { isTimeZone } from "../../base/moments.ts";

export type SeriesStep = "hour" | "day" | "week";

export const QUARTER_MS = 15 * MINUTE_MS;

/** `2026-03-01` of a moment in a zone. */
type DayOf = (ms: number) => string;

/** @throws AppError INVALID_PARAMETERS */
export function refuseUnknownZone(timeZone: string): void {
  if (!isTimeZone(timeZone))
    throw invalidParameter(
      "timeZone",
      `There is no time zone "${timeZone}": write a name such as Europe/Berlin.`,
      "invalid_time_zone",
    );
}

/** @throws RangeError if there is no such zone */
export function dayIn(timeZone: string): DayOf {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return (ms) => format.format(ms);
}

/**
 * The starts of the periods from the one of `fromMs`, and the end of the last, which contains `toMs` or ends there.
 * Null = more than `most`.
 * @throws RangeError if there is no such zone
 */
export function periods(
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  step: SeriesStep,
  timeZone: string,
  most: number,
): readonly number[] | null {
  const dayOf = dayIn(timeZone);
  const starts = [startOf(fromMs, step, dayOf)];
  while ((starts.at(-1) as number) < toMs) {
    if (starts.length > most) return null;
    starts.push(nextAfter(starts.at(-1) as number, step, dayOf));
  }
  return starts.length > 1 ? starts : [...starts, nextAfter(starts[0] as number, step, dayOf)];
}

/** Hours are those of UTC. */
function startOf(ms: number, step: SeriesStep, dayOf: DayOf): number {
  if (step === "hour") return Math.floor(ms / HOUR_MS) * HOUR_MS;
  const day = dayOf(ms);
  return startOfDay(step === "day" ? day : plusDays(day, -daysSinceMonday(day)), ms, dayOf);
}

function nextAfter(ms: number, step: SeriesStep, dayOf: DayOf): number {
  if (step === "hour") return ms + HOUR_MS;
  const days = step === "day" ? 1 : 7;
  return startOfDay(plusDays(dayOf(ms), days), ms + days * DAY_MS, dayOf);
}

/** The first moment of a day, searched from a moment nearby: midnight, or the next moment where clocks skip it. */
function startOfDay(day: string, nearMs: number, dayOf: DayOf): number {
  let ms = Math.floor(nearMs / QUARTER_MS) * QUARTER_MS;
  while (dayOf(ms) >= day) ms -= HOUR_MS;
  while (dayOf(ms) < day) ms += QUARTER_MS;
  return ms;
}

function plusDays(day: string, days: number): string {
  return iso(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).slice(0, 10);
}

function daysSinceMonday(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** `2026-03-01T09:15`: the quarter that begins then. */
export function quarterAt(ms: number): string {
  return iso(ms).slice(0, 16);
}

/** The length of a quarter's prefix that distinguishes these periods. */
export function charactersFor(starts: readonly number[]): 10 | 13 | 16 {
  if (starts.every((ms) => ms % DAY_MS === 0)) return 10;
  return starts.every((ms) => ms % HOUR_MS === 0) ? 13 : 16;
}

/** With more parts a day, hours are no worse. */
const MOST_CUTS = 4;

/** The times of day (of UTC) at which periods begin, midnight aside; null = too many. */
export function cutsFor(starts: readonly number[]): readonly string[] | null {
  const cuts = new Set(starts.filter((ms) => ms % DAY_MS !== 0).map((ms) => quarterAt(ms).slice(11)));
  return cuts.size > MOST_CUTS ? null : [...cuts];
}
