// Times as people and programs write them in data (ISO 8601), and the one form in which they are compared.
import { isDay, iso } from "./clock.ts";

const FORM =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:[Tt ]((?:[01]\d|2[0-4]):[0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-](?:[01]\d|2[0-3]))(?::?([0-5]\d))?)?)?$/;
/** Every month has so many. */
const SURE_DAYS = "28";
/** `2026-01-31T09:30:00.000Z`; longer before the year 0 and after 9999. */
const FORM_CHARS = 24;

/**
 * A moment in UTC as a text that sorts: `2026-01-31T09:30:00.000`, with up to nine digits where milliseconds are not
 * enough. It reads a day, which means its first moment, and a date-time with or without seconds, fraction and offset;
 * without an offset it is in UTC. Null for every other text. The engines of the store have the same function as
 * `moment_of`.
 */
export function momentOf(text: string): string | null {
  const [, day, time = "00:00", seconds = "00", fraction = "", hours, minutes = "00"] = FORM.exec(text) ?? [];
  if (day === undefined || (day.slice(8) > SURE_DAYS && !isDay(day))) return null;
  const digits = fraction.endsWith("0") ? fraction.replace(/0+$/, "") : fraction;
  const isMidnight = time.startsWith("24");
  if (isMidnight && digits !== "") return null;
  const local = `${day}T${time}:${seconds}`;
  const utc = isMidnight || hours !== undefined ? inUtc(`${local}${hours ?? "+00"}:${minutes}`) : local;
  return utc && `${utc}.${digits.padEnd(3, "0")}`;
}

/** `ms` since 1970 in the form of `momentOf`. */
export function momentAt(ms: number): string {
  return iso(ms).slice(0, -1);
}

function inUtc(text: string): string | null {
  const ms = Date.parse(text);
  const utc = Number.isNaN(ms) ? "" : iso(ms);
  return utc.length === FORM_CHARS ? utc.slice(0, -5) : null;
}

/** Whether there are tables for the zone: a name of the IANA's, in any case, or an offset. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/**
 * The zone as the IANA writes its name (`Europe/Berlin`); null if none. An offset is not a zone: it knows no
 * summer time.
 */
export function zoneNamed(name: string): string | null {
  if (!/^[a-z]/i.test(name) || !isTimeZone(name)) return null;
  const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
  // For a zone with two names, this may be the older one.
  return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
}
