// From a configuration to a store that is migrated and ready.
import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { iso, MINUTE_MS } from "../clock.ts";
import type { Config } from "../config.ts";
import { migrateSqlite } from "./migrations.ts";
import { openPostgres, type PostgresOptions } from "./postgres.ts";
import { openSqlite, type SqliteOptions } from "./sqlite.ts";
import { connect, lockFile } from "./sqlite-connection.ts";
import type { Store } from "./store.ts";

type StoreOptions = Omit<SqliteOptions, "onClose"> & PostgresOptions;

/** All goes by the database's clock, but the two machines show people different times, and one of them is wrong. */
const MAX_CLOCK_DIFFERENCE_MS = MINUTE_MS;

/**
 * For the server. Nobody else may serve from the same file; on PostgreSQL, any number may.
 * @throws Error if another process serves from the file or the clocks differ too much, NewerStoreError if a newer Posthorn has used
 * the store
 */
export async function openStoreToServe(config: Config, options: StoreOptions): Promise<Store> {
  const path = databaseFile(config);
  if (path === null) return withSoundClock(await openPostgres(config.database.url as string, options), options);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unlock = lockFile(`${path}.lock`);
  if (!unlock) throw new Error(`Another Posthorn is running on ${path}. Stop it first, or use another data directory.`);
  return openFile(path, { ...options, onClose: unlock });
}

/** For commands that work beside a running server. @throws NewerStoreError */
export async function openStore(config: Config, options: StoreOptions): Promise<Store> {
  const path = databaseFile(config);
  if (path === null) return openPostgres(config.database.url as string, options);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openFile(path, options);
}

async function withSoundClock(store: Store, { clock, log, byDatabaseClock }: StoreOptions): Promise<Store> {
  if (!byDatabaseClock) return store;
  const aheadMs = Math.round(clock.nowMs() - store.clock.nowMs());
  log.info("compared this machine's clock with the database's", { aheadMs });
  if (Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS) return store;
  await store.close();
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const how = `${seconds} seconds ${aheadMs > 0 ? "ahead of" : "behind"}`;
  throw new Error(
    `This machine's clock is ${how} the database's. Synchronize both with a time server (NTP), then start again.`,
  );
}

function openFile(path: string, options: SqliteOptions): Store {
  const database = connect(path);
  try {
    migrateSqlite(database, iso(options.clock.nowMs()));
  } finally {
    database.close();
  }
  return openSqlite(path, options);
}

/** The directories that hold what others should not see. */
export function privateDirectories(config: Config): readonly string[] {
  const file = databaseFile(config);
  return [...new Set([config.data.dir, ...(file === null ? [] : [dirname(file)])].map((path) => resolve(path)))];
}

/** The path of the SQLite file: `sqlite:<path>`, or posthorn.db in the data directory; null where the store is PostgreSQL. */
export function databaseFile({ database, data }: Config): string | null {
  if (database.url === null) return join(data.dir, "posthorn.db");
  return database.url.startsWith("sqlite:") ? database.url.slice("sqlite:".length) : null;
}
