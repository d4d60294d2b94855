// Reading when something is to be sent: `sendAt` of POST /v1/send, `scheduledFor` of a campaign (interface-gaps.md §2, §5).
import { DAY_MS, isDay } from "../clock.ts";
import { invalidField } from "../errors.ts";

type TimeWish = { readonly field: string; readonly text: string; readonly daysAhead: number };

/**
 * Milliseconds since 1970, or null for what is past: it goes at once, but not before what waits already.
 * @throws AppError VALIDATION_ERROR on `field`
 */
export function sendTime({ field, text, daysAhead }: TimeWish, nowMs: number): number | null {
  const ms = isDateTime(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw invalidField(field, "This is not an ISO 8601 date-time with its zone.", "invalid_date");
  if (ms - nowMs > daysAhead * DAY_MS)
    throw invalidField(field, `This may lie up to ${daysAhead} days ahead.`, "too_big");
  return ms > nowMs ? ms : null;
}

function isDateTime(text: string): boolean {
  return isDay(text.slice(0, 10)) && /^.{10}T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text);
}
