// The SQLite store of a stopped installation: opened alone and only read, to be copied as a whole.
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import type { CopiedTable, CopyRow, SourceTable } from "./plan.ts";
import { MIGRATIONS, migrateSqlite, sqliteVersion } from "../migrations.ts";
import { lockFile } from "../sqlite/connection.ts";

const LOCK_WAIT_MS = 5_000;

/** @throws Error if there is no store at `path`, a Posthorn runs on it, or it is not of the newest version */
export function openSource(path: string): SqliteSource {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Error(`There is no file ${path}.`);
  const unlock = lockFile(`${path}.lock`);
  if (!unlock)
    throw new Error(`A Posthorn is running on ${path}. Stop it first: only a stopped installation can be copied.`);
  try {
    return new SqliteSource(heldStill(path), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The content of a store that has not been used yet. */
export function newSource(now: string): SqliteSource {
  const database = new Database(":memory:", { strict: true });
  migrateSqlite(database, now);
  return new SqliteSource(database, () => {});
}

/** Opened for writing but never written to, so that verbs beside a server cannot write during the copy. */
function heldStill(path: string): Database {
  const database = new Database(path, { readwrite: true, strict: true });
  try {
    database.run(`pragma busy_timeout = ${LOCK_WAIT_MS}`);
    database.run("begin immediate");
    database.run("pragma query_only = on");
    refuseOtherVersion(database, path);
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && error.name === "SQLiteError") throw new Error(`${path}: ${error.message}.`);
    throw error;
  }
}

/** A store of an older version is not migrated here: a copy changes nothing in its source. */
function refuseOtherVersion(database: Database, path: string): void {
  const version = sqliteVersion(database);
  if (version === 0) throw new Error(`${path} is not the database of a Posthorn.`);
  if (version === MIGRATIONS.length) return;
  throw new Error(
    `${path} is at schema ${version}, this executable needs ${MIGRATIONS.length}. Migrate it first: posthorn migrate --data DIR.`,
  );
}

export class SqliteSource implements Disposable {
  readonly #database: Database;
  readonly #unlock: () => void;

  constructor(database: Database, unlock: () => void) {
    this.#database = database;
    this.#unlock = unlock;
  }

  tables(): readonly SourceTable[] {
    return tablesIn(this.#database);
  }

  count({ name }: CopiedTable): number {
    return (this.#database.query(`select count(*) as n from "${name}"`).get() as { n: number }).n;
  }

  /** The highest number that a row ever had: deleted rows count as well. */
  lastNumber({ name }: CopiedTable): number {
    const row = this.#database.query("select seq from sqlite_sequence where name = ?").get(name);
    return (row as { seq: number } | null)?.seq ?? 0;
  }

  /** The rows in the order of the key, from behind the key of `after`, read one by one. */
  *rows({ name, columns, key }: CopiedTable, after: CopyRow | null = null): Generator<CopyRow> {
    const selected = columns.map(
      (column) => (column.kind === "json" ? `json("${column.name}") as ` : "") + `"${column.name}"`,
    );
    const order = key.map((column) => `"${column}"`).join(", ");
    const condition = after ? ` where (${order}) > (${key.map(() => "?").join(", ")})` : "";
    const statement = this.#database.prepare(
      `select ${selected.join(", ")} from "${name}"${condition} order by ${order}`,
    );
    try {
      yield* statement.iterate(...((after ? key.map((column) => after[column]) : []) as [])) as Iterable<CopyRow>;
    } finally {
      statement.finalize();
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
    this.#unlock();
  }
}

/** All tables that hold rows of the product, in the order of their creation. Triggers write the turns of the target. */
export function tablesIn(database: Database): readonly SourceTable[] {
  const rows = database.query(`
    select s.name from sqlite_schema s join pragma_table_list l on l.name = s.name and l.schema = 'main'
    where l.type = 'table' and s.name not like 'sqlite!_%' escape '!' and s.name not in ('schema_versions', 'turns', 'contacts_sought_to') order by s.rowid`);
  return (rows.all() as { name: string }[]).map(({ name }) => tableIn(database, name));
}

function tableIn(database: Database, name: string): SourceTable {
  const columns = database.query(`pragma table_info("${name}")`).all() as { name: string; pk: number }[];
  const references = database.query(`pragma foreign_key_list("${name}")`).all() as { table: string }[];
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  return {
    name,
    columns: columns.map((column) => column.name),
    key: key.map((column) => column.name),
    references: references.map(({ table }) => table),
  };
}
