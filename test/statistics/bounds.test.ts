// Statistics that would take long: added up by days, begun later, or without the newest; each says so.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { HOUR_MS } from "../../src/clock.ts";
import { Counting } from "../../src/statistics/counting.ts";
import type { Statistics } from "../../src/statistics/record.ts";
import type { Bindable } from "../../src/store/sql.ts";
import type { Reader } from "../../src/store/store.ts";
import { mailStatistics, type Asked } from "../../src/statistics/statistics.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";

const MAILS = 12;
const UNBOUNDED = { mostSums: 1_000, mostFresh: 1_000 };

let posthorn: Posthorn;

/** A mail every two hours, from 9 on the first day to 7 on the second. */
beforeAll(async () => {
  posthorn = await startPosthorn();
  for (let mail = 0; mail < MAILS; mail++) {
    await ask(posthorn, "POST /v1/send", { body: { ...letter, to: `reader${mail}@gmail.com` } });
    await posthorn.settle();
    posthorn.clock.advance(2 * HOUR_MS);
  }
});
afterAll(() => posthorn[Symbol.asyncDispose]());

function counted(changes: Partial<Asked>, bounds: Partial<typeof UNBOUNDED> = {}): Promise<Statistics> {
  const [fromMs, toMs] = [Date.parse("2026-03-01T00:00:00Z"), Date.parse("2026-03-02T12:00:00Z")];
  const asked = { fromMs, toMs, step: "day", timeZone: "Europe/Berlin", by: null, ...changes } as const;
  return posthorn.store.read((reader) => mailStatistics(reader, 1, asked, { ...UNBOUNDED, ...bounds }));
}

const accepted = ({ series }: Statistics) => series[0]?.totals.accepted ?? 0;
const byDay = ({ series }: Statistics) =>
  series[0]?.points.flatMap((point) => (point.accepted > 0 ? [point.accepted] : []));

async function forgetSums(): Promise<void> {
  await posthorn.store.write(async (tx) => {
    await tx.run`delete from mail_counts`;
    await tx.run`delete from mail_group_counts`;
    await tx.run`update count_marks set high = 0`;
  });
}

test("what is not in the sums yet is counted up to a bound, the oldest first", async () => {
  await forgetSums();
  expect(await counted({})).toMatchObject({ isEstimate: false, countedFrom: null });
  const few = await counted({}, { mostFresh: 5 });
  expect([few.isEstimate, accepted(few)]).toEqual([true, 5]);
});

test("many sums are read by days of UTC: all is counted, in the day that has most of it", async () => {
  const counting = new Counting(posthorn.store);
  for (let step = 0; step < 20; step++) await counting.step();
  for (const by of [null, "domain", "sourceType", "provider"] as const) {
    const exact = await counted({ by });
    expect([exact.isEstimate, accepted(exact), byDay(exact)]).toEqual([false, MAILS, [7, 5]]);
    const about = await counted({ by }, { mostSums: 3 });
    expect([about.isEstimate, about.countedFrom, accepted(about), byDay(about)]).toEqual([true, null, MAILS, [8, 4]]);
  }
});

test("days far from those of UTC have the days whose noon they have", async () => {
  for (const timeZone of ["America/New_York", "Asia/Tokyo", "Pacific/Auckland"]) {
    const about = await counted({ timeZone, fromMs: Date.parse("2026-02-27T00:00:00Z") }, { mostSums: 3 });
    expect([timeZone, about.isEstimate, byDay(about)]).toEqual([timeZone, true, [8, 4]]);
  }
});

test("days of UTC are exact, however many hours they have", async () => {
  const exact = await counted({ timeZone: "UTC" }, { mostSums: 3 });
  expect([exact.isEstimate, byDay(exact)]).toEqual([false, [8, 4]]);
});

test("where even days are too many the oldest are left out, and hours are not guessed from days", async () => {
  const newest = await counted({}, { mostSums: 1 });
  expect([accepted(newest), newest.countedFrom]).toEqual([4, "2026-03-02T00:00:00.000Z"]);
  const hours = await counted({ step: "hour" }, { mostSums: 5 });
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

test("what no log keeps, such as mails that were taken back, is counted up to the same bound", async () => {
  const counting = new Counting(posthorn.store);
  for (let step = 0; step < 20; step++) await counting.step();
  const today = { fromMs: posthorn.clock.nowMs() - HOUR_MS, toMs: posthorn.clock.nowMs() + HOUR_MS };
  const before = accepted(await counted(today));
  const sendAt = new Date(posthorn.clock.nowMs() + HOUR_MS).toISOString();
  for (let mail = 0; mail < 3; mail++) {
    const { body } = await ask(posthorn, "POST /v1/send", { body: { ...letter, to: "later@gmail.com", sendAt } });
    await ask(posthorn, `DELETE /emails/${body.data.emails[0].email}`);
  }
  const all = await counted(today);
  const few = await counted(today, { mostFresh: 2 });
  expect([all.isEstimate, accepted(all)]).toEqual([false, before + 3]);
  expect(few.isEstimate).toBe(true);
  expect(accepted(few)).toBeLessThan(before + 3);
});
