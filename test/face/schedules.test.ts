// Schedules in words: what forms write is what the server reads, and what they cannot say stays as it was.
import { expect, test } from "bun:test";
import { workflows as german } from "../../web/texts/de/workflows.ts";
import { workflows as english } from "../../web/texts/en/workflows.ts";
import { cronOf, describeSchedule, scheduleOf } from "../../web/workflows/schedule.ts";

const said: readonly [cron: string, inEnglish: string, inGerman: string][] = [
  ["0 9 * * 1", "every Monday at 9:00", "jeden Montag um 9:00"],
  ["5 17 * * 1,4", "every Monday and Thursday at 17:05", "jeden Montag und Donnerstag um 17:05"],
  ["30 8 * * 0", "every Sunday at 8:30", "jeden Sonntag um 8:30"],
  ["0 8 1 * *", "on the 1st of each month at 8:00", "am 1. jedes Monats um 8:00"],
  ["0 8 22 * *", "on the 22nd of each month at 8:00", "am 22. jedes Monats um 8:00"],
  ["0 0 L * *", "on the last day of each month at 0:00", "am letzten Tag jedes Monats um 0:00"],
  ["0 9 * * 1-5", "every weekday at 9:00", "montags bis freitags um 9:00"],
  ["45 23 * * *", "every day at 23:45", "jeden Tag um 23:45"],
];

test.each(said)("%s is %p", (cron, inEnglish, inGerman) => {
  expect([describeSchedule(cron, english), describeSchedule(cron, german)]).toEqual([inEnglish, inGerman]);
  const schedule = scheduleOf(cron);
  expect(schedule && cronOf(schedule)).toBe(cron);
});

test("what has other spellings is written in one", () => {
  expect(["  00  09 * *  7,1,1", "0 9 * * 1,0"].map((cron) => cronOf(scheduleOf(cron) as never))).toEqual([
    "0 9 * * 1,0",
    "0 9 * * 1,0",
  ]);
});

test.each([
  "*/15 * * * *",
  "0 9 1 * 1",
  "0 9 1,15 * *",
  "0 25 * * *",
  "60 9 * * *",
  "0 9 32 * *",
  "0 9 0 * *",
  "0 9 * 3 *",
  "",
])("%p stays an expression", (cron) => {
  expect([scheduleOf(cron), describeSchedule(cron, english)]).toEqual([null, `schedule ${cron}`]);
});
