// From a configuration to a store that is migrated and ready.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { iso } from "../clock.ts";
import type { Config } from "../config.ts";
import { migrateSqlite } from "./migrations.ts";
import { openSqlite, type SqliteOptions } from "./sqlite.ts";
import { connect, lockFile } from "./sqlite-connection.ts";
import type { Store } from "./store.ts";

/**
 * For the server: nobody else may serve from the same file.
 * @throws Error if another process does, NewerStoreError if a newer Posthorn has used it
 */
export function openStoreAlone(config: Config, options: Omit<SqliteOptions, "onClose">): Store {
  const path = databasePath(config);
  mkdirSync(dirname(path), { recursive: true });
  const unlock = lockFile(`${path}.lock`);
  if (!unlock) throw new Error(`Another Posthorn is running on ${path}. Stop it first, or use another data directory.`);
  return openStore(config, { ...options, onClose: unlock });
}

/** For commands that work beside a running server. */
export function openStore(config: Config, options: SqliteOptions): Store {
  const path = databasePath(config);
  mkdirSync(dirname(path), { recursive: true });
  const database = connect(path);
  try {
    migrateSqlite(database, iso(options.clock.nowMs()));
  } finally {
    database.close();
  }
  return openSqlite(path, options);
}

/** `sqlite:<path>`, or posthorn.db in the data directory. */
function databasePath({ database, data }: Config): string {
  return database.url === null ? join(data.dir, "posthorn.db") : database.url.replace(/^sqlite:/, "");
}
