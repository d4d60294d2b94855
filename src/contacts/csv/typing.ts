// The type of each column, once the whole file has been read: one that all filled cells have, else text.
import { typeOfCell, type ColumnType } from "./cell.ts";
import type { Columns } from "./columns.ts";
import { wordIn } from "./words.ts";

/** By key of data. */
export type ColumnTypes = Readonly<Record<string, ColumnType>>;

type Seen = { type: ColumnType | null; isTruth: boolean; yes: boolean; no: boolean };

export class TypesOfColumns {
  readonly #seen: readonly Seen[];

  constructor(private readonly columns: Columns) {
    this.#seen = columns.keys.map(() => ({ type: null, isTruth: false, yes: false, no: false }));
  }

  add(cells: readonly string[]): void {
    for (const [place, [index]] of this.columns.keys.entries()) {
      const cell = cells[index];
      const seen = this.#seen[place];
      if (cell && seen && seen.type !== "text") note(seen, cell);
    }
  }

  told(): ColumnTypes {
    return Object.fromEntries(this.columns.keys.map(([, key], place) => [key, typeOf(this.#seen[place])]));
  }
}

function note(seen: Seen, cell: string): void {
  const type = typeOfCell(cell);
  seen.type = seen.type === null || seen.type === type ? type : "text";
  if (seen.type !== "boolean") return;
  const word = wordIn(cell);
  seen.isTruth ||= word?.isTruth === true;
  if (word?.means) seen.yes = true;
  else seen.no = true;
}

function typeOf(seen: Seen | undefined): ColumnType {
  if (!seen?.type) return "text";
  return seen.type === "boolean" && !seen.isTruth && !(seen.yes && seen.no) ? "text" : seen.type;
}
