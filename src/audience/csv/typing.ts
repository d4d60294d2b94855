// The type of each column, once the whole file has been read: a type that fits all filled cells, else text.
import { COLUMN_TYPES, fits, type CsvColumnType } from "./cell.ts";
import type { CsvColumns } from "./columns.ts";
import { amountIn, decimalsOf, isGroupedAmount } from "./forms.ts";
import { isTruthful, wordIn } from "./words.ts";

/** By key of data. */
export type ColumnTypes = Readonly<Record<string, CsvColumnType>>;

/**
 * `otherwise`: another possible reading of the cells. `isAnswer`: each cell is a yes or no, also as `1`, `x` or `n`.
 */
export type ColumnTypeGuess = {
  readonly type: CsvColumnType;
  readonly otherwise: CsvColumnType | null;
  readonly isAnswer: boolean;
};

const TYPES = COLUMN_TYPES.filter((type) => type !== "text");
/** The first of each pair is preferred, unless another column of the file fits only the second. */
const PAIRS = [
  ["number", "number-comma"],
  ["date-dmy", "date-mdy"],
] as const;

class ColumnProfile {
  /** The types that fit all cells so far. */
  possible: readonly CsvColumnType[] = TYPES;
  /** Some cell has different values in the two types of a pair. */
  isDoubtful = false;
  /** Some amount has thousands after its point, so the point is no decimal mark. */
  isGrouped = false;
  isFilled = false;
  isAnswer = true;
  #isTruth = false;
  #yes = false;
  #no = false;
  /** For cells such as 12.50: the number of decimals, and whether it differs. */
  #decimals = 0;
  #isPadded = false;
  #differs = false;
  /** With several currencies, an amount without its currency is incomplete. */
  readonly #currencies = new Set<string>();

  add(cell: string): void {
    this.isFilled = true;
    this.isAnswer &&= isTruthful(cell) !== null;
    this.possible = this.possible.filter((type) => fits(cell, type));
    const [type] = this.possible;
    if (type === "boolean") this.#addWord(cell);
    if (type === "number" || type === "number-comma") this.#addNumber(cell);
    if (!/^-?\d+$/.test(cell)) this.isDoubtful = true;
  }

  #addWord(cell: string): void {
    const word = wordIn(cell);
    this.#isTruth ||= word?.isTruth === true;
    if (word?.means) this.#yes = true;
    else this.#no = true;
  }

  /** Versions look like numbers, but 1.10 is not 1.1. */
  #addNumber(text: string): void {
    const { number: cell, currency } = amountIn(text);
    if (currency !== "") this.#currencies.add(currency);
    this.isGrouped ||= currency !== "" && isGroupedAmount(text);
    if (!cell.includes(".")) return;
    const decimals = decimalsOf(cell);
    this.#differs ||= this.#decimals > 0 && decimals !== this.#decimals;
    this.#decimals = decimals;
    this.#isPadded ||= cell.endsWith("0");
  }

  /** The types that fit all cells of the column. */
  told(): readonly CsvColumnType[] {
    if (!this.isFilled) return [];
    const isAnswer = this.#isTruth || (this.#yes && this.#no);
    const isVersion = this.#isPadded && this.#differs;
    return this.possible.filter(
      (type) =>
        !(type === "boolean" && !isAnswer) &&
        !(type === "number" && isVersion) &&
        !(type.startsWith("number") && this.#currencies.size > 1),
    );
  }
}

export class TypesOfColumns {
  readonly #seen: readonly ColumnProfile[];
  readonly #keys: CsvColumns["keys"];

  constructor(columns: CsvColumns) {
    this.#keys = [...columns.keys, ...columns.proof.map(({ index, key }) => [index, key] as const)];
    this.#seen = this.#keys.map(() => new ColumnProfile());
  }

  add(cells: readonly string[]): void {
    for (const [place, [index]] of this.#keys.entries()) {
      const cell = cells[index];
      const seen = this.#seen[place];
      if (cell && seen && (seen.possible.length > 0 || seen.isAnswer)) seen.add(cell);
    }
  }

  /** By key of data. */
  told(): Readonly<Record<string, ColumnTypeGuess>> {
    const left = this.#seen.map((seen) => seen.told());
    const isSecond = (first: CsvColumnType, second: CsvColumnType) =>
      left.some((types) => types.includes(second) && !types.includes(first)) ||
      (second === "number-comma" &&
        this.#seen.some(({ isGrouped }, place) => isGrouped && left[place]?.includes(second)));
    const preferred = PAIRS.map(([first, second]) => (isSecond(first, second) ? [second, first] : [first, second]));
    const typed = left.map((types, place): ColumnTypeGuess => {
      const isDoubtful = types.length > 1 && this.#seen[place]?.isDoubtful === true;
      const first = isDoubtful ? preferred.flat().find((one) => types.includes(one)) : undefined;
      const type = first ?? types[0] ?? "text";
      return {
        type,
        otherwise: isDoubtful ? (types.find((one) => one !== type) ?? null) : null,
        isAnswer: this.#seen[place]?.isAnswer === true,
      };
    });
    return Object.fromEntries(this.#keys.map(([, key], place) => [key, typed[place] as ColumnTypeGuess]));
  }
}
