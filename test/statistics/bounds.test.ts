// Statistics that would take long: added up by days, or begun later; each says so.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { HOUR_MS } from "../../src/base/clock.ts";
import type { Statistics } from "../../src/mail/statistics/record.ts";
import type { Bindable } from "../../src/store/sql.ts";
import type { Reader } from "../../src/store/store.ts";
import { mailStatistics, type StatisticsQuery } from "../../src/mail/statistics/statistics.ts";
import { letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const MAILS = 12;
const UNBOUNDED = 1_000;

let posthorn: Posthorn;

/** A mail every two hours, from 9 on the first day to 7 on the second. */
beforeAll(async () => {
  posthorn = await workspace();
  for (let mail = 0; mail < MAILS; mail++) {
    await ask(posthorn, "POST /v1/send", { body: { ...letter, to: `reader${mail}@gmail.com` } });
    await posthorn.settle();
    posthorn.clock.advance(2 * HOUR_MS);
  }
});
afterAll(() => posthorn[Symbol.asyncDispose]());

function counted(changes: Partial<StatisticsQuery>, mostSums = UNBOUNDED): Promise<Statistics> {
  const [fromMs, toMs] = [Date.parse("2026-03-01T00:00:00Z"), Date.parse("2026-03-02T12:00:00Z")];
  const asked = { fromMs, toMs, step: "day", timeZone: "Europe/Berlin", by: null, ...changes } as const;
  return posthorn.store.read((reader) => mailStatistics(reader, 1, asked, mostSums));
}

const accepted = ({ series }: Statistics) => series[0]?.totals.accepted ?? 0;
const byDay = ({ series }: Statistics) =>
  series[0]?.points.flatMap((point) => (point.accepted > 0 ? [point.accepted] : []));

test("many sums are read by days of UTC: all is counted, in the day that has most of it", async () => {
  for (const by of [null, "domain", "sourceType", "provider"] as const) {
    const exact = await counted({ by });
    expect([exact.isEstimate, accepted(exact), byDay(exact)]).toEqual([false, MAILS, [7, 5]]);
    const about = await counted({ by }, 3);
    expect([about.isEstimate, about.countedFrom, accepted(about), byDay(about)]).toEqual([true, null, MAILS, [8, 4]]);
  }
});

test("days far from those of UTC have the days whose noon they have", async () => {
  for (const timeZone of ["America/New_York", "Asia/Tokyo", "Pacific/Auckland"]) {
    const about = await counted({ timeZone, fromMs: Date.parse("2026-02-27T00:00:00Z") }, 3);
    expect([timeZone, about.isEstimate, byDay(about)]).toEqual([timeZone, true, [8, 4]]);
  }
});

test("days of UTC are exact, however many hours they have", async () => {
  const exact = await counted({ timeZone: "UTC" }, 3);
  expect([exact.isEstimate, byDay(exact)]).toEqual([false, [8, 4]]);
});

test("where even days are too many the oldest are left out, and hours are not guessed from days", async () => {
  const newest = await counted({}, 1);
  expect([accepted(newest), newest.countedFrom]).toEqual([4, "2026-03-02T00:00:00.000Z"]);
  const hours = await counted({ step: "hour" }, 5);
  expect([hours.isEstimate, accepted(hours), hours.countedFrom]).toEqual([false, 5, "2026-03-01T22:00:00.000Z"]);
});

test("of many groups in many hours an answer has one row for each part of a day and each group that it shows", async () => {
  const templates = Array.from({ length: 30 }, (_, number) => number + 1);
  await posthorn.store.write(async (tx) => {
    for (const template of templates)
      for (let hour = 0; hour < 24; hour++)
        await tx.run`
          insert into mail_group_counts (workspace, kind, quarter, name, accepted)
          values (1, 'template by hour', ${`2026-03-01T${String(hour).padStart(2, "0")}:00`}, ${`template ${template}`}, ${template})`;
  });
  const lengths: number[] = [];
  const asked = { fromMs: Date.parse("2026-03-01T00:00:00Z"), toMs: Date.parse("2026-03-01T12:00:00Z") } as const;
  const { series } = await posthorn.store.read(async (reader) => {
    const noting: Reader = {
      dialect: reader.dialect,
      get: (strings, ...values) => reader.get(strings, ...values),
      async all<Row>(strings: TemplateStringsArray, ...values: Bindable[]) {
        const rows = await reader.all<Row>(strings, ...values);
        lengths.push(rows.length);
        return rows;
      },
    };
    return mailStatistics(noting, 1, { ...asked, step: "day", timeZone: "Europe/Berlin", by: "template" }, UNBOUNDED);
  });
  expect(Math.max(...lengths)).toBe(11);
  expect(series.map(({ group, totals }) => [group, totals.accepted])).toEqual([
    ...templates
      .slice(20)
      .reverse()
      .map((template) => [`template ${template}`, template * 23]),
    [null, (23 * 20 * 21) / 2],
  ]);
});
