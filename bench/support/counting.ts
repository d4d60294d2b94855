// What a piece of work asks of the database, counted: the server runs in this process, and each statement passes here.
// To be imported before the server. SQLite, or PostgreSQL if POSTHORN_TEST_DATABASE names a server.
import { SQL } from "bun";
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { StoreFigures } from "../../src/store/engine/figures.ts";
import { PostgresStatements } from "../../src/store/postgres/connection.ts";

export type Counts = {
  readonly statements: number;
  /** Inserted, changed or deleted; on SQLite by triggers as well. */
  readonly rows: number;
  /** More of them in tables and indexes than before; not counted on PostgreSQL. */
  readonly entries: number;
  readonly commits: number;
  /** By which the log of the database has grown. */
  readonly logBytes: number;
  /** Handlers, and promises that are waited for together; what `await` does by itself cannot be seen. */
  readonly promises: number;
};

const CONTROL = /^(begin|commit|rollback|savepoint|release|pragma)/;

let [statements, commits, promises, written] = [0, 0, 0, 0];
let writer: Database | null = null;

const { prepare } = Database.prototype;
Database.prototype.prepare = function (this: Database, text: string, ...rest: never[]) {
  const statement = prepare.call(this, text, ...rest);
  if (text === "begin immediate") writer = this;
  const count = CONTROL.test(text) ? () => (commits += text === "commit" ? 1 : 0) : () => statements++;
  for (const method of ["all", "get", "run", "values"] as const) {
    const ask = statement[method] as (...bound: unknown[]) => unknown;
    statement[method] = ((...bound: unknown[]) => {
      count();
      return ask.apply(statement, bound);
    }) as never;
  }
  return statement;
} as never;

const { POSTHORN_TEST_DATABASE: server } = process.env;
const postgres = server ? new SQL(server, { max: 1 }) : null;
if (postgres) countPostgres();

function countPostgres(): void {
  const { beginCommit } = StoreFigures.prototype;
  StoreFigures.prototype.beginCommit = function (this: StoreFigures) {
    commits++;
    return beginCommit.call(this);
  };
  type Asking = { executeText: (...asked: unknown[]) => Promise<{ readonly command: string; readonly count: number }> };
  const statementsOf = PostgresStatements.prototype as unknown as Asking;
  const { executeText } = statementsOf;
  statementsOf.executeText = async function (this: Asking, ...asked) {
    statements++;
    const result = await executeText.apply(this, asked);
    if (result.command !== "SELECT") written += result.count;
    return result;
  };
}

for (const method of ["then", "catch", "finally"] as const) countCalls(Promise.prototype, method);
for (const method of ["all", "allSettled", "withResolvers"] as const) countCalls(Promise, method);

function countCalls(owner: object, method: string): void {
  const methods = owner as Record<string, (...given: unknown[]) => unknown>;
  const call = methods[method] as (...given: unknown[]) => unknown;
  methods[method] = function (this: unknown, ...given: unknown[]) {
    promises++;
    return call.apply(this, given);
  };
}

/** Of `work` alone: nothing else may go on. */
export async function counted(work: () => Promise<unknown>): Promise<Counts> {
  const before = await now();
  await work();
  const after = await now();
  const [one, other] = [Object.entries(after), before as Readonly<Record<string, number>>];
  return Object.fromEntries(one.map(([name, count]) => [name, count - (other[name] ?? 0)])) as Counts;
}

async function now(): Promise<Counts> {
  if (postgres) {
    const [{ bytes }] = await postgres`select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`;
    return { statements, commits, promises, rows: written, entries: 0, logBytes: bytes };
  }
  if (!writer) throw new Error("No database is open");
  const soFar = { statements, commits, promises };
  const [[rows]] = prepare.call(writer, "select total_changes()").values() as [[number]];
  const cells = "select sum(ncell) from dbstat where pagetype = 'leaf'";
  const [[entries]] = prepare.call(writer, cells).values() as [[number]];
  return { ...soFar, rows, entries, logBytes: statSync(`${writer.filename}-wal`).size };
}
