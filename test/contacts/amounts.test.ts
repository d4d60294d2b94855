// Numbers of a file with a sign, a currency or brackets around them.
import { expect, test } from "bun:test";
import { numberIn, readNumber, type DecimalMark } from "../../src/audience/csv/forms.ts";

const BEYOND_DOUBT: readonly (readonly [text: string, mark: DecimalMark, number: number])[] = [
  ["($5.00)", ".", -5],
  ["(1,234.50)", ".", -1234.5],
  ["(1.234,50 €)", ",", -1234.5],
  ["+$5", ".", 5],
  ["\u22125,00 €", ",", -5],
  ["€ \u22125,00", ",", -5],
  ["\u221212.5", ".", -12.5],
  ["$ -7.50", ".", -7.5],
];

test.each(BEYOND_DOUBT)("%s is a number", (text, mark, number) => {
  expect([numberIn(text, mark), readNumber(text, mark)]).toEqual([number, number]);
});

test.each(["(5)", "(040)", "(040) 123 45", "+49 170 1234567", "+5", "01234", "(c) 2020", "12 %", "()", "(-)"])(
  "%s may be something else",
  (text) => {
    expect([numberIn(text, "."), numberIn(text, ",")]).toEqual([null, null]);
  },
);

test("brackets are a minus in a column that is said to have numbers", () => {
  expect(readNumber("(5)", ".")).toBe(-5);
});
