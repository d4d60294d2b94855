// Who may bring a store up to date, and what is said of one that cannot be opened.
import { SQL } from "bun";
import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MIGRATIONS, migrateSqlite, type Migration } from "../../src/store/migrations.ts";
import { connect } from "../../src/store/sqlite/connection.ts";
import { openPostgres } from "../../src/store/postgres/engine.ts";
import { createLog } from "../../src/base/log.ts";
import { makeKey } from "../../src/base/secrets.ts";
import { PAGE_BYTES } from "../../src/store/sqlite/connection.ts";
import { posthornCli, serving, Serving, type Env } from "../support/cli.ts";
import { TestClock } from "../support/clock.ts";
import { ANOTHERS, ENGINE, freshDatabase, freshDirectory, inAnother, knowOneMore } from "../support/database.ts";

const NEWEST = MIGRATIONS.length + 1;
let knowOneLess: () => void;
beforeAll(() => void (knowOneLess = knowOneMore()));
afterAll(() => knowOneLess());

const clean: (() => void)[] = [];
afterEach(() => clean.splice(0).forEach((one) => one()));

function place(): { data: string; file: string; key: string } {
  const { path: data, remove } = freshDirectory();
  clean.push(remove);
  return { data, file: join(data, "posthorn.db"), key: join(data, "secret.key") };
}

/** The store of an executable that knows all migrations but the last one. */
function olderStore() {
  const made = place();
  const database = connect(made.file);
  migrateSqlite(database, "2026-03-01T09:00:00.000Z", MIGRATIONS.slice(0, -1));
  database.close();
  return made;
}

function versionOf(file: string): number {
  using database = new Database(file);
  return (database.query("select max(version) as version from schema_versions").get() as { version: number }).version;
}

/** Without the line that says where settings come from. */
async function saidAtStart(data: string, env: Env = {}): Promise<string> {
  const serve = new Serving(["--data", data], env);
  await serve.stop();
  return serve.text.replace(/^\S+ info {2}configuration .*\n/, "");
}

describe("a store of an older schema", () => {
  const VERBS = ["workspace list", "workspace create acme", "key list", "domain list"];
  test.each(VERBS)("is not changed by posthorn %s, which says what to do", async (verb) => {
    const { data, file } = olderStore();
    const { code, err } = await posthornCli([...verb.split(" "), "--data", data]);
    const said = `The store is at schema ${NEWEST - 1}, this executable needs ${NEWEST}. Start the new server, which migrates it, or run: posthorn migrate.`;
    expect({ code, err }).toEqual({ code: 1, err: said });
    expect(versionOf(file)).toBe(NEWEST - 1);
  });

  test("is brought up to date by posthorn migrate, once", async () => {
    const { data } = olderStore();
    const migrate = async (...words: string[]) => (await posthornCli(["migrate", "--data", data, ...words])).out;
    expect(await migrate()).toBe(`Migrated ${NEWEST - 1} → ${NEWEST}.`);
    expect(await migrate()).toBe(`Nothing to do: the schema is ${NEWEST}.`);
    expect(JSON.parse(await migrate("--json"))).toEqual({ from: NEWEST, to: NEWEST });
    expect((await posthornCli(["workspace", "list", "--data", data])).out).toBe("There are no workspaces yet.");
  });

  test("is brought up to date by the server, whose start says so", async () => {
    const { data } = olderStore();
    const starts = (lines: readonly string[]) => lines.find((line) => line.includes("Posthorn starts")) ?? "";
    const first = await serving(["--data", data]);
    await first.stop();
    expect(starts(first.lines)).toMatch(
      / version=\d+\.\d+\.\d+ commit=\S+ date=\S+ engine="SQLite 3\.\d+\.\d+" schema=\d+ /,
    );
    expect(starts(first.lines)).toEndWith(` schema=${NEWEST} migrated="${NEWEST - 1} → ${NEWEST}"`);
    await using second = await serving(["--data", data]);
    expect(starts(second.lines)).toEndWith(` schema=${NEWEST}`);
  });
});

