// A migrated store of the engine under test, in a place of its own.
import { join } from "node:path";
import { createLog } from "../../src/base/log.ts";
import { openPostgres } from "../../src/store/postgres/engine.ts";
import { openSqlite } from "../../src/store/sqlite/engine.ts";
import { literal } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { allTables } from "../../src/store/table.ts";
import "../../src/whole/tables.ts";
import type { Clock } from "../../src/base/clock.ts";
import { freshDatabase, freshDirectory, freshFile, giveBack } from "./database.ts";

export type FreshStore = { readonly store: Store; readonly url: string | null; remove(): Promise<void> };

export async function freshStore(clock: Clock): Promise<FreshStore> {
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const database = await freshDatabase();
  const directory = freshDirectory();
  const store = database.url === null ? sqliteIn(directory.path) : await postgresAt(database.url);
  store.useKey({ keyedHash: (text) => `hash of ${text}`, signature: () => new Uint8Array(64) });
  return {
    store,
    url: database.url,
    remove: async () => {
      await store.close();
      directory.remove();
      await giveBack(database);
    },
  };

  async function postgresAt(url: string): Promise<Store> {
    return (await openPostgres({ url, connections: 4 }, { clock, log, opening: "use" })).store;
  }

  function sqliteIn(path: string): Store {
    const file = join(path, "test.db");
    freshFile(file);
    return openSqlite(file, { clock, log });
  }
}

/** By table. */
export function allRowsOf(store: Store): Promise<Record<string, unknown[]>> {
  const names = allTables().map(({ name }) => name);
  return store.read(async (reader) => {
    const isFilled = names.map((name) => `select '${name}' as name where exists (select 1 from ${name})`);
    const filled = await reader.all<{ readonly name: string }>`${literal(isFilled.join(" union all "))}`;
    const rows: Record<string, unknown[]> = Object.fromEntries(names.map((name) => [name, []]));
    for (const { name } of filled) rows[name] = await reader.all`${literal(`select * from ${name} order by 1, 2`)}`;
    return rows;
  });
}

/** All but those of the store's own tables. */
export async function rowsOf(store: Store): Promise<Record<string, unknown[]>> {
  return { ...(await allRowsOf(store)), turns: [], installation: [] };
}
