// The SQLite file that a copy of a PostgreSQL store goes into: a new one, which no other process works on.
import { Database } from "bun:sqlite";
import { makePrivate } from "../../base/private-files.ts";
import { migrateSqlite } from "../migrations.ts";
import { PAGE_BYTES } from "../sqlite/connection.ts";
import type { CopyColumn, CopiedTable, CopyRow, SourceTable } from "./plan.ts";
import { tablesIn } from "./sqlite-source.ts";

export class SqliteTarget implements Disposable {
  readonly #database: Database;

  /** Makes the file, with the empty tables of the newest schema. */
  constructor(path: string, now: string) {
    makePrivate(path);
    this.#database = new Database(path, { readwrite: true, strict: true });
    // After a loss of power, the file is made anew.
    for (const setting of [`page_size = ${PAGE_BYTES}`, "synchronous = off", "journal_mode = off"])
      this.#database.run(`pragma ${setting}`);
    migrateSqlite(this.#database, now);
    for (const { name } of this.tables()) this.#database.run(`delete from "${name}"`);
  }

  tables(): readonly SourceTable[] {
    return tablesIn(this.#database);
  }

  append({ name, columns }: CopiedTable, rows: readonly CopyRow[]): void {
    const names = columns.map((column) => `"${column.name}"`).join(", ");
    const insert = this.#database.prepare(`insert into "${name}" (${names}) values (${columns.map(bound).join(", ")})`);
    this.#database.transaction(() => {
      for (const row of rows) insert.run(...(columns.map((column) => row[column.name] ?? null) as []));
    })();
    insert.finalize();
  }

  /** The numbers of new rows start after `last`. */
  numberFrom({ name }: CopiedTable, last: number): void {
    this.#database.query("delete from sqlite_sequence where name = ?").run(name);
    this.#database.query("insert into sqlite_sequence (name, seq) values (?, ?)").run(name, last);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function bound({ kind }: CopyColumn): string {
  return kind === "json" ? "jsonb(?)" : "?";
}
