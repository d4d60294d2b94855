// A connection to a SQLite file: its settings, its prepared statements, its faults in the words of the store.
import { Database, SQLiteError, type Statement } from "bun:sqlite";
import { ThreadError } from "../jobs/worker-thread.ts";
import { flatten, sql, steadyList, Sql, type Bindable, type Value } from "./sql.ts";
import { ConstraintError, storeUnavailable, type Dialect, type Reader } from "./store.ts";

/** There is one writer, so nothing that it reads can be changed by another. */
export const SQLITE: Dialect = {
  name: "sqlite",
  skipLocked: new Sql([""], []),
  forUpdate: new Sql([""], []),
  forChange: new Sql([""], []),
  forReference: new Sql([""], []),
  jsonAt: (column, path) => {
    const at = `$${path.map((key) => `."${key}"`).join("")}`;
    const type = sql`json_type(${column}, ${at})`;
    return {
      isNull: sql`(coalesce(${type}, 'null') = 'null')`,
      text: sql`(case ${type} when 'text' then ${column} ->> ${at} end)`,
      number: sql`(case when ${type} in ('integer', 'real') then ${column} ->> ${at} end)`,
      // Texts of JSON: one way to write each value, as all that is stored was written by JSON.stringify.
      equals: (value) => sql`(${column} -> ${at} = ${JSON.stringify(value)})`,
    };
  },
  isAmong: (column, numbers) => sql`${column} in (${steadyList(numbers)})`,
  jsonFields: (column) => sql`json_each(${column})`,
  sharedNowMs: null,
};

export function connect(path: string, cacheKib = 4 * 1024): Database {
  const database = new Database(path, { create: true, strict: true });
  database.run("pragma busy_timeout = 5000");
  // Two contents of 1.5 KB fill three quarters of a page of 4 KB, five of them nearly all of one of 8 KB.
  database.run("pragma page_size = 8192");
  database.run("pragma journal_mode = wal");
  database.run("pragma synchronous = full");
  database.run("pragma foreign_keys = on");
  database.run(`pragma cache_size = -${cacheKib}`);
  database.run("pragma temp_store = memory");
  // A net under the planned checkpoints, far above what they let the log grow to.
  database.run("pragma wal_autocheckpoint = 50000");
  return database;
}

/**
 * Takes a lock that ends with the process, however that ends; answers how to give it up, or null if somebody has it.
 * The file beside the database is a database of its own, never written to: SQLite knows how to lock on every system.
 * @throws if it cannot be taken for another reason
 */
export function lockFile(path: string): (() => void) | null {
  const database = new Database(path, { create: true });
  try {
    database.run("begin exclusive");
    return () => database.close();
  } catch (error) {
    database.close();
    if (error instanceof SQLiteError && error.code === "SQLITE_BUSY") return null;
    throw error;
  }
}

/** A connection with its prepared statements, found again by the template that they were written as. */
export class Statements implements Reader {
  readonly dialect = SQLITE;
  readonly #byTemplate = new Map<TemplateStringsArray, Statement>();
  readonly #byText = new Map<string, Statement>();

  constructor(readonly database: Database) {}

  async all<Row>(strings: TemplateStringsArray, ...values: Bindable[]): Promise<Row[]> {
    const [statement, bound] = this.prepare(strings, values);
    return statement.all(...bound) as Row[];
  }

  async get<Row>(strings: TemplateStringsArray, ...values: Bindable[]): Promise<Row | null> {
    const [statement, bound] = this.prepare(strings, values);
    return statement.get(...bound) as Row | null;
  }

  prepare(strings: TemplateStringsArray, values: Bindable[]): [Statement, Value[]] {
    if (values.some((value) => value instanceof Sql)) {
      const { text, values: bound } = flatten(new Sql(strings, values), () => "?");
      return [this.prepareText(text), bound];
    }
    let statement = this.#byTemplate.get(strings);
    if (!statement) {
      statement = this.database.prepare(strings.join("?"));
      this.#byTemplate.set(strings, statement);
    }
    return [statement, values as Value[]];
  }

  prepareText(text: string): Statement {
    let statement = this.#byText.get(text);
    if (!statement) {
      if (this.#byText.size >= 500) this.#forget();
      statement = this.database.prepare(text);
      this.#byText.set(text, statement);
    }
    return statement;
  }

  close(): void {
    this.#byTemplate.forEach((statement) => statement.finalize());
    this.#forget();
    this.database.close();
  }

  #forget(): void {
    this.#byText.forEach((statement) => statement.finalize());
    this.#byText.clear();
  }
}

/** SQLite's own faults, also those of the other thread, in the words of the store; everything else as it is. */
export function translated(error: unknown): unknown {
  if (!(error instanceof SQLiteError || error instanceof ThreadError)) return error;
  const { code = "", message } = error;
  if (code === "SQLITE_CONSTRAINT_UNIQUE" || code === "SQLITE_CONSTRAINT_PRIMARYKEY")
    return new ConstraintError("unique", message);
  if (code === "SQLITE_CONSTRAINT_FOREIGNKEY") return new ConstraintError("foreignKey", message);
  if (code.startsWith("SQLITE_CONSTRAINT")) return new ConstraintError("other", message);
  if (/^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL)/.test(code)) return storeUnavailable(error);
  return error;
}
