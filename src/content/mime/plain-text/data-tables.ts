// HTML tables that hold data, and their cells.
import { elementsIn, holds, namesIn, SEARCH_DEPTH, type HtmlElement } from "./html-tree.ts";

/** Counted in places: a cell that spans rows and columns takes several. */
const MAX_PLACES = 2_000;
const MAX_SPAN = 50;

const TABLE = namesIn("table");
const CELLS = namesIn("td th");
const ROW_GROUPS = namesIn("thead tbody tfoot center");

/** A table with headings holds data; all others are layout. */
export function isData(table: HtmlElement): boolean {
  const cells = cellsOf(table);
  const hasHeadings = cells.some(({ name }) => name === "th");
  if (!hasHeadings || table.attributes["role"] === "presentation" || holds(table, TABLE)) return false;
  return cells.reduce((sum, cell) => sum + placesOf(cell), 0) <= MAX_PLACES;
}

function cellsOf(within: HtmlElement, depth = SEARCH_DEPTH): HtmlElement[] {
  if (depth === 0) return [];
  return elementsIn(within).flatMap((child) => (CELLS.has(child.name) ? child : cellsOf(child, depth - 1)));
}

/** Infinity for spans that no real table has. */
function placesOf(cell: HtmlElement): number {
  const { columns, rows } = spansOf(cell);
  return [columns, rows].every((span) => span >= 1 && span <= MAX_SPAN) ? columns * rows : Infinity;
}

export function spansOf({ attributes: { colspan = "1", rowspan = "1" } }: HtmlElement) {
  return { columns: Math.trunc(Number(colspan)), rows: Math.trunc(Number(rowspan)) };
}

/** The cells of each row. */
export function rowsOf(within: HtmlElement): HtmlElement[][] {
  return elementsIn(within).flatMap((child) => {
    if (ROW_GROUPS.has(child.name)) return rowsOf(child);
    return child.name === "tr" ? [elementsIn(child).filter(({ name }) => CELLS.has(name))] : [];
  });
}
