// A copy of a SQLite store as it is at one moment, while others work on it.
import { statSync } from "node:fs";
import { Database, SQLiteError } from "bun:sqlite";
import { makePrivate } from "../../base/private-files.ts";
import { migrateSqlite, sqliteVersion } from "../migrations.ts";
import { connect, inFile } from "./connection.ts";

/**
 * Copies the store at `from` into a new file without freed pages. Servers go on reading and writing; their log cannot
 * start over before the copy is made. @throws Error in plain words
 */
export function copySqlite(from: string, to: string): void {
  makePrivate(to);
  const database = connect(from);
  try {
    database.query("vacuum into ?").run(to);
  } catch (error) {
    throw inFile(error, from);
  } finally {
    database.close();
  }
}

/**
 * The schema of a file that others may use; 0 = there is no store in it. @throws ForeignStoreError, NewerStoreError,
 * SQLiteError
 */
export function schemaIn(path: string): number {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return 0;
  using database = new Database(path, { readonly: true });
  return sqliteVersion(database);
}

/**
 * Opens a copy and reads all of it. Answers the number of its schema, and the fingerprint of its key; null = it has not
 * been used yet.
 * @throws Error if it is not a store or is damaged, NewerStoreError if it is a newer Posthorn's
 */
export function examined(path: string): { readonly schema: number; readonly fingerprint: string | null } {
  const database = new Database(path, { readwrite: true });
  try {
    const version = sqliteVersion(database);
    if (version === 0) throw new Error("It is not the database of a Posthorn.");
    const faults = (database.query("pragma quick_check(3)").values() as [string][]).flat();
    if (faults.join() !== "ok") throw new Error(`The database is damaged: ${faults.join("; ")}.`);
    const [row] = database.query("select key_fingerprint from installation").values() as [string | null][];
    return { schema: version, fingerprint: row?.[0] ?? null };
  } catch (error) {
    if (error instanceof SQLiteError) throw new Error(`The database is damaged: ${error.message}.`, { cause: error });
    throw error;
  } finally {
    database.close();
  }
}

/** The end of a workspace's ledger of consent, in hex, and the signature of it by the installation's key. */
export type LedgerEnd = {
  readonly workspace: string;
  readonly number: number;
  readonly at: string;
  readonly hash: string;
  readonly signature: string;
};

export function ledgerEnds(path: string): LedgerEnd[] {
  const database = new Database(path, { readonly: true });
  try {
    return database
      .query<LedgerEnd, []>(
        `select w.id as workspace, t.number, t.at, lower(hex(t.hash)) as hash, lower(hex(t.signature)) as signature
         from consent_tips t join workspaces w on w.seq = t.workspace where t.number > 0 order by w.seq`,
      )
      .all();
  } finally {
    database.close();
  }
}

/** Migrates a copy that is not in use to the newest schema, and holds it (hold.ts) if `isHeld`. */
export function bringUpToDate(path: string, now: string, isHeld: boolean): void {
  const database = connect(path);
  try {
    migrateSqlite(database, now);
    if (isHeld) database.query("update installation set held_at = ?").run(now);
    database.run("pragma wal_checkpoint(truncate)");
  } finally {
    database.close();
  }
}
