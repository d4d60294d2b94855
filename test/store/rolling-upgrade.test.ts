// A new executable brings a PostgreSQL store up to date while servers of the version before work on it.
import { SQL } from "bun";
import { afterEach, describe, expect, test } from "bun:test";
import { createLog, type Log } from "../../src/base/log.ts";
import { MIGRATIONS, type Migration } from "../../src/store/migrations.ts";
import { migratePostgres, postgresVersion } from "../../src/store/postgres/migrations.ts";
import { TestClock } from "../support/clock.ts";
import { ENGINE, freshDatabase } from "../support/database.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";

const NOW = "2026-03-01T09:00:00.000Z";
const UPGRADES = 3;
const CLIENTS = 6;

const clean: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of clean.splice(0).reverse()) await one();
});

function connected(url: string | null, max = 2): SQL {
  const sql = new SQL(url as string, { max, bigint: true });
  clean.push(() => sql.close());
  return sql;
}

function logInto(lines: string[]): Log {
  return createLog({ level: "info", format: "text", clock: new TestClock(), write: (line) => lines.push(line) });
}

/** Changes what a server reads and writes, against the order in which it does. */
function upgrade(n: number): Migration {
  const tables = ["events", "emails", "contents", "contacts"];
  const columns = tables.map((table) => `alter table ${table} add column made_up_${n} text not null default 'x';`);
  return { name: `made_up_${n}`, sql: [...columns, `update contacts set made_up_${n} = email;`].join("\n") };
}

type Clients = {
  /** Comes to an end when so many more mails are accepted. */
  readonly goOn: (mails: number) => Promise<void>;
  readonly stop: () => Promise<string[]>;
};

