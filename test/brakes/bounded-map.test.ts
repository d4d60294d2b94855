// What is kept within bounds.
import { expect, test } from "bun:test";
import { BoundedMap } from "../../src/base/brakes/bounded-map.ts";

const left = (map: BoundedMap<string, string>, keys: string) => [...keys].filter((key) => map.get(key) !== undefined);

test("beyond its number, the longest unused goes first", () => {
  const map = new BoundedMap<string, string>(2);
  for (const key of "ab") map.set(key, key);
  map.get("a");
  map.set("c", "c");
  expect([left(map, "abc"), map.size]).toEqual([["a", "c"], 2]);
});

test("beyond its cost, as many go as must", () => {
  const map = new BoundedMap<string, string>(10, 100);
  for (const key of "abc") map.set(key, key, 30);
  map.set("d", "d", 70);
  expect(left(map, "abcd")).toEqual(["c", "d"]);
  map.set("d", "d", 10);
  map.set("e", "e", 60);
  expect(left(map, "abcde")).toEqual(["c", "d", "e"]);
});

test("what costs too much alone is not kept", () => {
  const map = new BoundedMap<string, string>(10, 100);
  map.set("huge", "huge", 101);
  expect(map.size).toBe(0);
});
