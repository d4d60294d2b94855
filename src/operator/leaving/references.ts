// The references of rows that come in: rows before them in the file, by public ids or by their places there.
import type { Value } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";
import { numbersOf } from "./arrival-queries.ts";
import type { ReadLine } from "./line.ts";
import { Places } from "./places.ts";
import { filePlan, type FileColumn, type FileTable, type ColumnReference } from "./plan.ts";
import { UnreadableFile } from "./unreadable.ts";

/** Numbers of rows by table and public id. */
export type NumbersByTable = ReadonlyMap<string, ReadonlyMap<string, number>>;

export class References {
  readonly #places = new Map<string, Places>();
  /** The last row of each table. */
  readonly #last = new Map<string, number>();

  /** The rows of a table that have just come in. */
  note(table: FileTable, numbers: readonly number[]): void {
    this.#last.set(table.name, numbers.at(-1) ?? 0);
    if (!table.hasPlaces) return;
    const places = this.#places.get(table.name) ?? new Places();
    this.#places.set(table.name, places);
    for (const number of numbers) places.add(number);
  }

  /** 0 = none has come in. */
  lastOf(table: string): number {
    return this.#last.get(table) ?? 0;
  }

  /** The rows that these lines name by public ids. */
  async namedBy(reader: Reader, workspace: number, lines: readonly ReadLine[]): Promise<NumbersByTable> {
    const wanted = new Map<string, Set<string>>();
    for (const { values, references } of lines)
      for (const [{ means }, given] of references) {
        const name = tableMeant(means as ColumnReference, values);
        if (name === null || !filePlan().table(name).hasId) continue;
        const ids = wanted.get(name) ?? new Set();
        wanted.set(name, ids);
        for (const id of [given].flat()) if (typeof id === "string") ids.add(id);
      }
    const known = new Map<string, ReadonlyMap<string, number>>();
    for (const [table, ids] of wanted) known.set(table, await numbersOf(reader, workspace, { table, ids: [...ids] }));
    return known;
  }

  /** @throws UnreadableFile if the row is not there */
  numberIn(column: FileColumn, given: unknown, { line, known }: { line: ReadLine; known: NumbersByTable }): Value {
    const { field, means } = column;
    const name = tableMeant(means as ColumnReference, line.values) ?? "";
    const number = (one: unknown) => {
      const found = typeof one === "string" ? known.get(name)?.get(one) : this.#atPlace(name, one);
      if (found === undefined || found === null)
        throw new UnreadableFile(`its ${field} is a row that is not in the file before it`);
      return found;
    };
    if (means?.kind !== "rows") return number(given);
    if (!Array.isArray(given)) throw new UnreadableFile(`its ${field} is no list`);
    return given.map(number).join(",");
  }

  #atPlace(table: string, place: unknown): number | null {
    return Number.isSafeInteger(place) && (place as number) > 0
      ? (this.#places.get(table)?.numberAt(place as number) ?? null)
      : null;
  }
}

/** The table of a reference; null = it depends on a kind, and the row has none that is known. */
function tableMeant({ of }: ColumnReference, values: Readonly<Record<string, Value>>): string | null {
  if (typeof of === "string") return of;
  const kind = values[of.by];
  return typeof kind === "string" && kind !== "by" && Object.hasOwn(of.tables, kind) ? (of.tables[kind] ?? null) : null;
}
