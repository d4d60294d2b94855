// What the README of the client says of its methods.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { METHODS } from "../../client/src/methods.gen.ts";

test("the README names each group of methods, and no other", () => {
  const [, said = ""] = /Methods are grouped: (.*?)\./s.exec(readFileSync("client/README.md", "utf8")) ?? [];
  expect([...said.matchAll(/`(\w+)`/g)].map(([, name]) => name).toSorted()).toEqual(Object.keys(METHODS).toSorted());
});
