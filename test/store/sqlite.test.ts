// What only the SQLite engine does: group commit, its second thread, its lock, its schema.
import { afterEach, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../src/base/log.ts";
import { forSqlite, MIGRATIONS, migrateSqlite } from "../../src/store/migrations.ts";
import { NewerStoreError } from "../../src/store/schema.ts";
import { connect, lockFile } from "../../src/store/sqlite/connection.ts";
import { openSqlite } from "../../src/store/sqlite/engine.ts";
import { remembered } from "../../src/store/loads.ts";
import { joined, sql, Sql } from "../../src/store/sql.ts";
import type { Store, BatchHandler, Tx } from "../../src/store/store.ts";
import { TestClock } from "../support/clock.ts";

const clock = new TestClock();
const log = createLog({ level: "error", format: "text", clock, write: () => {} });
const open: { store: Store; directory: string }[] = [];

function openStore(): { store: Store; path: string } {
  const directory = mkdtempSync(join(tmpdir(), "posthorn-store-"));
  const path = join(directory, "test.db");
  const database = connect(path);
  migrateSqlite(database, "2026-03-01T09:00:00.000Z");
  database.run("create table slips (seq integer primary key, text text not null unique) strict");
  database.run("create table replies (note integer not null references slips (seq)) strict");
  database.close();
  const store = openSqlite(path, { clock, log });
  open.push({ store, directory });
  return { store, path };
}

afterEach(async () => {
  for (const { store, directory } of open.splice(0)) {
    await store.close();
    rmSync(directory, { recursive: true });
  }
});

const note = (tx: Tx, text: string) => tx.run`insert into slips (text) values (${text})`;
const notes = (store: Store) =>
  store.read(async (reader) =>
    (await reader.all<{ text: string }>`select text from slips order by seq`).map((row) => row.text),
  );

test("its version changes with each commit, of any process, and stays the same without one", async () => {
  const { store, path } = openStore();
  const versions = [store.version()];
  await store.write((tx) => note(tx, "its own"));
  versions.push(store.version());
  const other = openSqlite(path, { clock, log });
  await other.write((tx) => note(tx, "from another process"));
  versions.push(store.version());
  expect(new Set(versions).size).toBe(3);
  await Promise.all([notes(store), notes(other)]);
  expect(store.version()).toBe(versions[2] as number);
  await other.close();
});

test("its version does not count what is not committed yet", async () => {
  const { store } = openStore();
  const before = store.version();
  const seen = await store.write(async (tx) => {
    await note(tx, "on its way");
    return store.version();
  });
  expect(seen).toBe(before);
  expect(store.version()).not.toBe(before);
});

test("what is remembered holds until anything but records is written, by whomever, or undone (slow)", async () => {
  const { store, path } = openStore();
  let looks = 0;
  const count = remembered(
    (table: string) => table,
    async (tx) => {
      looks++;
      return (await tx.get<{ count: number }>`select count(*) as count from slips`)?.count;
    },
  );
  const counted = () => store.write((tx) => count(tx, "slips"));
  expect([await counted(), await counted(), looks]).toEqual([0, 0, 1]);
  await store.write((tx) => tx.run`update contacts set email = email where seq = 0`);
  expect([await counted(), looks]).toEqual([0, 1]);
  const within = await store.write(async (tx) => [
    await count(tx, "slips"),
    await note(tx, "one"),
    await count(tx, "slips"),
  ]);
  expect([within, await counted(), looks]).toEqual([[0, 1, 1], 1, 2]);
  const undone = store.write(async (tx) => {
    await note(tx, "two");
    expect(await count(tx, "slips")).toBe(2);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await counted()).toBe(1);
  const together = [
    store.write((tx) => note(tx, "three")),
    counted(),
    store.write((tx) => note(tx, "four")),
    counted(),
  ];
  expect(await Promise.all(together)).toEqual([1, 2, 1, 3]);
  const other = openSqlite(path, { clock, log });
  await other.write((tx) => note(tx, "from another process"));
  expect(await counted()).toBe(4);
  await other.close();
});

test("waiting writes share one commit, each sees what the ones before it did", async () => {
  const { store, path } = openStore();
  const counts = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      store.write(async (tx) => {
        await note(tx, `note ${index}`);
        return (await tx.get<{ n: number }>`select count(*) as n from slips`)?.n;
      }),
    ),
  );
  expect(counts).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  const other = new Database(path, { readonly: true });
  expect(other.query("select count(*) as n from slips").get()).toEqual({ n: 50 });
  other.close();
});

