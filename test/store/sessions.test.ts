// Sessions on PostgreSQL: those that may only read are left, and a pooler that passes them from hand to hand is
// refused.
import { SQL } from "bun";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { DEFAULTS } from "../../src/base/config.ts";
import { createLog } from "../../src/base/log.ts";
import { systemClock } from "../../src/base/clock.ts";
import { openStoreToServe } from "../../src/store/open.ts";
import { needOf, scarcityOf } from "../../src/store/postgres/sessions.ts";
import { openPostgres } from "../../src/store/postgres/engine.ts";
import { cliBeside, posthornCli } from "../support/cli.ts";
import { TestClock } from "../support/clock.ts";
import { ENGINE, freshDatabase, freshDirectory, freshFile, giveBack } from "../support/database.ts";
import { letter } from "../support/mails.ts";
import { HAS_PGBOUNCER, pgBouncer } from "../support/pgbouncer.ts";
import { postgresBinaries, PostgresServer } from "../support/postgres-server.ts";
import { startPosthorn } from "../support/posthorn.ts";

const ON_POSTGRES = ENGINE === "postgres";
const { connections: CONNECTIONS } = DEFAULTS.database;

test.if(ON_POSTGRES)("after a while in which everything was read only, mail is accepted again by itself", async () => {
  await using posthorn = await startPosthorn();
  const { pathname } = new URL(posthorn.databaseUrl as string);
  const [name, url] = [pathname.slice(1), new URL(posthorn.databaseUrl as string)];
  url.pathname = "/postgres";
  await using admin = new SQL(url.href, { max: 1 });
  await admin.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  try {
    // As at a failover: whoever connects again finds a server that does not take writes.
    await admin`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${name}`;
    expect((await posthorn.call("POST /v1/send", letter)).body.error.code).toBe("STORE_UNAVAILABLE");
  } finally {
    await admin.unsafe(`alter database ${name} reset default_transaction_read_only`);
  }
  const answers = await Promise.all(Array.from({ length: 20 }, () => posthorn.call("POST /v1/send", letter)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

describe.if(ON_POSTGRES && HAS_PGBOUNCER)("through pgbouncer", () => {
  type Mode = Parameters<typeof pgBouncer>[1];

  /** With other clients, whose sessions may be handed round. */
  async function open(settings: Mode, others = 0) {
    const database = await freshDatabase();
    await using pooler = await pgBouncer(database.url as string, settings);
    await using crowd = new SQL(pooler.url, { max: Math.max(1, others), prepare: false });
    await Promise.all(Array.from({ length: others }, () => crowd.unsafe("select pg_sleep(0.02)").simple()));
    const clock = new TestClock();
    const log = createLog({ level: "error", format: "text", clock, write: () => {} });
    const { store } = await openPostgres({ url: pooler.url, connections: 4 }, { clock, log, opening: "use" });
    try {
      const heard = Promise.withResolvers<string>();
      store.onSignal((what) => what !== null && heard.resolve(what));
      await store.write(async (tx) => tx.signal("one"));
      return await heard.promise;
    } finally {
      await store.close();
      await giveBack(database);
    }
  }

  test("that keeps sessions, a store works, signals and all", async () => {
    expect(await open({ mode: "session" })).toBe("one");
  });

  test.each([
    ["the session used last", { mode: "transaction" }, 0],
    ["the session used last, of many", { mode: "transaction" }, 5],
    ["sessions in a circle of one", { mode: "transaction", inCircle: true }, 1],
    ["sessions in a circle of two", { mode: "transaction", inCircle: true }, 2],
    ["sessions in a circle of many", { mode: "transaction", inCircle: true }, 5],
    ["another session for each statement", { mode: "statement" }, 0],
  ] as const)("that gives each transaction %s, it is refused in words", async (_, settings, others) => {
    await expect(open(settings, others)).rejects.toThrow("set pool_mode = session for its database");
  });

  test("commands say so as well, and nothing is copied there", async () => {
    const database = await freshDatabase();
    const { path, remove } = freshDirectory();
    const from = join(path, "posthorn.db");
    freshFile(from);
    await using pooler = await pgBouncer(database.url as string, { mode: "transaction" });
    for (const words of [
      ["workspace", "list"],
      ["migrate-store", "--from", from, "--to", pooler.url],
    ]) {
      const { code, err } = await posthornCli(words, { POSTHORN_DATABASE_URL: pooler.url });
      expect([code, err]).toEqual([1, expect.stringContaining("pool_mode = transaction")]);
    }
    remove();
    await giveBack(database);
  });
});

test("a server that allows fewer connections than a node and a command take is too small", () => {
  const need = needOf(CONNECTIONS);
  expect(need).toBe(19);
  expect(scarcityOf({ most: need, used: 0 }, CONNECTIONS)).toBeNull();
  expect(scarcityOf({ most: need - 1, used: 0 }, CONNECTIONS)).toBe(
    "PostgreSQL allows 18 connections; a node and one command need 19.",
  );
});

test.if(ON_POSTGRES && postgresBinaries() !== null)("the start says so, and goes on", async () => {
  await using server = await PostgresServer.start({ max_connections: 9, max_wal_senders: 0 });
  const lines: string[] = [];
  const log = createLog({ level: "warn", format: "text", clock: systemClock, write: (line) => lines.push(line) });
  const open = async (connections: number) => {
    const config = { ...DEFAULTS, database: { url: server.url, connections } };
    const { store } = await openStoreToServe(config, { clock: systemClock, log });
    await store.close();
    return lines.splice(0).map((line) => line.slice(25));
  };
  expect(await open(4)).toEqual([
    "warn  PostgreSQL allows 6 connections; a node and one command need 7. Raise max_connections of PostgreSQL, or lower [database] connections.",
  ]);
  expect(await open(3)).toEqual([]);
});

test.if(ON_POSTGRES)("a command takes two connections, and the doctor tells how many are left", async () => {
  await using posthorn = await startPosthorn();
  const few = { POSTHORN_DATABASE_CONNECTIONS: "4" };
  expect((await cliBeside(posthorn, ["doctor"], few)).out).toMatch(
    /^ok {5}connections: \d+ of \d+ are in use; a node and one command need 7$/m,
  );
  const many = { POSTHORN_DATABASE_CONNECTIONS: "500" };
  expect((await cliBeside(posthorn, ["doctor"], many)).out).toMatch(
    /^WRONG {2}connections: PostgreSQL allows \d+ connections; a node and one command need 503\.\n.*max_connections/m,
  );
});
