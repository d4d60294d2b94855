// A statement that runs for each of many rows of one shape: declared once, and written in the form that is fastest on
// each engine. SQLite inserts a few rows at a time and changes them one by one, which costs it no round trip;
// PostgreSQL gets all rows together, an array a column.

/**
 * `json`: the value is a text of JSON. `bytes`: a Uint8Array; PostgreSQL gets them as hex, so not for rows of
 * megabytes.
 */
export type SqlColumnType = "text" | "bigint" | "smallint" | "json" | "bytes";
type RowColumns = Readonly<Record<string, SqlColumnType>>;

export type RowStatement = {
  /** The statement for so many rows, `sqliteRows` at the most. */
  readonly sqlite: (rows: number) => string;
  readonly sqliteRows: number;
  readonly postgres: string;
};

/** More rows in one statement are not inserted faster. */
const ROWS_INSERTED = 16;

/** `ending`: the clause after the rows, such as `on conflict do nothing returning seq`. */
export function insertion(table: string, columns: RowColumns, ending = ""): RowStatement {
  const into = `insert into ${table} (${Object.keys(columns).join(", ")})`;
  const [here, there] = [written(columns, (type) => (type === "json" ? "jsonb(?)" : "?")), takenFrom(columns)];
  const row = `(${Object.values(here).join(", ")})`;
  const texts = new Map<number, string>();
  const textFor = (rows: number) => `${into} values ${Array.from({ length: rows }, () => row).join(", ")} ${ending}`;
  return {
    sqlite: (rows) => texts.get(rows) ?? (texts.set(rows, textFor(rows)).get(rows) as string),
    sqliteRows: ROWS_INSERTED,
    postgres: `${into} select ${Object.values(there).join(", ")} from ${rowsOf(columns)} ${ending}`,
  };
}

type RowChange<Column extends string> = (value: Readonly<Record<Column, string>>) => {
  readonly set: string;
  readonly where: string;
  readonly returning: string;
};

/** `change`: builds the parts of the statement from the expressions for the values of a row. */
export function changing<Column extends string>(
  table: string,
  columns: Readonly<Record<Column, SqlColumnType>>,
  change: RowChange<Column>,
): RowStatement {
  const [here, there] = [change(boundIn(columns)), change(takenFrom(columns))];
  const one = `update ${table} set ${here.set} where ${here.where} returning ${here.returning}`;
  return {
    sqlite: () => one,
    sqliteRows: 1,
    postgres: `update ${table} set ${there.set} from ${rowsOf(columns)} where ${there.where} returning ${there.returning}`,
  };
}

function boundIn<Column extends string>(
  columns: Readonly<Record<Column, SqlColumnType>>,
): Readonly<Record<Column, string>> {
  return written(columns, (type, index) => (type === "json" ? `jsonb(?${index + 1})` : `?${index + 1}`));
}

function takenFrom<Column extends string>(
  columns: Readonly<Record<Column, SqlColumnType>>,
): Readonly<Record<Column, string>> {
  return written(columns, (type, index) => (type === "json" ? `checked_json(r.v${index})` : `r.v${index}`));
}

function written<Column extends string>(
  columns: Readonly<Record<Column, SqlColumnType>>,
  write: (type: SqlColumnType, index: number) => string,
): Readonly<Record<Column, string>> {
  const entries = Object.entries(columns) as [Column, SqlColumnType][];
  return Object.fromEntries(entries.map(([name, type], index) => [name, write(type, index)])) as Record<Column, string>;
}

const POSTGRES_TYPES: Partial<Readonly<Record<SqlColumnType, string>>> = { json: "text", bytes: "bytea" };

/** A parameter for each column: arrays are read faster than JSON, and written faster as well. */
function rowsOf(columns: RowColumns): string {
  const arrays = Object.values(columns).map(
    (type, index) => `cast($${index + 1} as ${POSTGRES_TYPES[type] ?? type}[])`,
  );
  return `unnest(${arrays.join(", ")}) as r (${arrays.map((_, index) => `v${index}`).join(", ")})`;
}

/** In the order of the rows: they are numbered as they are inserted. */
export function seqsOf(made: readonly { readonly seq: number }[]): number[] {
  return made.map(({ seq }) => seq).sort((one, other) => one - other);
}
