// Several servers on one PostgreSQL, any of them killed at any moment, the database restarted and crashed under them.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { killOneOfTwoDuringCampaign } from "./crash/campaign-on-postgres.ts";
import { systemClock } from "../src/base/clock.ts";
import { DEFAULTS } from "../src/base/config.ts";
import type { AppError } from "../src/base/errors.ts";
import { createLog } from "../src/base/log.ts";
import { openStoreToServe } from "../src/store/open.ts";
import { openPostgres } from "../src/store/postgres/engine.ts";
import type { Store } from "../src/store/store.ts";
import { killOneOfTwoDuringMail } from "./crash/mail-on-postgres.ts";
import { killAnyOfThree, RATE_PER_SECOND } from "./crash/postgres-scenarios.ts";
import { CONNECTIONS, freezeOneOfTwo, sendWhatAnotherTookIn, workOffABacklog } from "./crash/shared-work.ts";
import { TestClock } from "./support/clock.ts";
import { ENGINE } from "./support/database.ts";
import { postgresBinaries, PostgresServer } from "./support/postgres-server.ts";

/** As part of the tests of this engine, though not on their server. */
const HERE = ENGINE === "postgres" && postgresBinaries() !== null;
const WHERE = "on a PostgreSQL of its own";
/** More of each are in `bun test/crash.ts --postgres`. */
const KILLS = 2;
/** Of the installation whose queue is longer than what may leave within ten seconds. */
const LOW_RATE = 30;
/**
 * Three servers that each took the rate for themselves would send three times as much. Less than half of that is what a
 * busy machine hands over late.
 */
const mostInTenSeconds = (ratePerSecond: number) => 10 * ratePerSecond * 1.4;

describe.skipIf(!HERE)(WHERE, () => {
  test(`three servers keep what they answered through ${KILLS} kills, a restart and a crash of the database`, async () => {
    const report = await killAnyOfThree({ kills: KILLS, seed: 1, killsAnOutage: 1 });
    expect(report.faults).toEqual([]);
    expect(report.outages).toBe(KILLS);
    expect(report.accepted).toBeGreaterThan(KILLS * 50);
    expect(report.repeated).toBeGreaterThan(KILLS);
    expect(report.inHand).toBeGreaterThan(KILLS);
    expect(report.refusals.refused).toBeGreaterThan(0);
    expect(report.busiest.tenSeconds).toBeLessThanOrEqual(mostInTenSeconds(RATE_PER_SECOND));
  }, 600_000);

  test("three servers whose clocks differ share a queue, one rate and the order of its lanes", async () => {
    const plan = { seed: 2, ratePerSecond: LOW_RATE, marketing: 270, transactional: 90 };
    const report = await workOffABacklog(plan);
    expect(report).toMatchObject({ faults: [], accepted: 360, arrivals: 360, duplicates: 0 });
    expect(Math.min(...report.byRun)).toBeGreaterThan(0);
    // Twelve seconds' worth of mails; with a rate for each server it would be four.
    expect(report.tookMs).toBeGreaterThan(8_000);
    expect(report.marketingBetween).toBeLessThan(90);
  }, 600_000);

  test("a server that stood still until its leases ran out sends nothing again but what it was handing over", async () => {
    const report = await freezeOneOfTwo(7);
    expect(report.arrivals - report.duplicates).toBe(50);
    expect(report.byRun[0]).toBeGreaterThan(0);
    expect(report.duplicates).toBeLessThanOrEqual(CONNECTIONS);
  });

  test("a campaign that two servers work on, each killed now and then, reaches each recipient once", async () => {
    const people = 600;
    const report = await killOneOfTwoDuringCampaign({ people, kills: KILLS, seed: 5 });
    expect(report.faults).toEqual([]);
    expect(report.arrivals - report.duplicates).toBe(people);
    expect(report.counted).toMatchObject({ totalRecipients: people, sentCount: people, pendingCount: 0 });
  }, 600_000);

  test("what either of two servers answers 250 by SMTP is lost with neither, each killed now and then", async () => {
    const report = await killOneOfTwoDuringMail({ messages: 160, kills: KILLS, seed: 9 });
    expect(report).toMatchObject({ faults: [], submitted: 80, broughtIn: 80 });
    expect(report.again).toBeGreaterThan(0);
  }, 600_000);

  test("a mail leaves at once through another server than the one that took it in, also after a restart of the database", async () => {
    const { report, elsewhereMs, hereMs } = await sendWhatAnotherTookIn(3);
    expect(report).toMatchObject({ faults: [], duplicates: 0 });
    expect(report.byRun[0]).toBe(0);
    // Who hears nothing looks every five seconds.
    expect(elsewhereMs - hereMs).toBeLessThan(1_500);
  });
});

