// Schedules as text: simple cron expressions in words, all others unchanged.
import type { workflows } from "../texts/en/workflows.ts";

export type Schedule = {
  readonly repeat: "day" | "workday" | "week" | "month";
  /** "09:05", the value of a time input. */
  readonly time: string;
  /** For `week`; 0 is Sunday. */
  readonly weekdays: readonly number[];
  /** For `month`. */
  readonly monthDay: number | "last";
};

const FORM = /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}|L) \* (\*|1-5|[0-7](?:,[0-7])*)$/;
const FIRST = { weekdays: [1], monthDay: 1 } as const;

/** Null: only a cron expression can express it. */
export function scheduleOf(cron: string): Schedule | null {
  const [, minute = "", hour = "", monthDay = "", weekday = ""] = FORM.exec(cron.trim().replace(/\s+/g, " ")) ?? [];
  if (minute === "" || Number(minute) > 59 || Number(hour) > 23) return null;
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (monthDay !== "*")
    return weekday === "*" && (monthDay === "L" || (Number(monthDay) >= 1 && Number(monthDay) <= 31))
      ? { ...FIRST, repeat: "month", time, monthDay: monthDay === "L" ? "last" : Number(monthDay) }
      : null;
  if (weekday === "*") return { ...FIRST, repeat: "day", time };
  if (weekday === "1-5") return { ...FIRST, repeat: "workday", time };
  const weekdays = [...new Set(weekday.split(",").map((day) => Number(day) % 7))];
  return { ...FIRST, repeat: "week", time, weekdays: inWeek(weekdays) };
}

export function cronOf({ repeat, time, weekdays, monthDay }: Schedule): string {
  const [hour, minute] = time.split(":").map(Number);
  const days = {
    day: "* * *",
    workday: "* * 1-5",
    week: `* * ${inWeek(weekdays).join(",")}`,
    month: `${monthDay === "last" ? "L" : monthDay} * *`,
  }[repeat];
  return `${minute} ${hour} ${days}`;
}

/** The week starts on Monday. */
export const WEEK = [1, 2, 3, 4, 5, 6, 0] as const;

function inWeek(weekdays: readonly number[]): readonly number[] {
  return WEEK.filter((day) => weekdays.includes(day));
}

/** "every Monday at 9:00". */
export function describeSchedule(cron: string, t: Pick<typeof workflows, "form" | "bySchedule">): string {
  const schedule = scheduleOf(cron);
  if (!schedule) return t.bySchedule(cron);
  const { said, weekdays: names } = t.form;
  const time = schedule.time.replace(/^0/, "");
  if (schedule.repeat === "week")
    return said.week(
      schedule.weekdays.map((day) => names[day] ?? ""),
      time,
    );
  if (schedule.repeat !== "month") return said[schedule.repeat](time);
  return schedule.monthDay === "last" ? said.lastDay(time) : said.month(schedule.monthDay, time);
}
