// The columns of several files as those of one: columns of a name are one column, and so are those of addresses.
import { hasFlag } from "../consent.ts";
import { addressIn } from "../names.ts";
import type { CsvRecord } from "../syntax.ts";

export class JointHeader {
  readonly #names: string[] = [];
  /** The first filled cell of a first row, by column. */
  readonly #first: string[] = [];
  readonly #places = new Map<string, number>();

  add({ cells, next = [] }: CsvRecord): void {
    const keys = keysOf(cells);
    for (const [at, name] of cells.entries()) {
      const key = keys[at] as string;
      const place = this.#places.get(key) ?? this.#names.push(name) - 1;
      this.#places.set(key, place);
      this.#first[place] ||= next[at] ?? "";
    }
  }

  get width(): number {
    return this.#names.length;
  }

  record(): CsvRecord {
    return { cells: this.#names, row: 1, fault: null, next: this.#first, standing: null };
  }

  get hasFlag(): boolean {
    return hasFlag(this.#names);
  }

  /** Puts the cells of a row at their places. `header`: of its file, which has been added. */
  placing(header: readonly string[]): (cells: readonly string[]) => readonly string[] {
    const places = keysOf(header).map((key) => this.#places.get(key) as number);
    const width = places.reduce((most, place) => Math.max(most, place + 1), 0);
    return (cells) => {
      const row = new Array<string>(width).fill("");
      for (const [at, place] of places.entries()) row[place] = cells[at] ?? "";
      return row;
    };
  }
}

/** The key of each column; equal keys of two files mean the same column. A name twice in a file means two columns. */
function keysOf(header: readonly string[]): readonly string[] {
  const names = header.map((cell) => (cell.startsWith("data.") ? cell : cell.trim().toLowerCase()));
  const address = addressIn(names);
  const seen = new Map<string, number>();
  return names.map((name, at) => {
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return at === address ? "\n" : `${name}\n${times}`;
  });
}
