// What the columns of a file hold: how many cells are filled, with what, and the first of them.
import { momentOf } from "../../moments.ts";
import { typeOfCell, unguarded, type ColumnType } from "./cell.ts";
import type { ColumnTypes } from "./typing.ts";
import { fieldsOf, type Columns } from "./columns.ts";

export type CellType = "string" | "number" | "boolean" | "date" | "object";

export type ColumnFacts = {
  /** As in the file. */
  readonly name: string;
  /** What the cells become: `email`, `subscribed`, `data`, `data.<key>`; null = the column is left out. */
  readonly field: string | null;
  /** That the cells get, of a column that becomes data; of most cells of another one. Null = all are empty. */
  readonly type: CellType | null;
  /** The column says whom one may write to, in the words of the product that made the file. */
  readonly isConsent: boolean;
  readonly filled: number;
  readonly examples: readonly string[];
};

const MOST_EXAMPLES = 3;
const MAX_EXAMPLE_CHARS = 100;
/** Types are counted in so many rows. */
const TYPED_ROWS = 2_000;

export class FactsOfColumns {
  readonly #facts: { filled: number; readonly examples: string[]; readonly types: Map<CellType, number> }[];
  #rows = 0;

  constructor(
    private readonly header: readonly string[],
    private readonly columns: Columns,
  ) {
    this.#facts = header.map(() => ({ filled: 0, examples: [], types: new Map() }));
  }

  add(cells: readonly string[]): void {
    const isTyped = this.#rows++ < TYPED_ROWS;
    for (const [index, facts] of this.#facts.entries()) {
      const cell = cells[index];
      if (!cell) continue;
      facts.filled++;
      if (facts.examples.length < MOST_EXAMPLES) addExample(facts.examples, cell);
      if (!isTyped) continue;
      const type = typeOf(cell);
      facts.types.set(type, (facts.types.get(type) ?? 0) + 1);
    }
  }

  /** `columnTypes`: of those that become data. */
  told(columnTypes: ColumnTypes): ColumnFacts[] {
    const fields = fieldsOf(this.columns);
    const keys = new Map(this.columns.keys);
    return this.#facts.map(({ filled, examples, types }, index) => {
      const [[most] = [null]] = [...types].sort(([, one], [, other]) => other - one);
      const type = toldType(columnTypes[keys.get(index) ?? ""], most);
      const name = this.header[index]?.slice(0, MAX_EXAMPLE_CHARS) ?? "";
      const isConsent = this.columns.consent.some((one) => one.index === index);
      return { name, field: fields[index] ?? null, type, isConsent, filled, examples };
    });
  }
}

function toldType(column: ColumnType | undefined, most: CellType | null): CellType | null {
  if (column === undefined || most === null) return most;
  if (column === "json") return "object";
  return column !== "text" ? column : most === "date" ? "date" : "string";
}

function addExample(examples: string[], cell: string): void {
  const shown = unguarded(cell.trim()).slice(0, MAX_EXAMPLE_CHARS).replaceAll("\0", "").toWellFormed();
  if (!examples.includes(shown)) examples.push(shown);
}

function typeOf(cell: string): CellType {
  const type = typeOfCell(cell);
  if (type === "json") return "object";
  return type !== "text" ? type : momentOf(cell) === null ? "string" : "date";
}