/** Clients that send and track until they are stopped; they answer the ids of all mails that were accepted. */
function load(posthorn: Posthorn): Clients {
  let isOver = false;
  let accepted = 0;
  const client = async (client: number) => {
    const ids: string[] = [];
    for (let n = 0; !isOver; n++) {
      const to = `${n % 2 === 0 ? "known" : n}.${client}@example.com`;
      const sent = await posthorn.call("POST /v1/send", { ...letter, to, data: { n } });
      const tracked = await posthorn.call("POST /v1/track", { email: to, event: "seen", data: { n } });
      expect([sent.status, tracked.status]).toEqual([200, 200]);
      ids.push(sent.body.data.emails[0].email);
      accepted++;
    }
    return ids;
  };
  const sending = async () => {
    while (!isOver) await posthorn.settle();
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
  const all = Promise.all([clients, sending()]);
  all.catch(() => (isOver = true));
  return {
    goOn: async (mails) => {
      for (const enough = accepted + mails; accepted < enough && !isOver;) await new Promise(setImmediate);
    },
    stop: async () => {
      isOver = true;
      return (await all)[0].flat();
    },
  };
}

describe.skipIf(ENGINE === "sqlite")("on PostgreSQL", () => {
  test(`an old node under load goes on while the store is migrated, ${UPGRADES} times of ${UPGRADES}`, async () => {
    await using posthorn = await startPosthorn({ config: { limits: { requestsPerMinute: 0 } } });
    const sql = connected(posthorn.databaseUrl);
    const clients = load(posthorn);
    const steps = [...MIGRATIONS];
    const lines: string[] = [];
    for (let n = 1; n <= UPGRADES; n++) {
      await clients.goOn(CLIENTS);
      steps.push(upgrade(n));
      const schema = await migratePostgres(sql, { now: NOW, log: logInto(lines), steps });
      expect(schema).toEqual({ before: steps.length - 1, now: steps.length });
    }
    await clients.goOn(CLIENTS);
    const accepted = await clients.stop();
    await posthorn.settle();
    expect(accepted.length).toBeGreaterThan(UPGRADES * CLIENTS);
    expect(posthorn.logLines.filter((line) => / (warn|error) /.test(line))).toEqual([]);
    const left = posthorn.transport.sent.map(({ raw }) => /^Message-ID: (.+)$/im.exec(raw.toString())?.[1]);
    expect([left.length, new Set(left).size]).toEqual([accepted.length, accepted.length]);
  });

  test("a transaction that takes tables in another order goes on, and the step is tried again in that order", async () => {
    const url = (await freshDatabase()).url;
    const [sql, other] = [connected(url), connected(url, 1)];
    const lines: string[] = [];
    const step = {
      name: "made_up",
      sql: "alter table contacts add column a text; alter table emails add column a text",
    };
    const steps = [...MIGRATIONS, step];
    const { migrating } = await other.begin(async (tx) => {
      await tx.unsafe("lock table emails in row exclusive mode");
      const migrated = migratePostgres(sql, { now: NOW, log: logInto(lines), steps });
      const waits = "select 1 from pg_locks where relation = 'emails'::regclass and not granted";
      while ((await tx.unsafe(waits)).length === 0);
      await tx.unsafe("lock table contacts in row exclusive mode");
      return { migrating: migrated };
    });
    expect(await migrating).toEqual({ before: MIGRATIONS.length, now: steps.length });
    expect(await postgresVersion(sql, steps)).toBe(steps.length);
    expect(lines).toEqual([
      expect.stringMatching(/ warn .* tries=1 reason="canceling statement due to lock timeout"$/),
    ]);
  });

  test("a table that is held for long keeps nobody else waiting, and the step is tried again", async () => {
    const url = (await freshDatabase()).url;
    const [sql, other] = [connected(url), connected(url, 1)];
    const lines: string[] = [];
    const steps = [...MIGRATIONS, { name: "made_up", sql: "alter table contacts add column a text" }];
    const { migrating } = await other.begin(async (tx) => {
      await tx.unsafe("lock table contacts in access share mode");
      const migrated = migratePostgres(sql, { now: NOW, log: logInto(lines), steps });
      while (lines.length === 0) await tx.unsafe("select 1");
      return { migrating: migrated };
    });
    expect(await migrating).toEqual({ before: MIGRATIONS.length, now: steps.length });
    expect(lines[0]).toMatch(/ tries=1 reason="canceling statement due to lock timeout"$/);
  });

  test("an index is replaced while others read its table: it is had whole before the first statement", async () => {
    const url = (await freshDatabase()).url;
    const [sql, other] = [connected(url), connected(url, 1)];
    const lines: string[] = [];
    const index = "create index contacts_made_up on contacts (created_at);";
    const steps = [
      ...MIGRATIONS,
      { name: "made_up", sql: index },
      { name: "again", sql: `drop index contacts_made_up; ${index}` },
    ];
    await migratePostgres(sql, { now: NOW, steps: steps.slice(0, -1) });
    const { migrating } = await other.begin(async (tx) => {
      await tx.unsafe("select 1 from contacts");
      const migrated = migratePostgres(sql, { now: NOW, log: logInto(lines), steps });
      const modes = async (isGranted: boolean): Promise<string[]> => {
        const rows = await tx`
          select mode from pg_locks
          where relation = 'contacts'::regclass and granted = ${isGranted} and pid <> pg_backend_pid()`;
        return rows.map(({ mode }: { mode: string }) => mode);
      };
      let waiting: string[] = [];
      while (waiting.length === 0) waiting = await modes(false);
      expect([waiting, await modes(true)]).toEqual([["AccessExclusiveLock"], []]);
      return { migrating: migrated };
    });
    expect(await migrating).toEqual({ before: steps.length - 1, now: steps.length });
  });

  test("a column that was added to what a transaction answers whole does not fail the old node", async () => {
    await using posthorn = await startPosthorn();
    const whole = () => posthorn.store.write((tx) => tx.all`select c.* from contacts c where c.workspace = ${1}`);
    const overAllConnections = () => Promise.all(Array.from({ length: 64 }, whole));
    await overAllConnections();
    await connected(posthorn.databaseUrl).unsafe("alter table contacts add column made_up text");
    expect((await overAllConnections()).flat()).toEqual([]);
  });
});
