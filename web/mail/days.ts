// Days and spans in filters: `since:2026-03-01` begins with that day, `until:2026-03-05` includes it, `since:7d` counts back.

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Where a filter begins, as a moment; what is neither a span nor a day as it is. Days are those of this computer. */
export function momentOf(text: string, nowMs: number): string {
  const [, count, unit = ""] = /^(\d{1,4})([hd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(nowMs - Number(count) * (UNIT_MS[unit] as number)).toISOString();
  return startOf(text)?.toISOString() ?? text;
}

/** Where a filter ends: a day is included, and the API takes the first moment after. */
export function endOf(text: string, nowMs: number): string {
  const start = startOf(text);
  if (start === null) return momentOf(text, nowMs);
  start.setDate(start.getDate() + 1);
  return start.toISOString();
}

/** The day of a filter, for a field of dates; empty for what is no whole day. */
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

/** The same of an end: midnight is the end of the day before. */
export function shortEnd(text: string): string {
  const at = new Date(text);
  if (shortMoment(text) !== dayOf(at) || !text.includes("T")) return shortMoment(text);
  at.setDate(at.getDate() - 1);
  return dayOf(at);
}

/** Where a day of a field begins, by the clock of this computer; null = the field is empty. */
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
