// A statement that is done for each of many rows of one shape: declared once, and written as each engine takes it fastest. SQLite runs
// it prepared, row by row, which costs it no round trip; PostgreSQL gets all rows at once, an array a column.

/** `json`: the value is a text of JSON. `bytes`: a Uint8Array; PostgreSQL gets them as hex, so not for rows of megabytes. */
export type ColumnType = "text" | "bigint" | "smallint" | "json" | "bytes";
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

const POSTGRES_TYPES: Partial<Readonly<Record<ColumnType, string>>> = { json: "text", bytes: "bytea" };

/** A parameter for each column: arrays are read faster than JSON, and written faster as well. */
function rowsOf(columns: Columns): string {
  const arrays = Object.values(columns).map(
    (type, index) => `cast($${index + 1} as ${POSTGRES_TYPES[type] ?? type}[])`,
  );
  return `unnest(${arrays.join(", ")}) as r (${arrays.map((_, index) => `v${index}`).join(", ")})`;
}

/** In the order of the rows: they are numbered as they are inserted. */
export function seqsOf(made: readonly { readonly seq: number }[]): number[] {
  return made.map(({ seq }) => seq).sort((one, other) => one - other);
}
