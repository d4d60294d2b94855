// Statements of many rows: however many there are, few texts are prepared.
import { expect, test } from "bun:test";
import { inPieces } from "../../src/store/sql.ts";

test("rows are cut into pieces of four sizes, in their order", () => {
  const rows = Array.from({ length: 155 }, (_, row) => row);
  expect(inPieces(rows).map((piece) => piece.length)).toEqual([64, 64, 16, 4, 4, 1, 1, 1]);
  expect(inPieces(rows).flat()).toEqual(rows);
  expect(inPieces([])).toEqual([]);
});
