// Counts of mails equal what a test has noted on the way, whether the mails are still there or deleted since.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { addToSums } from "../../src/mail/statistics/counting.ts";
import type { Store } from "../../src/store/store.ts";
import { History, type Fact } from "../support/history.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addVerifiedDomain, addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const NAMES = [
  "accepted",
  "sent",
  "delivered",
  "failed",
  "hardBounced",
  "softBounced",
  "complained",
  "opened",
  "clicked",
  "unsubscribed",
  "leftTopic",
  "skipped",
  "cancelled",
] as const;

let posthorn: Posthorn;
let history: History;
beforeAll(async () => {
  posthorn = await workspace();
  await addVerifiedDomain(posthorn, "other.test");
  history = new History(posthorn, 7);
  await history.live(150);
  await posthorn.settle();
});
afterAll(() => posthorn[Symbol.asyncDispose]());

function sums(facts: readonly Fact[]): Record<string, number> {
  const count = (name: string) => facts.filter(({ what }) => what === name).length;
  const each = Object.fromEntries(NAMES.map((name) => [name, count(name)]));
  return { ...each, bounced: count("hardBounced") + count("softBounced") };
}

async function statistics(query: string): Promise<Json> {
  return (await posthorn.call(`GET /statistics/mails?${query}`)).body;
}

const RANGE = "from=2026-03-01&to=2026-03-12";

/** `2026-03-01`, or `2026-03-01 09`, as a wall clock there shows it. */
function wallTime(atMs: number, timeZone: string, step: "hour" | "day"): string {
  const text = new Date(atMs).toLocaleString("sv-SE", { timeZone });
  return step === "day" ? text.slice(0, 10) : text.slice(0, 13);
}

test.each([
  ["hour", "UTC"],
  ["day", "UTC"],
  ["day", "Europe/Berlin"],
  ["day", "Asia/Kolkata"],
  ["day", "Asia/Kathmandu"],
  ["day", "America/New_York"],
] as const)("each %s in %s has what happened in it", async (step, timeZone) => {
  const { series } = await statistics(`${RANGE}&step=${step}&timeZone=${timeZone}`);
  const shown = series[0].points.filter((point: Json) => NAMES.some((name) => point[name] > 0));
  const periods = Map.groupBy(history.facts, ({ atMs }) => wallTime(atMs, timeZone, step));
  expect(shown.map(({ at, ...counts }: Json) => [wallTime(Date.parse(at), timeZone, step), counts])).toEqual(
    [...periods].sort(([one], [other]) => (one < other ? -1 : 1)).map(([at, facts]) => [at, sums(facts)]),
  );
  expect(series[0].totals).toEqual(sums(history.facts));
});

test("weeks begin on Monday", async () => {
  const { from, to, series } = await statistics(`${RANGE}&step=week&timeZone=Europe/Berlin`);
  expect([from, to, series[0].points.map(({ at }: Json) => at)]).toEqual([
    "2026-02-22T23:00:00.000Z",
    "2026-03-15T23:00:00.000Z",
    ["2026-02-22T23:00:00.000Z", "2026-03-01T23:00:00.000Z", "2026-03-08T23:00:00.000Z"],
  ]);
  expect(series[0].totals).toEqual(sums(history.facts));
});

test("a day on which clocks change has 23 or 25 hours", async () => {
  const days = async (query: string) =>
    (await statistics(`${query}&timeZone=Europe/Berlin`)).series[0].points.map(({ at }: Json) => at);
  expect(await days("from=2026-03-28T12:00:00Z&to=2026-03-30T12:00:00Z")).toEqual([
    "2026-03-27T23:00:00.000Z",
    "2026-03-28T23:00:00.000Z",
    "2026-03-29T22:00:00.000Z",
  ]);
  expect(await days("from=2025-10-25T12:00:00Z&to=2025-10-27T12:00:00Z")).toEqual([
    "2025-10-24T22:00:00.000Z",
    "2025-10-25T22:00:00.000Z",
    "2025-10-26T23:00:00.000Z",
  ]);
});

test("domains have their own series, the larger first", async () => {
  const { series } = await statistics(`${RANGE}&by=domain`);
  const expected = [...Map.groupBy(history.facts, ({ domain }) => domain)].map(([group, facts]) => [
    group,
    sums(facts),
  ]);
  expect(series.map(({ group, totals }: Json) => [group, totals]).sort()).toEqual(expected.sort());
  const mails = series.map(({ totals }: Json) => totals.accepted);
  expect(mails).toEqual(mails.toSorted((one: number, other: number) => other - one));
  const [only, ...others] = (await statistics(`${RANGE}&by=sourceType`)).series;
  expect([only.group, only.totals, others]).toEqual(["TRANSACTIONAL", sums(history.facts), []]);
});

test("a process that dies while counting counts each email once (slow)", async () => {
  const newer = history.facts.length;
  for (let death = 0; death < 30; death++) {
    if (death % 5 === 0) await history.live(5);
    const store = dying(posthorn.store, death % 3);
    for (let step = 0; step < 3; step++) await addToSums(store, 2).catch(() => undefined);
  }
  expect(history.facts.length).toBeGreaterThan(newer);
  await posthorn.settle();
  expect((await statistics(RANGE.replace("12", "30"))).series[0].totals).toEqual(sums(history.facts));
});

/** A store whose nth write is undone at its end. */
function dying(store: Store, nth: number): Store {
  let writes = 0;
  return new Proxy(store, {
    get: (target, name) =>
      name === "write"
        ? (work: Parameters<Store["write"]>[0]) =>
            target.write(async (tx) => {
              await work(tx);
              if (writes++ === nth) throw new Error("The process has died.");
            })
        : (Reflect.get(target, name, target).bind?.(target) ?? Reflect.get(target, name, target)),
  });
}

test.each([
  ["step=minute", { step: "invalid" }],
  ["from=yesterday", { from: "invalid_time" }],
  ["from=2026-03-01T09:00:00", { from: "invalid_time" }],
  ["from=0000-01-01", { from: "invalid_time" }],
  ["from=0099-01-05", { from: "invalid_time" }],
  ["to=0099-03-20", { to: "invalid_time" }],
  ["from=9999-12-01&to=9999-12-31", { to: "invalid_time" }],
  ["from=2026-03-02&to=2026-03-01", { to: "invalid_range" }],
  ["from=2020-01-01", { from: "too_big" }],
  ["from=2026-01-01&step=hour", { from: "too_big" }],
  ["timeZone=Mars/Olympus", { timeZone: "invalid_time_zone" }],
])("%s is refused", async (query, fields) => {
  const { status, body } = await ask(posthorn, `GET /statistics/mails?${query}`);
  expect([status, body.error.code]).toEqual([400, "INVALID_PARAMETERS"]);
  expect(Object.fromEntries(body.error.errors.map(({ field, code }: Json) => [field, code]))).toEqual(fields);
});

test("another workspace sees none of it", async () => {
  const keys = await addWorkspace(posthorn, { name: "other", domain: "elsewhere.test" });
  const { body } = await ask(posthorn, `GET /statistics/mails?${RANGE}&by=domain`, { key: { bearer: keys.secret } });
  expect(body.series).toEqual([]);
});
