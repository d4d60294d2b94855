// A moment in a query, or in a body.
import { invalidParameter } from "../../base/errors.ts";
import { momentOf } from "../../base/moments.ts";

/** Days are compared as texts with four digits for the year. */
const EARLIEST_MS = 0;
const LATEST_MS = Date.UTC(3000, 0, 1);

/**
 * In milliseconds since 1970.
 * @throws AppError as `fault` makes it, on `field`, unless the text is a day, or a date-time with its zone, from 1970
 * to 2999
 */
export function momentIn(field: string, text: string, fault: typeof invalidParameter = invalidParameter): number {
  const moment = momentOf(text);
  const hasZone = text.length === 10 || /(z|[+-]\d\d(:?\d\d)?)$/i.test(text);
  if (moment === null || !hasZone)
    throw fault(
      field,
      "Write a day (2026-03-01, in UTC) or a time with its zone (2026-03-01T09:30:00Z).",
      "invalid_time",
    );
  const ms = Date.parse(`${moment.slice(0, 23)}Z`);
  if (ms < EARLIEST_MS || ms >= LATEST_MS) throw fault(field, "Write a time from 1970 to 2999.", "invalid_time");
  return ms;
}
