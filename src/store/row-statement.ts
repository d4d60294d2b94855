// A statement that is done for each of many rows of one shape: declared once, and written as each engine takes it fastest. SQLite runs
// it prepared, row by row, which costs it no round trip; PostgreSQL gets all rows as one value.
import type { Value } from "./sql.ts";

/** `json`: the value is a text of JSON. */
export type ColumnType = "text" | "bigint" | "smallint" | "json";
type Columns = Readonly<Record<string, ColumnType>>;

export type RowStatement = { readonly sqlite: string; readonly postgres: string };

/** `ending`: what follows the rows, such as `on conflict do nothing returning seq`. */
export function insertion(table: string, columns: Columns, ending = ""): RowStatement {
  const into = `insert into ${table} (${Object.keys(columns).join(", ")})`;
  const [here, there] = [boundIn(columns), takenFrom(columns)];
  return {
    sqlite: `${into} values (${Object.values(here).join(", ")}) ${ending}`,
    postgres: `${into} select ${Object.values(there).join(", ")} from ${rowsOf(columns)} ${ending}`,
  };
}

type Change<Column extends string> = (value: Readonly<Record<Column, string>>) => {
  readonly set: string;
  readonly where: string;
  readonly returning: string;
};

/** `change`: the parts of the statement, given how each value of a row is written in it. */
export function changing<Column extends string>(
  table: string,
  columns: Readonly<Record<Column, ColumnType>>,
  change: Change<Column>,
): RowStatement {
  const [here, there] = [change(boundIn(columns)), change(takenFrom(columns))];
  return {
    sqlite: `update ${table} set ${here.set} where ${here.where} returning ${here.returning}`,
    postgres: `update ${table} set ${there.set} from ${rowsOf(columns)} where ${there.where} returning ${there.returning}`,
  };
}

function boundIn<Column extends string>(
  columns: Readonly<Record<Column, ColumnType>>,
): Readonly<Record<Column, string>> {
  return written(columns, (type, index) => (type === "json" ? `jsonb(?${index + 1})` : `?${index + 1}`));
}

function takenFrom<Column extends string>(
  columns: Readonly<Record<Column, ColumnType>>,
): Readonly<Record<Column, string>> {
  return written(columns, (type, index) => (type === "json" ? `jsonb(r.v${index})` : `r.v${index}`));
}

function written<Column extends string>(
  columns: Readonly<Record<Column, ColumnType>>,
  write: (type: ColumnType, index: number) => string,
): Readonly<Record<Column, string>> {
  const entries = Object.entries(columns) as [Column, ColumnType][];
  return Object.fromEntries(entries.map(([name, type], index) => [name, write(type, index)])) as Record<Column, string>;
}

function rowsOf(columns: Columns): string {
  const shape = Object.values(columns).map((type, index) => `v${index} ${type === "json" ? "text" : type}`);
  return `json_to_recordset(cast(cast($1 as text) as json)) as r (${shape.join(", ")})`;
}

/** The rows as PostgreSQL gets them; put together by hand, since an object a row would take three times as long. */
export function rowsAsJson(rows: readonly (readonly Value[])[]): string {
  return `[${rows.map(rowAsJson).join()}]`;
}

function rowAsJson(row: readonly Value[]): string {
  return `{${row.map((value, index) => `"v${index}":${JSON.stringify(wellFormed(value))}`).join()}}`;
}

/** Half a pair of surrogates is no character: a bound text would lose it as well. */
function wellFormed(value: Value): Value {
  return typeof value === "string" ? value.toWellFormed() : value;
}

/** In the order of the rows: they are numbered as they are inserted. */
export function seqsOf(made: readonly { readonly seq: number }[]): number[] {
  return made.map(({ seq }) => seq).sort((one, other) => one - other);
}
