// Columns as values: 0 and 1 as booleans, JSON text as its value. For the decode functions of queries.ts, which turn
// each row into a record of its room, so that nothing above them reads columns. An ordinary table says its columns
// once.
import { literal, Sql, sql, type Value } from "./sql.ts";
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
export type Column<T> = {
  read(stored: Value): T;
  write(value: T): Value;
  /** Its name, unless it is that of the field. */
  readonly name?: string;
  /** The SQL that computes it from the row: it is only read. */
  readonly computed?: string;
};

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
  /** A list or an object; null is stored for an empty one. */
  mayBeEmpty: <T extends object>(empty: () => T): Column<T> => ({
    read: (stored) => (stored === null ? empty() : json<T>(stored as string)),
    write: (value) => (Object.keys(value).length === 0 ? null : JSON.stringify(value)),
  }),
  named: <T>(name: string, kind: Column<T>): Column<T> => ({ ...kind, name }),
  computed: <T>(computed: string, kind: Column<T>): Column<T> => ({ ...kind, computed }),
};

type Columns = Readonly<Record<string, Column<unknown>>>;
/** The record of columns. */
export type RecordOf<C extends Columns> = { readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never };
/** The record of a row. */
export type RowOf<Rows> = Rows extends TableRows<infer C> ? RecordOf<C> : never;
type StoredRow = Readonly<Record<string, Value>>;

const NO_CONFLICT = sql``;

/** Words of SQL that are names of columns. */
const RESERVED = ["default"];

/** The name of a field's column: `updatedBy` is in `updated_by`. */
function columnOf(field: string, { name: own }: Column<unknown>): string {
  const name = own ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return RESERVED.includes(name) ? `"${name}"` : name;
}

function listedAs([field, one]: readonly [string, Column<unknown>]): string {
  const read = one.computed ?? columnOf(field, one);
  return read === field || read === `"${field}"` ? read : `${read} as "${field}"`;
}

/** The fields of the columns alone, of a record that may have more. */
export function only<C extends Columns>(columns: C, record: RecordOf<C>): RecordOf<C> {
  return Object.fromEntries(Object.keys(columns).map((field) => [field, record[field]])) as RecordOf<C>;
}

/**
 * The rows of an ordinary table as records: from its columns come the type, and how rows are read, inserted and
 * changed. Which rows, and in which order, is said in SQL.
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
    this.listed = literal(this.#fields.map(listedAs).join(", "));
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
  async insert(tx: Tx, fields: Partial<RecordOf<C>>, besides: StoredRow = {}): Promise<RecordOf<C>> {
    return (await this.insertUnless(tx, NO_CONFLICT, fields, besides)) as RecordOf<C>;
  }

  /** `conflict`: `on conflict … do nothing`; null if there was one. */
  async insertUnless(
    tx: Tx,
    conflict: Sql,
    fields: Partial<RecordOf<C>>,
    besides: StoredRow = {},
  ): Promise<RecordOf<C> | null> {
    const written = { ...this.#written(fields), ...besides };
    const [names, values] = [Object.keys(written), Object.values(written)];
    const list = this.#texts.get(names.join()) ?? ["", ...names.slice(1).map(() => ", "), ""];
    this.#texts.set(names.join(), list);
    const row = await tx.get<StoredRow>`
      insert into ${literal(`${this.#table} (${names.join(", ")})`)} values (${new Sql(list, values)})
      ${conflict} returning ${this.listed}`;
    return row && this.#recordOf(row);
  }

  /** `besides`: columns that are not read. */
  async update(tx: Tx, seq: number, fields: Partial<RecordOf<C>>, besides: StoredRow = {}): Promise<RecordOf<C>> {
    const row = await tx.get<StoredRow>`
      update ${literal(this.#table)} set ${this.#assignments({ ...this.#written(fields), ...besides })}
      where seq = ${seq} returning ${this.listed}`;
    return this.#recordOf(row as StoredRow);
  }

  /** As `update`, but reads nothing. Answers how many rows it has changed. */
  set(tx: Tx, seq: number, fields: Partial<RecordOf<C>>): Promise<number> {
    return tx.run`update ${literal(this.#table)} set ${this.#assignments(this.#written(fields))} where seq = ${seq}`;
  }

  /** `rest`: the statement from `set` on. */
  async change(tx: Tx, rest: Sql): Promise<RecordOf<C>[]> {
    const rows = await tx.all<StoredRow>`update ${literal(this.#table)} ${rest} returning ${this.listed}`;
    return rows.map((row) => this.#recordOf(row));
  }

  #assignments(written: StoredRow): Sql {
    const [key, names] = [`set ${Object.keys(written).join()}`, Object.keys(written)];
    const texts = this.#texts.get(key) ?? [...names.map((name, place) => `${place > 0 ? ", " : ""}${name} = `), ""];
    this.#texts.set(key, texts);
    return new Sql(texts, Object.values(written));
  }

  #written(fields: Partial<RecordOf<C>>): StoredRow {
    const written = this.#fields.flatMap(([field, one]) =>
      fields[field] === undefined || one.computed ? [] : [[columnOf(field, one), one.write(fields[field])]],
    );
    return Object.fromEntries(written) as StoredRow;
  }

  #recordOf(row: StoredRow): RecordOf<C> {
    const record: Record<string, unknown> = {};
    for (const [field, one] of this.#fields) record[field] = one.read(row[field] as Value);
    return record as RecordOf<C>;
  }
}
