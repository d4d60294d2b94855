// The engine under test: SQLite, or PostgreSQL if POSTHORN_TEST_DATABASE names a server; each store gets a database of
// its own.
import { SQL } from "bun";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MIGRATIONS, migrateSqlite, type Migration } from "../../src/store/migrations.ts";
import { migratePostgres } from "../../src/store/postgres/migrations.ts";
import { connect } from "../../src/store/sqlite/connection.ts";

/** Without those that a test adds while it runs. */
const RELEASED: readonly Migration[] = [...MIGRATIONS];
const MIGRATED_AT = "2026-03-01T09:00:00.000Z";

const SERVER = process.env["POSTHORN_TEST_DATABASE"] || null;

export const ENGINE: "sqlite" | "postgres" = SERVER === null ? "sqlite" : "postgres";

let admin: SQL | null = null;
let model: Promise<string> | null = null;
let made = 0;
/** Databases of tests that are over, empty again. */
const spare: string[] = [];
/** A connection to each: a new one would have to read the whole catalogue before it can empty anything. */
const emptying = new Map<string, SQL>();

/** A fresh, migrated database: `url` for the configuration; null = the file in the data directory. */
export async function freshDatabase(): Promise<{ url: string | null }> {
  if (SERVER === null) return { url: null };
  admin ??= new SQL(SERVER, { max: 2 });
  const name = await (model ??= makeModel(admin));
  return { url: spare.pop() ?? urlOf(await create(admin, `template ${name}`)) };
}

/**
 * The next test gets it, emptied: that takes a twentieth of the time of a new one. What has grown or was altered is
 * dropped.
 */
export async function giveBack({ url }: { url: string | null }): Promise<void> {
  if (url === null) return;
  const sql = emptying.get(url) ?? new SQL(url, { max: 1 });
  emptying.set(url, sql);
  const isLikeNew = await sql
    .unsafe(EMPTY)
    .then(() => sql.unsafe(SHAPE))
    .then(([{ columns, bytes }]) => columns === modelColumns && Number(bytes) < MAX_SPARE_BYTES)
    .catch(() => false);
  if (isLikeNew) return void spare.push(url);
  emptying.delete(url);
  await sql.close();
  await admin?.unsafe(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
}

const MAX_SPARE_BYTES = 32 * 1024 * 1024;
const SHAPE = `select (select sum(relnatts) from pg_class where relnamespace = 'public'::regnamespace) as columns,
  pg_database_size(current_database()) as bytes`;
const SEEDS = RELEASED.flatMap(({ sql }) => sql.match(/^insert into .*;$/gm) ?? []);
const EMPTY = `do $$ declare one record; begin
  set local session_replication_role = replica;
  for one in select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_versions' loop
    execute format('delete from %I', one.name);
  end loop;
  perform setval(format('%I', sequencename)::regclass, start_value, false) from pg_sequences where last_value is not null;
  ${SEEDS.join("\n")}
end $$`;

let modelColumns: unknown;

/** Migrated once; the others are copies of it. */
async function makeModel(server: SQL): Promise<string> {
  await dropAbandoned(server);
  const name = await create(server, "");
  const sql = new SQL(urlOf(name), { max: 1 });
  await migratePostgres(sql, { now: MIGRATED_AT, steps: RELEASED });
  [{ columns: modelColumns }] = await sql.unsafe(SHAPE);
  await sql.close();
  return name;
}

async function create(server: SQL, options: string): Promise<string> {
  const name = `${PREFIX}${process.pid}_${++made}`;
  await server.unsafe(`drop database if exists ${name} with (force)`);
  await server.unsafe(`create database ${name} ${options}`);
  return name;
}

const PREFIX = "posthorn_test_";

const MAX_DROPPED_AT_ONCE = 20;

/** Databases of test processes that have ended. Another one may be dropping them as well. */
async function dropAbandoned(server: SQL): Promise<void> {
  const names = await server`select datname as name from pg_database where starts_with(datname, ${PREFIX})`;
  const abandoned = names.filter(({ name }: { name: string }) => !isAlive(Number(name.split("_")[2])));
  for (const { name } of abandoned.slice(0, MAX_DROPPED_AT_ONCE))
    await server.unsafe(`drop database if exists ${name} with (force)`).catch(() => undefined);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function urlOf(database: string): string {
  const url = new URL(SERVER ?? "");
  url.pathname = `/${database}`;
  return url.href;
}

/** A directory that is removed by `remove`. */
export function freshDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "posthorn-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

let modelFile: Uint8Array | null = null;

/**
 * Puts a migrated database there, unless the file exists. Migrations run once a process: they take longer than the rest
 * of a start.
 */
export function freshFile(path: string): void {
  if (existsSync(path)) return;
  writeFileSync(path, (modelFile ??= makeModelFile()), { mode: 0o600 });
}

function makeModelFile(): Uint8Array {
  const { path, remove } = freshDirectory();
  const database = connect(join(path, "model.db"));
  try {
    migrateSqlite(database, MIGRATED_AT, RELEASED);
    return database.serialize();
  } finally {
    database.close();
    remove();
  }
}

/** From here on the code under test is an executable that knows one more migration; answers how to undo that. */
export function knowOneMore(): () => void {
  const known = MIGRATIONS as Migration[];
  known.push({ name: "made_up", sql: "alter table workspaces add column made_up text" });
  return () => void known.pop();
}

/** What is said of a store that was made with another schema. */
export const ANOTHERS =
  "The store was created by a preview of Posthorn, from before 0.1.0, and its schema is different. Use the executable that created it, or start with a new data directory (on PostgreSQL, an empty database).";

/** Meanwhile the code under test is an executable that makes its stores with another schema. */
export async function inAnother<Result>(work: () => Promise<Result>): Promise<Result> {
  const known = MIGRATIONS as Migration[];
  const [own] = known as [Migration];
  known[0] = { ...own, sql: `${own.sql}\ncreate table made_up (one text);` };
  try {
    return await work();
  } finally {
    known[0] = own;
  }
}
