// From a configuration to a store that is migrated and ready.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { iso } from "../clock.ts";
import type { Config } from "../config.ts";
import { migrateSqlite } from "./migrations.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite, type SqliteOptions } from "./sqlite.ts";
import { connect, lockFile } from "./sqlite-connection.ts";
import type { Store } from "./store.ts";

type StoreOptions = Omit<SqliteOptions, "onClose">;

/**
 * For the server. Nobody else may serve from the same file; on PostgreSQL, any number may.
 * @throws Error if another process serves from the file, NewerStoreError if a newer Posthorn has used the store
 */
export async function openStoreToServe(config: Config, options: StoreOptions): Promise<Store> {
  const path = databaseFile(config);
  if (path === null) return openPostgres(config.database.url as string, options);
  mkdirSync(dirname(path), { recursive: true });
  const unlock = lockFile(`${path}.lock`);
  if (!unlock) throw new Error(`Another Posthorn is running on ${path}. Stop it first, or use another data directory.`);
  return openFile(path, { ...options, onClose: unlock });
}

/** For commands that work beside a running server. @throws NewerStoreError */
export async function openStore(config: Config, options: StoreOptions): Promise<Store> {
  const path = databaseFile(config);
  if (path === null) return openPostgres(config.database.url as string, options);
  mkdirSync(dirname(path), { recursive: true });
  return openFile(path, options);
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

/** The path of the SQLite file: `sqlite:<path>`, or posthorn.db in the data directory; null where the store is PostgreSQL. */
export function databaseFile({ database, data }: Config): string | null {
  if (database.url === null) return join(data.dir, "posthorn.db");
  return database.url.startsWith("sqlite:") ? database.url.slice("sqlite:".length) : null;
}
