// Facts of the columns of a file: the number of filled cells, their type, the first of them, and their values.
import { AppError } from "../../base/errors.ts";
import { typeOfCell, unguarded, valueIn, type CsvColumnType } from "./cell.ts";
import { fieldsOf, type CsvColumns } from "./columns.ts";
import type { ProofKind } from "./proof.ts";
import type { ColumnTypes, ColumnTypeGuess } from "./typing.ts";

export type CellType = "string" | "number" | "boolean" | "date" | "object";

export type ColumnFacts = {
  /** As spelled in the file. */
  readonly name: string;
  /**
   * The target of the cells: `email`, `subscribed`, `data`, `data.<key>`, `topic:<key>`; null = the column is left out.
   */
  readonly field: string | null;
  /** The type of all cells in a column of data, of most cells in any other; null = all cells are empty. */
  readonly type: CellType | null;
  /** The reading of the cells; null = the column does not become data, or all cells are empty. */
  readonly format: CsvColumnType | null;
  /** Another possible reading of the cells. */
  readonly otherwise: CsvColumnType | null;
  /** The column says who may be mailed, in the terms of the product that made the file. */
  readonly isConsent: boolean;
  /** The column's proof of consent; null = none. */
  readonly proves: ProofKind | null;
  readonly filled: number;
  readonly examples: readonly string[];
  /** The values of the examples; null = no value. */
  readonly values: readonly SampleValue[];
};

/** A value for display: a list or an object as its JSON, perhaps cut off. */
export type SampleValue = string | number | boolean | null;

const MOST_EXAMPLES = 3;
const MAX_EXAMPLE_CHARS = 100;
/** The rows in which types are counted. */
const TYPED_ROWS = 2_000;

/** Longer cells are not kept, so their value is shown as the cell itself. */
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

  /** `columnTypes`: of the columns of data; `typed`: the types that the cells suggest by themselves. */
  told(columnTypes: ColumnTypes, typed: Readonly<Record<string, ColumnTypeGuess>>): ColumnFacts[] {
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
