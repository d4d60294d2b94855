// Preloaded in tests of the second engine: notes each piece of a statement that PostgreSQL executes and each route that
// is called, in a file a process of the folder that POSTHORN_TEST_NOTES names. test/second-engine.ts compares them with
// the sources.
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { PostgresStatements } from "../../src/store/postgres/connection.ts";
import { flatten, Sql, type Bindable } from "../../src/store/sql.ts";

const folder = process.env["POSTHORN_TEST_NOTES"];
const noted = new Set<string>();

type Execute = (strings: readonly string[], values: readonly Bindable[]) => unknown;

/** Statements are told by their text: that of the template, without what is put in. */
export function textOf(strings: readonly string[]): string {
  return strings.join("${}");
}

/** Before a statement as it is executed. */
export const AS_EXECUTED = "whole: ";

/** A piece of a statement, or a route: `GET /contacts/{id}`. */
export function note(text: string): void {
  if (folder === undefined || noted.has(text)) return;
  noted.add(text);
  appendFileSync(join(folder, String(process.pid)), `${JSON.stringify(text)}\n`);
}

function noteAll({ strings, values }: Pick<Sql, "strings" | "values">): void {
  note(textOf(strings));
  for (const value of values) if (value instanceof Sql) noteAll(value);
}

if (folder !== undefined) {
  mkdirSync(folder, { recursive: true });
  const statements = PostgresStatements.prototype as unknown as { execute: Execute };
  const { execute } = statements;
  statements.execute = function (strings, values) {
    noteAll(new Sql(strings, values));
    note(`${AS_EXECUTED}${flatten({ strings, values }, (position) => `$${position}`).text}`);
    return execute.call(this, strings, values);
  };
}