test("check-config tells of a migration that the next start would do, and of a newer store", async () => {
  const { data } = olderStore();
  const { out } = await posthornCli(["check-config", "--data", data]);
  expect(out).toContain(`The next start brings the store to another schema (${NEWEST - 1} → ${NEWEST}).`);
  const newer = place();
  await (await serving(["--data", newer.data])).stop();
  {
    using database = new Database(newer.file);
    database.run("update schema_versions set version = version + 1 where version = ?", [NEWEST]);
  }
  expect(await posthornCli(["check-config", "--data", newer.data])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/a newer Posthorn has used it.* was last served by Posthorn /),
  });
});

test("check-config says why a store cannot be looked at, which is no fault of the configuration", async () => {
  const { data, file } = place();
  writeFileSync(file, "this is no database, however long it may be ".repeat(100));
  const { code, out } = await posthornCli(["check-config", "--data", data]);
  expect([code, out]).toEqual([0, expect.stringContaining("could not be looked at: ")]);
});

describe("a store of a preview, whose schema is different,", () => {
  test("is refused by the server and by each verb, and stays as it is", async () => {
    const { data, file } = place();
    await inAnother(async () => (await serving(["--data", data])).stop());
    const before = readFileSync(file);
    const served = / The store was last served by Posthorn \d+\.\d+\.\d+ \(commit [\w-]+\)\.$/;
    const said = await saidAtStart(data);
    expect([said.replace(served, ""), served.test(said)]).toEqual([ANOTHERS, true]);
    for (const words of [
      ["migrate"],
      ["workspace", "list"],
      ["workspace", "create", "acme"],
      ["backup", join(data, "its.backup")],
      ["queue", "list"],
    ])
      expect((await posthornCli([...words, "--data", data])).err).toStartWith(ANOTHERS);
    const nowhere = "postgres://posthorn:secret@127.0.0.1:1/posthorn";
    expect((await posthornCli(["migrate-store", "--from", file, "--to", nowhere])).err).toStartWith(ANOTHERS);
    const { code, out } = await posthornCli(["doctor", "--data", data]);
    expect([code, out]).toEqual([1, expect.stringContaining(ANOTHERS)]);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("ends the server with the exit code of a wrong configuration, after which systemd does not start it again", async () => {
    const { data } = place();
    await inAnother(async () => (await serving(["--data", data])).stop());
    const serve = new Serving(["--data", data], {});
    expect(await serve.stop()).toBe(2);
    expect(readFileSync("packaging/posthorn.service", "utf8")).toContain("\nRestartPreventExitStatus=2\n");
  });

  test("is refused by check-config, which says nothing of a store that is not there yet", async () => {
    const { data, file } = place();
    const checked = () => posthornCli(["check-config", "--data", data]);
    expect(await checked()).toMatchObject({ code: 0, out: expect.not.stringContaining("store") });
    await inAnother(async () => (await serving(["--data", data])).stop());
    const before = readFileSync(file);
    expect(await checked()).toMatchObject({ code: 2, err: expect.stringContaining(ANOTHERS) });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(await inAnother(checked)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`The store fits this executable (schema ${NEWEST}).`),
    });
  });

  test("is refused where it kept no fingerprint of its schema", async () => {
    const { data, file } = olderStore();
    {
      using database = new Database(file);
      database.run("alter table schema_versions drop column fingerprint");
    }
    expect(await saidAtStart(data)).toStartWith(ANOTHERS);
  });

  test("is the same store where only comments and white space of its schema differ", async () => {
    const { data, file } = place();
    const known = MIGRATIONS as Migration[];
    const [own] = known as [Migration];
    known[0] = { ...own, sql: `-- In other words.\n${own.sql.replaceAll(" -- ", "\n  -- ")}` };
    await (await serving(["--data", data])).stop();
    known[0] = own;
    expect((await posthornCli(["workspace", "list", "--data", data])).code).toBe(0);
    expect(existsSync(file)).toBe(true);
  });

  test.skipIf(ENGINE === "sqlite")("is refused on PostgreSQL", async () => {
    const { url } = await freshDatabase();
    const env = { POSTHORN_DATABASE_URL: url as string };
    const { code, err } = await inAnother(() => posthornCli(["workspace", "list"], env));
    expect([code, err]).toEqual([2, expect.stringContaining(ANOTHERS)]);
    const { data } = place();
    expect(await inAnother(() => saidAtStart(data, env))).toContain(ANOTHERS);
    const source = place();
    await (await serving(["--data", source.data])).stop();
    const copied = await inAnother(() => posthornCli(["migrate-store", "--from", source.file, "--to", url as string]));
    expect([copied.code, copied.err]).toEqual([2, expect.stringContaining(ANOTHERS)]);
  });
});

