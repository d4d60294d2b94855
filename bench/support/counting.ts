// What a piece of work asks of SQLite, counted: the server runs in this process, and each statement passes here. To be imported before the
// server.
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";

export type Counts = {
  readonly statements: number;
  /** Inserted, changed or deleted, by triggers as well. */
  readonly rows: number;
  readonly commits: number;
  /** By which the log of the database has grown. */
  readonly logBytes: number;
};

const CONTROL = /^(begin|commit|rollback|savepoint|release|pragma)/;

let [statements, commits] = [0, 0];
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

/** Of `work` alone: nothing else may go on. */
export async function counted(work: () => Promise<unknown>): Promise<Counts> {
  const before = now();
  await work();
  const after = now();
  const [one, other] = [Object.entries(after), before as Readonly<Record<string, number>>];
  return Object.fromEntries(one.map(([name, count]) => [name, count - (other[name] ?? 0)])) as Counts;
}

function now(): Counts {
  if (!writer) throw new Error("No database is open");
  const [[rows]] = prepare.call(writer, "select total_changes()").values() as [[number]];
  return { statements, commits, rows, logBytes: statSync(`${writer.filename}-wal`).size };
}
