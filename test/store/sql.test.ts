// Statements of many rows: however many there are, few texts are prepared.
import { Database } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { inPieces, sql, written } from "../../src/store/sql.ts";
import { Statements } from "../../src/store/sqlite/statements.ts";

test("rows are cut into pieces of four sizes, in their order", () => {
  const rows = Array.from({ length: 155 }, (_, row) => row);
  expect(inPieces(rows).map((piece) => piece.length)).toEqual([64, 64, 16, 4, 4, 1, 1, 1]);
  expect(inPieces(rows).flat()).toEqual(rows);
  expect(inPieces([])).toEqual([]);
});

test("the text of a statement with words chosen from a few is put together once", async () => {
  using database = new Database(":memory:");
  const statements = new Statements(database);
  const putTogether = spyOn(statements, "prepareText");
  const one = (limit: number) => statements.get`select ${1} as one${sql` limit ${written(limit)}`}`;
  for (const limit of [25, 50, 25, 50]) expect(await one(limit)).toEqual({ one: 1 });
  expect(putTogether.mock.calls).toEqual([["select ? as one limit 25"], ["select ? as one limit 50"]]);
});
