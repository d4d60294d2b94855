// The schema, step by step: each numbered file once, in a transaction of its own.
import type { Database } from "bun:sqlite";
import foundation from "../../migrations/0001_foundation.sql" with { type: "text" };

export const MIGRATIONS: readonly { readonly name: string; readonly sql: string }[] = [
  { name: "0001_foundation", sql: foundation },
];

/** What the words in braces mean to SQLite. `autoincrement`: a number is never given to a second row. */
const SQLITE_WORDS: Readonly<Record<string, string>> = {
  serial: "integer primary key autoincrement",
  strict: " strict",
  json: "blob",
  bytes: "blob",
  real: "real",
};
/** STRICT tables know these types by other names. */
const SQLITE_TYPES = /\b(bigint|smallint)\b/g;

export class NewerStoreError extends Error {
  override readonly name = "NewerStoreError";
}

export function forSqlite(sql: string): string {
  return sql.replace(/\{(\w+)\}/g, (_, word: string) => SQLITE_WORDS[word] ?? "").replace(SQLITE_TYPES, "integer");
}

/**
 * Brings a SQLite store to the newest schema.
 * @throws NewerStoreError if a newer Posthorn has already been here.
 */
export function migrateSqlite(database: Database, now: string): void {
  database.run("create table if not exists schema_versions (version integer primary key, name text not null, applied_at text not null) strict");
  const version = (database.query("select coalesce(max(version), 0) as version from schema_versions").get() as { version: number }).version;
  if (version > MIGRATIONS.length) {
    throw new NewerStoreError(
      `The store is at version ${version}, this Posthorn knows ${MIGRATIONS.length}: a newer Posthorn has used it. Start that one, or restore a backup.`,
    );
  }
  MIGRATIONS.slice(version).forEach((step, index) => apply(database, version + index + 1, step, now));
}

function apply(database: Database, version: number, step: { name: string; sql: string }, now: string): void {
  const work = database.transaction(() => {
    const done = database.query("select 1 from schema_versions where version = ?").get(version);
    if (done) return;
    database.run(forSqlite(step.sql));
    database.query("insert into schema_versions (version, name, applied_at) values (?, ?, ?)").run(version, step.name, now);
  });
  work.immediate();
}
