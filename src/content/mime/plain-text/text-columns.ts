// Tables of a text part, set in columns.

export type Cell = {
  readonly lines: readonly string[];
  readonly columns: number;
  readonly rows: number;
};

type GridCell = Cell & { readonly x: number; readonly y: number };

const SPACING = 3;

/** The table in columns; null if that takes more than `most` characters, since lines are padded to columns. */
export function inColumns(rows: readonly (readonly Cell[])[], most: number): string | null {
  const cells = placed(rows);
  const tops = offsets(cells.map(({ y, rows, lines }) => [y, rows, lines.length]));
  const byColumn = cells.toSorted((one, other) => one.x - other.x || one.y - other.y);
  const lefts = offsets(byColumn.map(({ x, columns, lines }) => [x, columns, widest(lines) + SPACING]));
  const width = lefts(cells.reduce((most, { x, columns }) => Math.max(most, x + columns), 0));
  if (tops(rows.length) * width > most) return null;
  const printed: string[] = [];
  for (const { x, y, lines } of byColumn)
    for (const [index, line] of lines.entries()) {
      const at = tops(y) + index;
      printed[at] = (printed[at] ?? "").padEnd(lefts(x)) + line;
    }
  return printed.join("\n");
}

/** Places each cell in the first free position of its row, considering cells that span down into it. */
function placed(rows: readonly (readonly Cell[])[]): GridCell[] {
  const taken: boolean[][] = [];
  return rows.flatMap((cells, y) => {
    let x = 0;
    return cells.map((cell) => {
      while (taken[y]?.[x]) x++;
      for (let row = y; row < y + cell.rows; row++)
        for (let column = x; column < x + cell.columns; column++) (taken[row] ??= [])[column] = true;
      const place = { ...cell, x, y };
      x += cell.columns;
      return place;
    });
  });
}

/** The start of each row or column, if an entry that spans `span` of them from `from` needs `size`. */
function offsets(spans: readonly (readonly [from: number, span: number, size: number])[]): (index: number) => number {
  const known = [0];
  const of = (index: number) => {
    for (let at = known.length; at <= index; at++) known[at] = (known[at - 1] ?? 0) + 1;
    return known[index] ?? 0;
  };
  for (const [from, span, size] of spans) {
    const end = Math.max(of(from + span), of(from) + size);
    known[from + span] = end;
  }
  return of;
}

function widest(lines: readonly string[]): number {
  return lines.reduce((most, { length }) => Math.max(most, length), 0);
}
