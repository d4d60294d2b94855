// A migrated store of the engine under test, in a place of its own.
import { join } from "node:path";
import { createLog } from "../../src/log.ts";
import { openPostgres } from "../../src/store/postgres.ts";
import { migrateSqlite } from "../../src/store/migrations.ts";
import { connect } from "../../src/store/sqlite-connection.ts";
import { openSqlite } from "../../src/store/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import type { TestClock } from "./clock.ts";
import { freshDatabase, freshDirectory } from "./database.ts";

export type FreshStore = { readonly store: Store; readonly url: string | null; remove(): Promise<void> };

export async function freshStore(clock: TestClock): Promise<FreshStore> {
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const database = await freshDatabase();
  const directory = freshDirectory();
  const store = database.url === null ? sqliteIn(directory.path) : await openPostgres(database.url, { clock, log });
  return {
    store,
    url: database.url,
    remove: async () => {
      await store.close();
      directory.remove();
    },
  };

  function sqliteIn(path: string): Store {
    const file = join(path, "test.db");
    const connection = connect(file);
    migrateSqlite(connection, "2026-03-01T09:00:00.000Z");
    connection.close();
    return openSqlite(file, { clock, log, failSlowWrites: true });
  }
}
