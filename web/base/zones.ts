// Time zones: converts wall clock times to moments.

const DAY_MS = 86_400_000;

/** The computer's time zone. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Whether this browser knows the zone; the server may know more. */
export function isKnownZone(zone: string): boolean {
  try {
    return clockIn(zone) !== undefined;
  } catch {
    return false;
  }
}

/** The IANA names to choose from. */
export function allZones(): readonly string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}

/**
 * `local`: "2026-03-29T02:30", the value of a datetime-local input. The moments in milliseconds, earliest first: none
 * if the clocks skip that time, two if they repeat it. None for an invalid time.
 */
export function momentsOf(local: string, zone: string): readonly number[] {
  const shownMs = Date.parse(`${local}Z`);
  if (Number.isNaN(shownMs)) return [];
  const clock = clockIn(zone);
  const offsets = [shownMs - DAY_MS, shownMs + DAY_MS].map((ms) => wallClockMs(clock, ms) - ms);
  const moments = [...new Set(offsets)].map((offset) => shownMs - offset);
  return moments.filter((ms) => wallClockMs(clock, ms) === shownMs).sort((one, other) => one - other);
}

/** The inverse: "2026-03-29T03:30", as a datetime-local input takes it. */
export function localTime(ms: number, zone: string): string {
  return new Date(wallClockMs(clockIn(zone), ms)).toISOString().slice(0, "2026-03-29T03:30".length);
}

function clockIn(timeZone: string): Intl.DateTimeFormat {
  const two = "2-digit";
  const parts = { year: "numeric", month: two, day: two, hour: two, minute: two, second: two } as const;
  return new Intl.DateTimeFormat("en-US", { ...parts, timeZone, hourCycle: "h23" });
}

/** The wall clock time, read as UTC. */
function wallClockMs(clock: Intl.DateTimeFormat, ms: number): number {
  const parts = clock.formatToParts(ms);
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? "";
  return Date.parse(`${of("year")}-${of("month")}-${of("day")}T${of("hour")}:${of("minute")}:${of("second")}Z`);
}
