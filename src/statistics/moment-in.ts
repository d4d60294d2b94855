// A moment in a query.
import { invalidParameter } from "../errors.ts";
import { momentOf } from "../moments.ts";

/** In milliseconds since 1970. @throws AppError INVALID_PARAMETERS on `field` unless the text is a day, or a date-time with its zone */
export function momentIn(field: string, text: string): number {
  const moment = momentOf(text);
  const hasZone = text.length === 10 || /(z|[+-]\d\d(:?\d\d)?)$/i.test(text);
  if (moment === null || !hasZone)
    throw invalidParameter(
      field,
      "Write a day (2026-03-01, in UTC) or a time with its zone (2026-03-01T09:30:00Z).",
      "invalid_time",
    );
  return Date.parse(`${moment.slice(0, 23)}Z`);
}