describe.skipIf(!HERE)(`a store ${WHERE}`, () => {
  let server: PostgresServer;
  let store: Store;

  beforeAll(async () => {
    server = await PostgresServer.start();
    store = await open();
    await store.write((tx) => tx.run`create table slips (text text not null)`);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await store.close();
  });

  async function open(): Promise<Store> {
    const clock = new TestClock();
    const log = createLog({ level: "error", format: "text", clock, write: () => {} });
    return (await openPostgres({ url: server.url, connections: 4 }, { clock, log, opening: "migrate" })).store;
  }

  /** As for a server, on a machine whose clock is wrong. */
  async function openWhere(aheadMs: number, lines: string[] = []): Promise<Store> {
    const clock = { ...systemClock, nowMs: () => Date.now() + aheadMs };
    const log = createLog({ level: "info", format: "text", clock, write: (line) => lines.push(line) });
    const config = { ...DEFAULTS, database: { url: server.url, connections: 4 } };
    return (await openStoreToServe(config, { clock, log })).store;
  }

  async function count(text: string): Promise<number> {
    const row = await store.read(
      (reader) => reader.get<{ n: number }>`select count(*) as n from slips where text = ${text}`,
    );
    return row?.n ?? 0;
  }

  test("does a write again from its start when the database restarts in the middle of it", async () => {
    let attempts = 0;
    await store.write(async (tx) => {
      await tx.run`insert into slips (text) values ('half')`;
      if (++attempts === 1) await server.restart();
      await tx.run`insert into slips (text) values ('whole')`;
    });
    expect([attempts, await count("half"), await count("whole")]).toEqual([2, 1, 1]);
  });

  test("does not do a write again whose commit was under way, and says that nobody knows", async () => {
    await store.write(async (tx) => {
      await tx.run`create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(60); return null; end'`;
      await tx.run`create constraint trigger slow_commit after insert on slips deferrable initially deferred for each row
        when (new.text = 'slow') execute function wait()`;
    });
    const outcome = store
      .write((tx) => tx.run`insert into slips (text) values ('slow')`)
      .then(String, (error: AppError) => error);
    while ((await commits()) === 0) await Bun.sleep(10);
    await server.crash();
    await server.up();
    expect(await outcome).toMatchObject({ code: "STORE_UNAVAILABLE", status: 503 });
    expect(((await outcome) as AppError).details.suggestion).toStartWith(
      "The request was carried out as a whole or not at all.",
    );
    expect(await count("slow")).toBe(0);
  });

  test("gives up in time when the database stays away, with nothing done", async () => {
    await server.crash();
    const outcome = await store
      .write((tx) => tx.run`insert into slips (text) values ('late')`)
      .then(String, (error: AppError) => error);
    await server.up();
    expect(outcome).toMatchObject({ code: "STORE_UNAVAILABLE", details: { retryAfterSeconds: 2 } });
    expect((outcome as AppError).details.suggestion).toStartWith("Nothing of the request was done.");
    expect(await count("late")).toBe(0);
  });

  test("opens on a database that is just starting", async () => {
    await server.crash();
    const opening = open();
    await server.up();
    const other = await opening;
    expect(await other.read((reader) => reader.get`select 1 as one`)).toEqual({ one: 1 });
    await other.close();
  });

  test("gives machines whose clocks differ one time, and says at the start by how much theirs is wrong", async () => {
    const lines: string[] = [];
    const stores = await Promise.all([-50_000, 50_000].map((aheadMs) => openWhere(aheadMs, lines)));
    const [behind = 0, ahead = 0] = await Promise.all(stores.map((one) => one.write(async (tx) => tx.nowMs)));
    expect(Math.abs(ahead - behind)).toBeLessThan(10_000);
    expect(Math.abs(Number(stores[0]?.clock.nowMs()) - Number(stores[1]?.clock.nowMs()))).toBeLessThan(10_000);
    const told = lines.map((line) => Number(/compared this machine's clock .*aheadMs=(-?\d+)/.exec(line)?.[1]));
    expect(told.map((ms) => Math.round(ms / 10_000))).toEqual(expect.arrayContaining([-5, 5]));
    await Promise.all(stores.map((one) => one.close()));
  });

  test.each([
    [75_000, "ahead of"],
    [-75_000, "behind"],
  ])("serves no machine whose clock is %d ms wrong", async (aheadMs, how) => {
    const fault = await openWhere(aheadMs).then(String, (error: Error) => error.message);
    expect(fault).toMatch(
      new RegExp(`^This machine's clock is \\d+ seconds ${how} the database's\\. Synchronize both .+`),
    );
  });

  async function commits(): Promise<number> {
    const row = await store.read(
      (reader) => reader.get<{ n: number }>`
        select count(*) as n from pg_stat_activity where state = 'active' and wait_event = 'PgSleep' and query ilike 'commit%'`,
    );
    return row?.n ?? 0;
  }
});