test("kinds of writes take turns: one that comes by the hundreds keeps nobody back", async () => {
  const { store } = openStore();
  const done: string[] = [];
  /** Each that is carried out takes as long as a batch may. */
  const kind =
    (name: string): BatchHandler<null, null> =>
    async (tx, requests) => {
      await note(tx, `${name}${done.push(name)}`);
      clock.advance(20);
      return requests.map(() => null);
    };
  const [accept, claim, settle] = [kind("accept"), kind("claim"), kind("settle")];
  const accepted = Array.from({ length: 300 }, () => store.writeTogether(accept, null));
  const others = [store.writeTogether(claim, null), store.write(async () => void done.push("else"))];
  const chain = store.writeTogether(settle, null).then(() => store.writeTogether(settle, null));
  await Promise.all([...accepted, ...others, chain]);
  expect(done.slice(0, 4).sort()).toEqual(["accept", "claim", "else", "settle"]);
  expect(done.lastIndexOf("settle")).toBeLessThan(6);
  expect(done.filter((name) => name === "accept")).toHaveLength(5);
});

test("a write that waits for something else than its transaction fails, and the others do not wait for it", async () => {
  const { store } = openStore();
  const slow = store.write(async (tx) => {
    await note(tx, "slow");
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await note(tx, "too late");
  });
  const outcomes = await Promise.allSettled([slow, store.write((tx) => note(tx, "quick"))]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "fulfilled"]);
  expect(await notes(store)).toEqual(["quick"]);
});

test("one that fails after it has written is undone alone: those beside it happen once, before and behind it", async () => {
  const { store } = openStore();
  const done: string[] = [];
  const write = (text: string) =>
    store.write(async (tx) => {
      tx.afterCommit(() => done.push(text));
      await note(tx, text);
      if (text === "broken") throw new Error("halfway");
    });
  const outcomes = await Promise.allSettled(["one", "two", "broken", "three"].map(write));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(await notes(store)).toEqual(["one", "two", "three"]);
  expect(done).toEqual(["one", "two", "three"]);
});

test("one that fails before others have succeeded is carried out once, and nothing of it stays", async () => {
  const { store } = openStore();
  const begun: string[] = [];
  const write = (text: string) =>
    store.write(async (tx) => {
      begun.push(text);
      await note(tx, text);
      if (text.startsWith("broken")) throw new Error("halfway");
    });
  const outcomes = await Promise.allSettled(["broken", "broken too", "one", "two"].map(write));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled", "fulfilled"]);
  expect(begun).toEqual(["broken", "broken too", "one", "two"]);
  expect(await notes(store)).toEqual(["one", "two"]);
});

test("who reads while a batch is being written sees nothing of it", async () => {
  const { store } = openStore();
  await store.write((tx) => note(tx, "before"));
  let reading: Promise<string[]> = Promise.resolve([]);
  await store.write(async (tx) => {
    await note(tx, "in the batch");
    reading = notes(store);
  });
  expect(await reading).toEqual(["before"]);
  expect(await notes(store)).toEqual(["before", "in the batch"]);
});

test("others come in between a large write and its commit, and see nothing of it", async () => {
  const { store } = openStore();
  const events: string[] = [];
  const writing = store.write(async (tx) => {
    await note(tx, "x".repeat(2 * 1024 * 1024));
    setImmediate(async () => events.push(`${(await notes(store)).length} to be seen`));
  });
  const another = writing.then(() => events.push("committed"));
  await Promise.all([another, store.write((tx) => note(tx, "small"))]);
  expect(events).toEqual(["0 to be seen", "committed"]);
  expect((await notes(store)).length).toBe(2);
});

