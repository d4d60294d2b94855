// Tables of a text part, set in columns as long as there is room: each line is as long as all columns before it, however empty they are.
import type { BlockTextBuilder, CloseTableOptions } from "html-to-text/lib/block-text-builder.js";

type Rows = Parameters<CloseTableOptions["tableToString"]>[0];

/** Padding included, of all tables of one mail together. What is beyond that is set cell by cell. */
const MAX_CHARS = 500_000;
const COLUMN_SPACING = 3;

const taken = new WeakMap<BlockTextBuilder, number>();

/** Runs `build`, which builds one table, and sets the table in columns if there is room for it. */
export function inColumns(builder: BlockTextBuilder, build: () => void): void {
  const { closeTable } = builder;
  builder.closeTable = (options) => {
    const print = (rows: Rows) => (hasRoom(builder, rows) ? (options?.tableToString(rows) ?? "") : cellByCell(rows));
    closeTable.call(builder, { ...options, tableToString: print });
  };
  try {
    build();
  } finally {
    builder.closeTable = closeTable;
  }
}

function hasRoom(builder: BlockTextBuilder, rows: Rows): boolean {
  const chars = (taken.get(builder) ?? 0) + widthOf(rows) * heightOf(rows);
  if (chars > MAX_CHARS) return false;
  taken.set(builder, chars);
  return true;
}

/** At most: cells that reach down push those of the rows below aside, and then each counts as a column. */
function widthOf(rows: Rows): number {
  const isEven = rows.flat().every(({ rowspan }) => rowspan === 1);
  const widths = new Map<string, number>();
  for (const [row, cells] of rows.entries()) {
    let column = 0;
    for (const { text, colspan } of cells) {
      const key = isEven ? `${column}` : `${row} ${column}`;
      const width = Math.max(...text.split("\n").map(({ length }) => length)) + COLUMN_SPACING * colspan;
      widths.set(key, Math.max(width, widths.get(key) ?? 0));
      column += colspan;
    }
  }
  return widths.values().reduce((sum, width) => sum + width, 0);
}

/** At most: rows that a cell reaches down to count for it and for themselves. */
function heightOf(rows: Rows): number {
  const heights = rows.map((cells) => cells.map(({ text, rowspan }) => Math.max(rowspan, text.split("\n").length)));
  return heights.reduce((sum, ofRow) => sum + Math.max(1, ...ofRow), 0);
}

function cellByCell(rows: Rows): string {
  return rows.map((cells) => cells.map(({ text }) => text).join("\n")).join("\n");
}
