// What copies are called.
import { expect, test } from "bun:test";
import { copyName } from "../../src/content/templates/template.ts";

test("a copy says that it is one, within the length of a name, with no character cut in two", () => {
  expect(copyName("Receipt")).toBe("Receipt (Copy)");
  expect(copyName("x".repeat(100))).toBe(`${"x".repeat(93)} (Copy)`);
  expect(copyName("😀".repeat(50))).toBe(`${"😀".repeat(46)} (Copy)`);
});
