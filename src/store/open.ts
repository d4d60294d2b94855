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
  const url = postgresUrl(config);
  if (url !== null) return openPostgres(url, options);
  const path = databasePath(config);
  mkdirSync(dirname(path), { recursive: true });
  const unlock = lockFile(`${path}.lock`);
  if (!unlock) throw new Error(`Another Posthorn is running on ${path}. Stop it first, or use another data directory.`);
  return openFile(path, { ...options, onClose: unlock });
}

/** For commands that work beside a running server. @throws NewerStoreError */
export async function openStore(config: Config, options: StoreOptions): Promise<Store> {
  const url = postgresUrl(config);
  if (url !== null) return openPostgres(url, options);
  const path = databasePath(config);
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

function postgresUrl({ database }: Config): string | null {
  return database.url !== null && /^postgres(ql)?:/.test(database.url) ? database.url : null;
}

/** `sqlite:<path>`, or posthorn.db in the data directory. */
function databasePath({ database, data }: Config): string {
  return database.url === null ? join(data.dir, "posthorn.db") : database.url.replace(/^sqlite:/, "");
}
