// A statement that inserts any number of rows of one shape: declared once, and written as each engine takes it fastest. SQLite runs
// a prepared statement for each row, which costs it no round trip; PostgreSQL gets all rows as one value.
import type { Value } from "./sql.ts";

/** `json`: the value is a text of JSON. */
export type ColumnType = "text" | "bigint" | "smallint" | "json";

export type Insertion = { readonly sqlite: string; readonly postgres: string };

const BOUND: Readonly<Record<ColumnType, string>> = { text: "?", bigint: "?", smallint: "?", json: "jsonb(?)" };

/** `ending`: what follows the rows, such as `on conflict do nothing returning seq`. */
export function insertion(table: string, columns: Readonly<Record<string, ColumnType>>, ending = ""): Insertion {
  const types = Object.entries(columns);
  const into = `insert into ${table} (${types.map(([name]) => name).join(", ")})`;
  const places = types.map(([, type]) => BOUND[type]).join(", ");
  const taken = types.map(([, type], index) => (type === "json" ? `jsonb(r.v${index})` : `r.v${index}`)).join(", ");
  const shape = types.map(([, type], index) => `v${index} ${type === "json" ? "text" : type}`).join(", ");
  return {
    sqlite: `${into} values (${places}) ${ending}`,
    postgres: `${into} select ${taken} from json_to_recordset(cast(cast($1 as text) as json)) as r (${shape}) ${ending}`,
  };
}

/** The rows as PostgreSQL gets them. */
export function rowsAsJson(rows: readonly (readonly Value[])[]): string {
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(row.map((value, index) => [`v${index}`, wellFormed(value)]))),
  );
}

/** Half a pair of surrogates is no character: a bound text would lose it as well. */
function wellFormed(value: Value): Value {
  return typeof value === "string" ? value.toWellFormed() : value;
}

/** In the order of the rows: they are numbered as they are inserted. */
export function seqsOf(made: readonly { readonly seq: number }[]): number[] {
  return made.map(({ seq }) => seq).sort((one, other) => one - other);
}
