// What was parsed lately is kept, within bounds.
import { expect, test } from "bun:test";
import { ParsedCache } from "../../src/templates/parsed-cache.ts";

test("what was parsed once is not parsed again", () => {
  const cache = new ParsedCache<string>(10, 100);
  expect(read(cache, "a", 1)).toBe("parsed");
  expect(read(cache, "a", 1)).toBe("kept");
});

test("beyond its number, the longest unused goes first", () => {
  const cache = new ParsedCache<string>(2, 100);
  for (const key of ["a", "b", "a", "c"]) read(cache, key, 1);
  expect(["a", "c", "b"].map((key) => read(cache, key, 1))).toEqual(["kept", "kept", "parsed"]);
});

test("beyond its cost, as many go as must", () => {
  const cache = new ParsedCache<string>(10, 100);
  for (const key of ["a", "b", "c"]) read(cache, key, 30);
  read(cache, "d", 70);
  expect(["c", "d"].map((key) => read(cache, key, 30))).toEqual(["kept", "kept"]);
  expect(read(cache, "a", 1)).toBe("parsed");
});

test("what costs too much alone is not kept", () => {
  const cache = new ParsedCache<string>(10, 100);
  read(cache, "huge", 101);
  expect(read(cache, "huge", 101)).toBe("parsed");
});

function read(cache: ParsedCache<string>, key: string, cost: number): string {
  let made = false;
  cache.get(key, () => {
    made = true;
    return { value: key, cost };
  });
  return made ? "parsed" : "kept";
}
