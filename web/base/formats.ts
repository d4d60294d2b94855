// Formats numbers, times and sizes for a language.
import { localeOf, useLanguage, type Language } from "./language.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const PLANNED = { weekday: "short", day: "numeric", month: "short", minute: "2-digit" } as const;

export type Formats = ReturnType<typeof formatsOf>;

function formatsOf(language: Language) {
  const locale = localeOf(language);
  const number = new Intl.NumberFormat(locale);
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "long" });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
  const seconds = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long" });
  const shortDay = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
  const dayOfYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" });
  // "9:00 AM", and "09:00" where the day has 24 hours.
  const hour = clock.resolvedOptions().hour12 ? "numeric" : "2-digit";
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const planned = (at: Date, timeZone: string) => {
    const year = at.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
    return new Intl.DateTimeFormat(locale, { ...PLANNED, hour, year, timeZone }).format(at);
  };
  // Symbols, which are the same in all languages and have no plural.
  const unit = (value: number, symbol: string, digits = 0) =>
    `${value.toLocaleString(locale, { maximumFractionDigits: digits })}\u00a0${symbol}`;
  return {
    number: (value: number) => number.format(value),
    /** "37.4%", "0.40%", "0%": figures below each other line up. */
    percent: (share: number) => {
      const digits = share === 0 ? 0 : share < 0.1 ? 2 : 1;
      return share.toLocaleString(locale, {
        style: "percent",
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
    },
    /** With seconds and zone, for a `title`. */
    exact: (at: Date) => exact.format(at),
    clock: (at: Date) => clock.format(at),
    /** The time to the second. */
    fine: (at: Date) => seconds.format(at),
    /** "Tue 24 Nov, 09:00 Europe/Berlin", with its year if that is not this one. */
    inZone: (at: Date, timeZone: string) => `${planned(at, timeZone)} ${timeZone}`,
    /** As `inZone`, without the zone. */
    planned,
    day: (at: Date) => day.format(at),
    /** A day with its year. */
    date: (at: Date) => dayOfYear.format(at),
    shortDay: (at: Date) => shortDay.format(at),
    /** "2 minutes ago", "yesterday". */
    ago: (at: Date, now: Date) => timeAgo(at.getTime() - now.getTime(), relative),
    /** In rows: the time of today, else the day. */
    brief: (at: Date, now: Date) =>
      at.toDateString() === now.toDateString()
        ? clock.format(at)
        : at.getFullYear() === now.getFullYear()
          ? day.format(at)
          : dayOfYear.format(at),
    /** "370 ms", "4 s", "2 h". */
    span: (ms: number) => spanOf(ms, unit),
    bytes: (bytes: number) => bytesOf(bytes, unit),
  };
}

function timeAgo(differenceMs: number, relative: Intl.RelativeTimeFormat): string {
  const size = Math.abs(differenceMs);
  if (size < 45 * SECOND_MS) return relative.format(0, "second");
  if (size < HOUR_MS) return relative.format(Math.round(differenceMs / MINUTE_MS), "minute");
  if (size < DAY_MS) return relative.format(Math.round(differenceMs / HOUR_MS), "hour");
  return relative.format(Math.round(differenceMs / DAY_MS), "day");
}

type UnitFormat = (value: number, name: string, digits?: number) => string;

function spanOf(ms: number, unit: UnitFormat): string {
  if (ms < SECOND_MS) return unit(ms, "ms");
  if (ms < 10 * SECOND_MS) return unit(ms / SECOND_MS, "s", 1);
  if (ms < 2 * MINUTE_MS) return unit(ms / SECOND_MS, "s");
  if (ms < 2 * HOUR_MS) return unit(ms / MINUTE_MS, "min");
  if (ms < 2 * DAY_MS) return unit(ms / HOUR_MS, "h");
  return unit(ms / DAY_MS, "d");
}

function bytesOf(bytes: number, unit: UnitFormat): string {
  if (bytes < 1_000) return unit(bytes, "B");
  if (bytes < 1_000_000) return unit(bytes / 1_000, "kB");
  if (bytes < 1_000_000_000) return unit(bytes / 1_000_000, "MB", 1);
  return unit(bytes / 1_000_000_000, "GB", 1);
}

const cached = new Map<Language, Formats>();

export function useFormats(): Formats {
  const language = useLanguage();
  const formats = cached.get(language) ?? formatsOf(language);
  cached.set(language, formats);
  return formats;
}
