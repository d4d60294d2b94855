// Columns as values: 0 and 1 as booleans, JSON text as its value. For the decode functions of queries.ts, which turn
// each row into a record of its room, so that nothing above them reads columns. An ordinary table says its columns once.
import { literal, Sql, type Value } from "./sql.ts";
import type { Reader, Tx } from "./store.ts";

export function flag(value: 0 | 1): boolean {
  return value === 1;
}

/** `T`: the type of the value that the room itself has written there. */
export function json<T>(text: string): T {
  return JSON.parse(text) as T;
}

export function jsonOrNull<T>(text: string | null): T | null {
  return text === null ? null : json<T>(text);
}

/** A column as a value of a record. */
export type Column<T> = { read(stored: Value): T; write(value: T): Value };

function plain<T extends Value>(): Column<T> {
  return { read: (stored) => stored as T, write: (value) => value };
}

/** The kinds of column. */
export const column = {
  text: plain<string>,
  oneOf: plain as <T extends string>() => Column<T>,
  number: plain<number>,
  flag: (): Column<boolean> => ({ read: (stored) => stored === 1, write: (value) => (value ? 1 : 0) }),
  json: <T>(): Column<T> => ({ read: (stored) => json<T>(stored as string), write: (value) => JSON.stringify(value) }),
  orNull: <T>({ read, write }: Column<T>): Column<T | null> => ({
    read: (stored) => (stored === null ? null : read(stored)),
    write: (value) => (value === null ? null : write(value)),
  }),
};

type Columns = Readonly<Record<string, Column<unknown>>>;
type RecordOf<C extends Columns> = { readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never };
/** The record of a row. */
export type RowOf<Rows> = Rows extends TableRows<infer C> ? RecordOf<C> : never;
type StoredRow = Readonly<Record<string, Value>>;

/** Words of SQL that are names of columns. */
const RESERVED = ["default"];

/** The name of a field's column: `updatedBy` is in `updated_by`. */
function columnOf(field: string): string {
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return RESERVED.includes(name) ? `"${name}"` : name;
}

/**
 * The rows of an ordinary table as records: from its columns come the type, and how rows are read, inserted and changed.
 * Which rows, and in which order, is said in SQL.
 */
export class TableRows<C extends Columns> {
  readonly #table: string;
  readonly #fields: readonly (readonly [string, Column<unknown>])[];
  /** The texts of statements by the fields that they write, so that each is found prepared. */
  readonly #texts = new Map<string, readonly string[]>();
  /** All columns, under the names of their fields. */
  readonly listed: Sql;

  constructor(table: string, columns: C) {
    [this.#table, this.#fields] = [table, Object.entries(columns)];
    const listed = Object.keys(columns).map((field) => {
      const name = columnOf(field);
      return name === field || name === `"${field}"` ? name : `${name} as "${field}"`;
    });
    this.listed = literal(listed.join(", "));
  }

  /** `rest`: what follows the name of the table. */
  async all(reader: Reader, rest: Sql): Promise<RecordOf<C>[]> {
    const rows = await reader.all<StoredRow>`select ${this.listed} from ${literal(this.#table)} ${rest}`;
    return rows.map((row) => this.#recordOf(row));
  }

  async get(reader: Reader, rest: Sql): Promise<RecordOf<C> | null> {
    const row = await reader.get<StoredRow>`select ${this.listed} from ${literal(this.#table)} ${rest}`;
    return row && this.#recordOf(row);
  }

  async count(reader: Reader, rest: Sql): Promise<number> {
    const row = await reader.get<{ n: number }>`select count(*) as n from ${literal(this.#table)} ${rest}`;
    return row?.n ?? 0;
  }

  /** `besides`: columns that are not read. */
  async insert(tx: Tx, fields: Partial<RecordOf<C>>, besides: StoredRow): Promise<RecordOf<C>> {
    const written = { ...this.#written(fields), ...besides };
    const [names, values] = [Object.keys(written), Object.values(written)];
    const list = this.#texts.get(names.join()) ?? ["", ...names.slice(1).map(() => ", "), ""];
    this.#texts.set(names.join(), list);
    const row = await tx.get<StoredRow>`
      insert into ${literal(`${this.#table} (${names.join(", ")})`)} values (${new Sql(list, values)})
      returning ${this.listed}`;
    return this.#recordOf(row as StoredRow);
  }

  async update(tx: Tx, seq: number, fields: Partial<RecordOf<C>>): Promise<RecordOf<C>> {
    const written = this.#written(fields);
    const [key, names] = [`set ${Object.keys(written).join()}`, Object.keys(written)];
    const set = this.#texts.get(key) ?? [...names.map((name, place) => `${place > 0 ? ", " : ""}${name} = `), ""];
    this.#texts.set(key, set);
    const row = await tx.get<StoredRow>`
      update ${literal(this.#table)} set ${new Sql(set, Object.values(written))} where seq = ${seq}
      returning ${this.listed}`;
    return this.#recordOf(row as StoredRow);
  }

  #written(fields: Partial<RecordOf<C>>): StoredRow {
    const written = this.#fields.flatMap(([field, one]) =>
      fields[field] === undefined ? [] : [[columnOf(field), one.write(fields[field])]],
    );
    return Object.fromEntries(written) as StoredRow;
  }

  #recordOf(row: StoredRow): RecordOf<C> {
    const record: Record<string, unknown> = {};
    for (const [field, one] of this.#fields) record[field] = one.read(row[field] as Value);
    return record as RecordOf<C>;
  }
}
