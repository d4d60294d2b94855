// The time at which a mail leaves, as in a request.
import { DAY_MS, isDay } from "../../base/clock.ts";
import { invalidField } from "../../base/errors.ts";

const MAX_DAYS_AHEAD = 366;
export const NO_DATE_TIME = "This is not an ISO 8601 date-time with its zone, such as 2026-12-24T09:30:00Z.";

/**
 * Milliseconds since 1970, or null for a time in the past: then mail is due immediately, but not before mail that waits
 * already.
 * @throws AppError VALIDATION_ERROR on `field`
 */
export function sendTime(field: string, text: string, nowMs: number): number | null {
  const ms = isDateTime(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw invalidField(field, NO_DATE_TIME, "invalid_date");
  if (ms - nowMs > MAX_DAYS_AHEAD * DAY_MS)
    throw invalidField(field, `This may be at most ${MAX_DAYS_AHEAD} days ahead.`, "too_big");
  return ms > nowMs ? ms : null;
}

/** The warning about a time that `isLongPast`; `what`: the subject of the sentence. */
export const longPast = (what: string) => `This is more than a day in the past: ${what} is sent at once.`;

/** No caller means an earlier day: a program without a time wrote its zero value. */
export function isLongPast(text: string, nowMs: number): boolean {
  return Date.parse(text) < nowMs - DAY_MS;
}

function isDateTime(text: string): boolean {
  return isDay(text.slice(0, 10)) && /^.{10}T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text);
}
