// The engine under test: SQLite, or PostgreSQL if POSTHORN_TEST_DATABASE names a server; each store gets a database of its own.
import { SQL } from "bun";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateSqlite } from "../../src/store/migrations.ts";
import { migratePostgres } from "../../src/store/postgres-migrations.ts";
import { connect } from "../../src/store/sqlite-connection.ts";

const MIGRATED_AT = "2026-03-01T09:00:00.000Z";

const SERVER = process.env["POSTHORN_TEST_DATABASE"] ?? null;

export const ENGINE: "sqlite" | "postgres" = SERVER === null ? "sqlite" : "postgres";

let admin: SQL | null = null;
let model: Promise<string> | null = null;
let made = 0;

/**
 * A fresh, migrated database: `url` for the configuration; null = the file in the data directory. The server is thrown
 * away as a whole: to drop a database would make it write all others out, for each test.
 */
export async function freshDatabase(): Promise<{ url: string | null }> {
  if (SERVER === null) return { url: null };
  admin ??= new SQL(SERVER, { max: 2 });
  const name = await create(`template ${await (model ??= makeModel())}`);
  return { url: urlOf(name) };
}

/** Migrated once; the others are copies of it. */
async function makeModel(): Promise<string> {
  const name = await create("");
  const sql = new SQL(urlOf(name), { max: 1 });
  await migratePostgres(sql, { now: MIGRATED_AT });
  await sql.close();
  return name;
}

async function create(options: string): Promise<string> {
  const name = `posthorn_test_${process.pid}_${++made}`;
  await admin?.unsafe(`drop database if exists ${name} with (force)`);
  await admin?.unsafe(`create database ${name} ${options}`);
  return name;
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

/** Puts a migrated database there, unless the file exists. Migrations run once a process: they take longer than the rest of a start. */
export function freshFile(path: string): void {
  if (existsSync(path)) return;
  writeFileSync(path, (modelFile ??= makeModelFile()), { mode: 0o600 });
}

function makeModelFile(): Uint8Array {
  const { path, remove } = freshDirectory();
  const database = connect(join(path, "model.db"));
  try {
    migrateSqlite(database, MIGRATED_AT);
    return database.serialize();
  } finally {
    database.close();
    remove();
  }
}