describe.skipIf(ENGINE === "sqlite")("on PostgreSQL", () => {
  const on = (url: string) => ({ POSTHORN_DATABASE_URL: url });

  test("a store of an older schema is not changed by other verbs", async () => {
    const { url } = await freshDatabase();
    await using sql = new SQL(url as string, { max: 1 });
    const { code, err } = await posthornCli(["workspace", "list"], on(url as string));
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^The store is at schema \d+, this executable needs \d+\. /),
    ]);
    const [row] = await sql`select max(version) as version from schema_versions`;
    expect(row.version).toBe(NEWEST - 1);
  });

  test("check-config says whether the store fits, and refuses that of another Posthorn", async () => {
    const { url } = await freshDatabase();
    const checked = () => posthornCli(["check-config"], on(url as string));
    const older = `The next start brings the store to another schema (${NEWEST - 1} → ${NEWEST}).`;
    expect(await checked()).toMatchObject({ code: 0, out: expect.stringContaining(older) });
    expect((await posthornCli(["migrate"], on(url as string))).code).toBe(0);
    const fits = `The store fits this executable (schema ${NEWEST}).`;
    expect(await checked()).toMatchObject({ code: 0, out: expect.stringContaining(fits) });
    expect(await inAnother(checked)).toMatchObject({ code: 2, err: expect.stringContaining(ANOTHERS) });
  });

  test("an empty database gets its tables from posthorn migrate, and from no verb that only looks", async () => {
    const url = new URL((await freshDatabase()).url as string);
    await using sql = new SQL(url.href, { max: 1 });
    await sql.unsafe("create schema empty");
    url.searchParams.set("options", "-c search_path=empty");
    const look = await posthornCli(["workspace", "list"], on(url.href));
    expect(look.err).toBe("There is no store in the database yet. Begin with: posthorn serve.");
    expect((await posthornCli(["migrate"], on(url.href))).out).toBe(`Migrated 0 → ${NEWEST}.`);
    expect((await posthornCli(["workspace", "list"], on(url.href))).out).toBe("There are no workspaces yet.");
  });

  test("a new store is measured as it grows, before its plans for empty tables make it slow", async () => {
    const url = new URL((await freshDatabase()).url as string);
    await using sql = new SQL(url.href, { max: 1 });
    await sql.unsafe("create schema growing");
    url.searchParams.set("options", "-c search_path=growing");
    const clock = new TestClock();
    const log = createLog({ level: "error", format: "text", clock, write: () => {} });
    const { store } = await openPostgres({ url: url.href, connections: 2 }, { clock, log, opening: "make" });
    const measured = async () =>
      Number((await sql`select reltuples as rows from pg_class where oid = 'growing.pacers'::regclass`)[0].rows);
    const add = (name: string) =>
      store.write(
        (tx) =>
          tx.run`insert into pacers (name, next_at_ms) select ${name} || number, 0 from generate_series(1, 150) as number`,
      );
    await add("one");
    expect(await measured()).toBe(-1);
    await add("other");
    while ((await measured()) < 300);
    await store.close();
  });
});

test("posthorn migrate neither makes a store nor touches one with a server on it", async () => {
  const { data, file } = place();
  expect((await posthornCli(["migrate", "--data", data])).err).toStartWith(`There is no database ${file}. `);
  expect(existsSync(file)).toBe(false);
  await using _ = await serving(["--data", data]);
  const { code, err } = await posthornCli(["migrate", "--data", data]);
  expect([code, err]).toEqual([1, expect.stringMatching(/^Another Posthorn is running on .* Stop it first/)]);
});

