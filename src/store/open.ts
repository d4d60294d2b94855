// From a configuration to a store that is migrated and ready.
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { iso, MINUTE_MS } from "../base/clock.ts";
import type { Config } from "../base/config.ts";
import { keyFile } from "../base/secrets.ts";
import { MIGRATIONS, migrateSqlite, sqliteVersion } from "./migrations.ts";
import { openPostgres, schemaAt, type PostgresServer } from "./postgres/engine.ts";
import { COMMAND_CONNECTIONS, MORE_CONNECTIONS, roomOn, scarcityOf } from "./postgres/sessions.ts";
import { openSqlite, type SqliteOptions } from "./sqlite/engine.ts";
import { refuseUnfit, type OpenStore, type StoreOpenMode, type Schema, type StoreOptions } from "./schema.ts";
import { connect, inFile, lockFile } from "./sqlite/connection.ts";
import { keepBeforeMigration } from "./sqlite/rollback.ts";
import { schemaIn } from "./sqlite/snapshot.ts";

/** All times are the database's, but the two machines show people different times, and one of them is wrong. */
const MAX_CLOCK_DIFFERENCE_MS = MINUTE_MS;

/** `withoutCopy`: an older SQLite file is migrated without a copy to go back to. */
type ServeOptions = StoreOptions & { readonly withoutCopy?: boolean };

/**
 * Opens the store for the server, and migrates it. A file can have one server; PostgreSQL, any number.
 * @throws Error if another process serves from the file, the store cannot be used or the clocks differ too much,
 * NewerStoreError if a newer Posthorn has used it
 */
export async function openStoreToServe(config: Config, options: ServeOptions): Promise<OpenStore> {
  const path = databaseFile(config);
  const opening = "migrate";
  if (path === null) {
    const opened = await openPostgres(serverOf(config), { ...options, opening });
    await warnOfScarcity(opened, config, options);
    return withSoundClock(opened, options);
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unlock = lockFile(`${path}.lock`);
  if (!unlock) throw new Error(`Another Posthorn is running on ${path}. Stop it first, or use another data directory.`);
  try {
    return openFile(path, config, { ...options, opening, onClose: unlock });
  } catch (error) {
    unlock();
    throw error;
  }
}

type BesideOptions = StoreOptions & { readonly opening: "make" | "use" };

/**
 * For commands that work beside a running server. @throws Error if the store is older or cannot be used,
 * NewerStoreError
 */
export async function openStore(config: Config, options: BesideOptions): Promise<OpenStore> {
  const path = databaseFile(config);
  if (path === null) return openPostgres({ ...serverOf(config), connections: COMMAND_CONNECTIONS }, options);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openFile(path, config, options);
}

/**
 * The schema of the store, and the one that this executable would migrate it to; null = no store yet. Nothing
 * is changed.
 * @throws ForeignStoreError, NewerStoreError, Error if the store cannot be read
 */
export async function fitOf(config: Config): Promise<Schema | null> {
  const path = databaseFile(config);
  const before = path === null ? await schemaAt(serverOf(config).url) : schemaIn(path);
  return before === 0 ? null : { before, now: MIGRATIONS.length };
}

async function warnOfScarcity({ store }: OpenStore, config: Config, { log }: StoreOptions): Promise<void> {
  const scarcity = scarcityOf(await store.read(roomOn), config.database.connections);
  if (scarcity !== null) log.warn(`${scarcity} ${MORE_CONNECTIONS}`);
}

async function withSoundClock(opened: OpenStore, { clock, log }: StoreOptions): Promise<OpenStore> {
  const { store } = opened;
  const aheadMs = Math.round(clock.nowMs() - store.clock.nowMs());
  log.info("compared this machine's clock with the database's", { aheadMs });
  if (Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS) return opened;
  await store.close();
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const how = `${seconds} seconds ${aheadMs > 0 ? "ahead of" : "behind"}`;
  throw new Error(
    `This machine's clock is ${how} the database's. Synchronize both with a time server (NTP), then start again.`,
  );
}

type FileOptions = SqliteOptions & { readonly opening: StoreOpenMode; readonly withoutCopy?: boolean };

function openFile(path: string, config: Config, options: FileOptions): OpenStore {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  // Beside an empty file, SQLite would delete the log, which may hold the rest of the data.
  if (size === 0) refuseGone(path, config);
  try {
    const { engine, schema } = prepared(path, options, () => size !== undefined && refuseGone(path, config));
    return { store: openSqlite(path, options), engine, schema };
  } catch (error) {
    throw inFile(error, path);
  }
}

function prepared(
  path: string,
  { opening, clock, log, withoutCopy }: FileOptions,
  refuseEmpty: () => void,
): Omit<OpenStore, "store"> {
  const database = connect(path);
  try {
    const version = sqliteVersion(database);
    if (version === 0) refuseEmpty();
    refuseUnfit(version, MIGRATIONS.length, opening);
    if (version > 0 && version < MIGRATIONS.length && !withoutCopy) {
      log.info("the database is copied before its migration", { schema: version });
      keepBeforeMigration(database, path, version);
    }
    const schema = migrateSqlite(database, iso(clock.nowMs()));
    const engine = database.query("select 'SQLite ' || sqlite_version() as engine").get() as { engine: string };
    return { ...engine, schema };
  } finally {
    database.close();
  }
}

/**
 * A key is made only once there is a store, so a file without a store has lost it. @throws Error if there is a key in
 * the data directory
 */
function refuseGone(path: string, { secrets, data }: Config): void {
  const key = keyFile(data.dir);
  if (secrets.key !== null || !existsSync(key)) return;
  throw new Error(
    `The database is gone: ${path} is empty, but ${key} is the key of an installation. Restore the database from a backup. To start anew, move both files away.`,
  );
}

/** The directories with content that others should not see. */
export function privateDirectories(config: Config): readonly string[] {
  const file = databaseFile(config);
  return [...new Set([config.data.dir, ...(file === null ? [] : [dirname(file)])].map((path) => resolve(path)))];
}

/** Where `databaseFile` answers null. */
function serverOf({ database: { url, connections } }: Config): PostgresServer {
  return { url: url as string, connections };
}

/**
 * The path of the SQLite file: `sqlite:<path>`, or posthorn.db in the data directory; null where the store is
 * PostgreSQL.
 */
export function databaseFile({ database, data }: Config): string | null {
  if (database.url === null) return join(data.dir, "posthorn.db");
  return database.url.startsWith("sqlite:") ? database.url.slice("sqlite:".length) : null;
}