test("a statement is told apart from another of the same literals in other places", async () => {
  const { store } = openStore();
  await store.write((tx) => note(tx, "a"));
  const a = (value: string) => sql`text = ${value}`;
  const both = (one: Sql | number, other: Sql | number) =>
    store.read((reader) => reader.all`select text from slips where ${one} and ${other}`);
  for (let round = 0; round < 2; round++) {
    expect(await both(a("a"), 1)).toHaveLength(1);
    expect(await both(1, a("a"))).toHaveLength(1);
    expect(await both(a("b"), 1)).toHaveLength(0);
    expect(await both(1, sql`${a("a")} and ${1}`)).toHaveLength(1);
    expect(await both(sql`${1} and ${a("b")}`, 1)).toHaveLength(0);
  }
});

test("ever new statements do not pile up (slow)", async () => {
  const { store } = openStore();
  await store.write((tx) => note(tx, "a"));
  for (let count = 1; count <= 2_500; count++) {
    const terms = joined(
      [sql`seq > ${0}`, ...Array.from({ length: count % 50 }, () => sql`seq < ${100 + count}`)],
      " and ",
    );
    const named = new Sql([`select text as text${count} from slips where `, ""], [terms]);
    expect(await store.read((reader) => reader.all`${named}`)).toHaveLength(1);
  }
  expect(await notes(store)).toEqual(["a"]);
});

test("long reads answer the same as short ones", async () => {
  const { store } = openStore();
  await store.write((tx) => note(tx, "one"));
  const rows = await store.read((reader) => reader.all`select text from slips where text = ${"one"}`, { longFor: 1 });
  expect(rows).toEqual([{ text: "one" }]);
});

test("a fault of a long read reaches its reader", async () => {
  const { store } = openStore();
  const broken = store.read((reader) => reader.all`select nonsense from nowhere`, { longFor: 1 });
  await expect(broken).rejects.toThrow("no such table");
});

test("while the file cannot be opened long reads are refused like short ones, and go on when it can", async () => {
  const { store, path } = openStore();
  await store.write((tx) => note(tx, "one"));
  const longRead = () => store.read((reader) => reader.all`select text from slips`, { longFor: 1 });
  renameSync(path, `${path}.away`);
  mkdirSync(path);
  await expect(longRead()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  rmdirSync(path);
  renameSync(`${path}.away`, path);
  expect(await longRead()).toEqual([{ text: "one" }]);
});

test("under steady writing the log is copied back and begins anew, again and again (slow)", async () => {
  const { store, path } = openStore();
  const text = "x".repeat(4000);
  await store.write((tx) => note(tx, "first"));
  // A slow disk lets more be written in between, and no disk lets it go on for ever.
  for (let round = 0; round < 2_000 && (await startsOfLog(path)) < 3; round++)
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => store.write((tx) => note(tx, `${round} ${index} ${text}`))),
    );
  expect(await startsOfLog(path)).toBeGreaterThanOrEqual(3);
});

/** How often it began anew: the checkpoint sequence number of its header (SQLite's file format, §4.1). */
async function startsOfLog(path: string): Promise<number> {
  return new DataView(await Bun.file(`${path}-wal`).slice(0, 16).arrayBuffer()).getUint32(12);
}

test("so is it under few writes that are large (slow)", async () => {
  const { store, path } = openStore();
  const megabyte = "x".repeat(1024 * 1024);
  for (let round = 0; round < 60; round++) {
    await store.write((tx) => note(tx, `${round} ${megabyte}`));
    // Comes after what is copied back.
    await store.read((reader) => reader.get`select 1`, { longFor: 1 });
  }
  expect(Bun.file(`${path}-wal`).size).toBeLessThan(50 * megabyte.length);
});

test("every migration applies to an empty store, in order, and once", () => {
  const database = new Database(":memory:", { strict: true });
  migrateSqlite(database, "2026-03-01T09:00:00.000Z");
  migrateSqlite(database, "2026-03-02T09:00:00.000Z");
  const applied = database.query("select version, name, applied_at from schema_versions order by version").all();
  expect(applied).toEqual(
    MIGRATIONS.map(({ name }, index) => ({ version: index + 1, name, applied_at: "2026-03-01T09:00:00.000Z" })),
  );
});

test("every word in braces in a migration is known to the engine", () => {
  for (const { sql: text } of MIGRATIONS) expect(forSqlite(text)).not.toMatch(/[{}]/);
});