describe("a database that is gone", () => {
  const EMPTIED: readonly [how: string, empty: (file: string) => void][] = [
    ["cut to nothing", (file) => truncateSync(file)],
    [
      "without any table",
      (file) => {
        rmSync(file);
        connect(file).close();
      },
    ],
  ];
  test.each(EMPTIED)("is not made anew beside its key: %s", async (_, empty) => {
    const { data, file, key } = place();
    await (await serving(["--data", data])).stop();
    const log = "what is left of the database";
    empty(file);
    writeFileSync(`${file}-wal`, log);
    const size = statSync(file).size;
    const said = `The database is gone: ${file} is empty, but ${key} is the key of an installation. Restore the database from a backup. To start anew, move both files away.`;
    expect(await saidAtStart(data)).toBe(said);
    for (const words of [["migrate"], ["workspace", "list"], ["workspace", "create", "acme"]])
      expect((await posthornCli([...words, "--data", data])).err).toBe(said);
    expect(statSync(file).size).toBe(size);
    if (size === 0) expect(readFileSync(`${file}-wal`, "utf8")).toBe(log);
  });

  test("is not one where there is no file yet, and the key has come before it", async () => {
    const { data, key } = place();
    makeKey(data);
    const kept = readFileSync(key, "utf8");
    await using server = await serving(["--data", data]);
    expect(server.text).toContain("Posthorn starts for the first time.");
    expect(readFileSync(key, "utf8")).toBe(kept);
  });

  test("is not one where no key is yet, as after a crash during the first start", async () => {
    const { data, file } = place();
    writeFileSync(file, "");
    expect((await posthornCli(["workspace", "list", "--data", data])).err).toBe(
      "There is no store in the database yet. Begin with: posthorn serve.",
    );
    await using server = await serving(["--data", data]);
    expect(server.text).toContain("Posthorn starts for the first time.");
  });
});

describe("a database that cannot be used is named", () => {
  test("where its file is damaged, at the start and by verbs", async () => {
    const { data, file } = place();
    await (await serving(["--data", data])).stop();
    const bytes = readFileSync(file);
    writeFileSync(file, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0xa5)]));
    const said = `The database ${file} cannot be used: database disk image is malformed.`;
    expect(await saidAtStart(data)).toBe(said);
    expect((await posthornCli(["workspace", "list", "--data", data])).err).toBe(said);
  });

  test("where damage is met behind the first pages", async () => {
    const { data, file } = place();
    await (await serving(["--data", data])).stop();
    const root = rootPageOf(file, "workspaces");
    const bytes = readFileSync(file);
    bytes.fill(0xa5, (root - 1) * PAGE_BYTES, root * PAGE_BYTES);
    writeFileSync(file, bytes);
    const said = `The database ${file} cannot be used: database disk image is malformed.`;
    expect((await posthornCli(["workspace", "list", "--data", data])).err).toBe(said);
  });

  test("where its server does not answer", async () => {
    const env = { POSTHORN_DATABASE_URL: "postgres://posthorn:secret@127.0.0.1:1/posthorn" };
    const said = /^PostgreSQL on 127\.0\.0\.1:1 cannot be used: .+\.$/;
    const { data } = place();
    expect(await saidAtStart(data, env)).toMatch(said);
    expect((await posthornCli(["workspace", "list", "--data", data], env)).err).toMatch(said);
  });

  test.skipIf(ENGINE === "sqlite")("where its server refuses", async () => {
    const url = new URL(process.env["POSTHORN_TEST_DATABASE"] ?? "");
    url.pathname = "/none_such";
    const { err } = await posthornCli(["migrate"], { POSTHORN_DATABASE_URL: url.href });
    expect(err).toBe(`PostgreSQL on ${url.host} cannot be used: database "none_such" does not exist.`);
  });
});

function rootPageOf(file: string, table: string): number {
  using database = new Database(file);
  const row = database.query("select rootpage from sqlite_schema where name = ?").get(table);
  return (row as { rootpage: number }).rootpage;
}
