// Days and spans in filters: `since:2026-03-01` and `until:2026-03-05` include their days, `since:7d` counts back.

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The start of a filter as a timestamp; other text is returned unchanged. Days are in this computer's time zone. */
export function momentOf(text: string, nowMs: number): string {
  const [, count, unit = ""] = /^(\d{1,4})([hd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(nowMs - Number(count) * (UNIT_MS[unit] as number)).toISOString();
  return startOf(text)?.toISOString() ?? text;
}

/** The end of a filter. A day is included, so the API gets the start of the next day. */
export function endOf(text: string, nowMs: number): string {
  const start = startOf(text);
  if (start === null) return momentOf(text, nowMs);
  start.setDate(start.getDate() + 1);
  return start.toISOString();
}

/** The day of a filter, for a date field; empty if the text is not a day. */
export function dayIn(text: string | undefined): string {
  return text !== undefined && DAY.test(text) ? text : "";
}

/** Local time: `2026-03-01`, or `2026-03-01T09:15`. */
export function shortMoment(text: string): string {
  const at = new Date(text);
  if (!text.includes("T") || Number.isNaN(at.getTime())) return text;
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  return time === "00:00" ? dayOf(at) : `${dayOf(at)}T${time}`;
}

/** The same for an end: midnight is shown as the day before. */
export function shortEnd(text: string): string {
  const at = new Date(text);
  if (shortMoment(text) !== dayOf(at) || !text.includes("T")) return shortMoment(text);
  at.setDate(at.getDate() - 1);
  return dayOf(at);
}

/** The start of a date field's day, in this computer's time zone; null = the field is empty. */
export function beginOf(day: string): string | null {
  return startOf(day)?.toISOString() ?? null;
}

function startOf(text: string): Date | null {
  const at = new Date(`${text}T00:00:00`);
  return DAY.test(text) && !Number.isNaN(at.getTime()) ? at : null;
}

function dayOf(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