test("the map on top of the schema names every table once, and a room that is there", async () => {
  const page = await Bun.file("migrations/0001_schema.sql").text();
  const map = page.slice(page.indexOf("The map"), page.indexOf("`seq`"));
  const [owners, mapped] = [/^--   src\/([\w/-]+)/gm, /^-- {3}(?:src\/[\w/-]+)? +([a-z_]+) {2,}\S/gm].map((line) =>
    [...map.matchAll(line)].map((match) => match[1] as string),
  ) as [string[], string[]];
  const made = MIGRATIONS.flatMap(({ sql: text }) =>
    [...text.matchAll(/^create table (\w+)/gm)].map((match) => match[1] as string),
  );
  expect(mapped.toSorted()).toEqual([...made, "schema_versions"].toSorted());
  expect(owners.filter((room) => !existsSync(`src/${room}`))).toEqual([]);
});

test("each table of that map is written in its room", async () => {
  const page = await Bun.file("migrations/0001_schema.sql").text();
  const map = page.slice(page.indexOf("The map"), page.indexOf("`seq`"));
  let room = "";
  const written = [...map.matchAll(/^-- {3}(src\/[\w/-]+)? +([a-z_]+) {2,}\S/gm)].map(([, owner, table = ""]) => {
    room = owner ?? room;
    return { room, table };
  });
  const sources = new Map(
    [...new Bun.Glob("src/**/*.ts").scanSync()].map((file) => [file, readFileSync(file, "utf8")]),
  );
  const isWritten = ({ room, table }: (typeof written)[number]) => {
    const writes = new RegExp(`(?:insert into|update|delete from) ${table}\\b|(?:insertion|changing)\\(\\s*"${table}"`);
    return [...sources].some(([file, source]) => file.startsWith(`${room}/`) && writes.test(source));
  };
  expect(written.filter((one) => !isWritten(one))).toEqual([]);
});

test("the list of migrations is the folder", async () => {
  const files = [...new Bun.Glob("*.sql").scanSync("migrations")].sort();
  expect(MIGRATIONS.map(({ name }) => `${name}.sql`)).toEqual(files);
});

test("a store that a newer Posthorn has used is refused in clear words", () => {
  const database = new Database(":memory:", { strict: true });
  migrateSqlite(database, "2026-03-01T09:00:00.000Z");
  database.run(
    "insert into schema_versions (version, name, applied_at, fingerprint) values (9999, 'from the future', '2030-01-01', '')",
  );
  expect(() => migrateSqlite(database, "2026-03-01T09:00:00.000Z")).toThrow(NewerStoreError);
  expect(() => migrateSqlite(database, "2026-03-01T09:00:00.000Z")).toThrow("a newer Posthorn has used it");
});

test("two servers cannot serve from one file", () => {
  const directory = mkdtempSync(join(tmpdir(), "posthorn-lock-"));
  const path = join(directory, "posthorn.db.lock");
  const unlock = lockFile(path);
  expect(unlock).not.toBeNull();
  expect(lockFile(path)).toBeNull();
  unlock?.();
  const again = lockFile(path);
  expect(again).not.toBeNull();
  again?.();
  rmSync(directory, { recursive: true });
});

test("a lock that cannot be taken for another reason is not taken for somebody else's", () => {
  expect(() => lockFile("/dev/null/posthorn.db.lock")).toThrow();
});

/** In other orders, `pragma integrity_check` of SQLite 3.40 (Debian 12) finds nulls that are not there. */
test("tables in the order of their key have its columns first", () => {
  using database = new Database(":memory:");
  migrateSqlite(database, "2026-03-01T09:00:00.000Z");
  const tables = database
    .query<{ name: string }, []>(
      "select name from sqlite_master where type = 'table' and sql like '%strict, without rowid%'",
    )
    .all();
  const columnsOf = (name: string) =>
    database.query<{ name: string; pk: number }, []>(`select name, pk from pragma_table_info('${name}')`).all();
  const first = tables.map(({ name }) => {
    const columns = columnsOf(name);
    return [name, ...columns.slice(0, columns.filter(({ pk }) => pk > 0).length).map(({ pk }) => pk)];
  });
  expect(first.length).toBeGreaterThan(10);
  expect(first.filter(([, ...places]) => places.some((place, at) => place !== at + 1))).toEqual([]);
});
