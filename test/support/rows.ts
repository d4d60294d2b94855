// Rows by the columns of their tables, for tests that want one in each.
import { joined, literal, sql, type Bindable } from "../../src/store/sql.ts";
import type { Tx } from "../../src/store/store.ts";
import { columnsOf, type SchemaColumn } from "./schema.ts";

export const TIME = "2026-01-01T00:00:00.000Z";

type Given = Readonly<Record<string, Bindable>>;
/** The value of a column that is not told by its type; undefined = it is. */
export type KnownValue = (table: string, column: SchemaColumn, rows: Rows) => Bindable | Promise<Bindable> | undefined;

/** One that others refer to is made once. */
export class Rows {
  readonly #tx: Tx;
  readonly #given: Readonly<Record<string, Given>>;
  readonly #known: KnownValue;
  readonly #fillsAll: boolean;
  readonly #made = new Map<string, Promise<number>>();
  #count = 0;

  /** `given`: by table, what rows have in them. `fillsAll`: columns that may be null have something as well. */
  constructor(tx: Tx, given: Readonly<Record<string, Given>>, known: KnownValue, fillsAll = false) {
    [this.#tx, this.#given, this.#known, this.#fillsAll] = [tx, given, known, fillsAll];
  }

  /** Answers its number. */
  in(table: string, given = this.#given[table] ?? {}, as = table): Promise<number> {
    const row = this.#made.get(as) ?? this.#insert(table, given);
    this.#made.set(as, row);
    return row;
  }

  async #insert(table: string, given: Given): Promise<number> {
    const written: (readonly [string, Bindable])[] = [];
    for (const column of columnsOf(table)) {
      const value = Object.hasOwn(given, column.name) ? given[column.name] : await this.#valueOf(table, column);
      if (value !== undefined) written.push([column.name, value]);
    }
    const names = literal(`${table} (${written.map(([name]) => `"${name}"`).join(", ")})`);
    const values = joined(
      written.map(([, value]) => sql`${value}`),
      ", ",
    );
    const number = literal(columnsOf(table).some(({ name }) => name === "seq") ? " returning seq" : "");
    const row = await this.#tx.get<{ seq: number }>`insert into ${names} values (${values})${number}`;
    return row?.seq ?? 0;
  }

  async #valueOf(table: string, column: SchemaColumn): Promise<Bindable | undefined> {
    const { name, type, isNeeded, references } = column;
    if (type === "{serial}" || type === "{queried}") return undefined;
    if (name === "workspace") return 1;
    const known = await this.#known(table, column, this);
    if (known !== undefined) return known;
    if (!isNeeded && !this.#fillsAll) return undefined;
    return references ? this.in(references) : this.#anyValue(table, column);
  }

  #anyValue(table: string, { name, type, firstValue, json }: SchemaColumn): Bindable {
    if (type === "{json}") return this.#tx.dialect.json("{}");
    if (type === "{bytes}") return new Uint8Array([1]);
    if (firstValue) return /^\d+$/.test(firstValue) ? Number(firstValue) : firstValue;
    if (/int|real/.test(type)) return ++this.#count;
    if (/^id$|_id$|^addressee$/.test(name)) return Bun.randomUUIDv7();
    return json ?? (/^at$|_at$|_on$/.test(name) ? TIME : `${table} ${name} ${++this.#count}`);
  }
}
