// What the columns of a file hold: how many cells are filled, with what, and the first of them.
import { momentOf } from "../../moments.ts";
import { AppError } from "../../errors.ts";
import { unguarded, valueOf } from "./cell.ts";
import { fieldsOf, type Columns } from "./columns.ts";

export type CellType = "string" | "number" | "boolean" | "date" | "object";

export type ColumnFacts = {
  /** As in the file. */
  readonly name: string;
  /** What the cells become: `email`, `subscribed`, `data`, `data.<key>`; null = the column is left out. */
  readonly field: string | null;
  /** Of most cells; null = all are empty. */
  readonly type: CellType | null;
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

  told(): ColumnFacts[] {
    const fields = fieldsOf(this.columns);
    return this.#facts.map(({ filled, examples, types }, index) => {
      const [[type] = [null]] = [...types].sort(([, one], [, other]) => other - one);
      const name = this.header[index]?.slice(0, MAX_EXAMPLE_CHARS) ?? "";
      return { name, field: fields[index] ?? null, type, filled, examples };
    });
  }
}

function addExample(examples: string[], cell: string): void {
  const shown = unguarded(cell.trim()).slice(0, MAX_EXAMPLE_CHARS).replaceAll("\0", "").toWellFormed();
  if (!examples.includes(shown)) examples.push(shown);
}

function typeOf(cell: string): CellType {
  const value = valueIn(cell);
  if (typeof value === "number" || typeof value === "boolean") return typeof value as CellType;
  if (typeof value === "string") return momentOf(value) === null ? "string" : "date";
  return "object";
}

function valueIn(cell: string): unknown {
  try {
    return valueOf(cell);
  } catch (error) {
    if (error instanceof AppError) return cell;
    throw error;
  }
}
