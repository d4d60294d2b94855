// What the columns of a file hold: how many cells are filled, with what, the first of them, and what these become.
import { AppError } from "../../../base/errors.ts";
import { typeOfCell, unguarded, valueIn, type CsvColumnType } from "./cell.ts";
import { fieldsOf, type CsvColumns } from "./columns.ts";
import type { ProofKind } from "./proof.ts";
import type { ColumnTypes, ColumnTyping } from "./typing.ts";

export type CellType = "string" | "number" | "boolean" | "date" | "object";

export type ColumnFacts = {
  /** As in the file. */
  readonly name: string;
  /** What the cells become: `email`, `subscribed`, `data`, `data.<key>`, `topic:<key>`; null = the column is left out. */
  readonly field: string | null;
  /** That the cells get, of a column that becomes data; of most cells of another one. Null = all are empty. */
  readonly type: CellType | null;
  /** How the cells are read; null = the column does not become data, or all are empty. */
  readonly format: CsvColumnType | null;
  /** The cells could be read so, too. */
  readonly otherwise: CsvColumnType | null;
  /** The column says whom one may write to, in the words of the product that made the file. */
  readonly isConsent: boolean;
  /** What the column proves of consent; null = nothing. */
  readonly proves: ProofKind | null;
  readonly filled: number;
  readonly examples: readonly string[];
  /** What the examples become; null = nothing. */
  readonly values: readonly SampleValue[];
};

/** A value for people to see: a list or an object as its JSON, perhaps cut off. */
export type SampleValue = string | number | boolean | null;

const MOST_EXAMPLES = 3;
const MAX_EXAMPLE_CHARS = 100;
/** Types are counted in so many rows. */
const TYPED_ROWS = 2_000;

/** A long cell is not kept, so what it becomes is shown as the cell itself. */
const MAX_KEPT_CHARS = 1_000;

type Example = { readonly shown: string; readonly cell: string | null };

export class FactsOfColumns {
  readonly #facts: { filled: number; readonly examples: Example[]; readonly types: Map<CellType, number> }[];
  #rows = 0;

  constructor(
    private readonly header: readonly string[],
    private readonly columns: CsvColumns,
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
      const type = CELL_TYPES[typeOfCell(cell)];
      facts.types.set(type, (facts.types.get(type) ?? 0) + 1);
    }
  }

  /** `columnTypes`: of those that become data; `typed`: what the cells say by themselves. */
  told(columnTypes: ColumnTypes, typed: Readonly<Record<string, ColumnTyping>>): ColumnFacts[] {
    const fields = fieldsOf(this.columns);
    const keys = new Map(this.columns.keys);
    return this.#facts.map(({ filled, examples, types }, index) => {
      const [[most] = [null]] = [...types].sort(([, one], [, other]) => other - one);
      const key = keys.get(index) ?? "";
      const format = most === null || fields[index] === null ? null : (columnTypes[key] ?? null);
      const { type = null, otherwise = null } = typed[key] ?? {};
      return {
        name: this.header[index]?.slice(0, MAX_EXAMPLE_CHARS) ?? "",
        field: fields[index] ?? null,
        type: format === null ? most : CELL_TYPES[format],
        format,
        otherwise: format === type ? otherwise : null,
        isConsent: this.columns.consent.some((one) => one.index === index),
        proves: this.columns.proof.find((one) => one.index === index)?.kind ?? null,
        filled,
        examples: examples.map(({ shown }) => shown),
        values: examples.map(({ cell, shown }) =>
          format === null || cell === null ? shown : shownValue(cell, format),
        ),
      };
    });
  }
}

const CELL_TYPES: Readonly<Record<CsvColumnType, CellType>> = {
  text: "string",
  number: "number",
  "number-comma": "number",
  boolean: "boolean",
  date: "date",
  "date-dmy": "date",
  "date-mdy": "date",
  json: "object",
  list: "object",
};

function addExample(examples: Example[], cell: string): void {
  const shown = shortened(unguarded(cell.trim()));
  if (!examples.some((one) => one.shown === shown))
    examples.push({ shown, cell: cell.length > MAX_KEPT_CHARS ? null : cell });
}

export function shownAs(value: unknown): SampleValue {
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (value === undefined || value === null) return null;
  return shortened(typeof value === "string" ? value : JSON.stringify(value));
}

function shownValue(cell: string, type: CsvColumnType): SampleValue {
  try {
    return shownAs(valueIn(cell, type));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function shortened(text: string): string {
  return text.slice(0, MAX_EXAMPLE_CHARS).replaceAll("\0", "").toWellFormed();
}
