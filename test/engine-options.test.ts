// What the executable adds to its environment before it begins anew.
import { expect, test } from "bun:test";
import { environmentWith } from "../src/base/config.ts";

const OPTIONS = { BUN_JSC_a: "1", BUN_JSC_b: "2" };

test("an environment without the variables gets them, and keeps what it has", () => {
  expect(environmentWith(OPTIONS, { HOME: "/root", BUN_JSC_b: "3" })).toEqual({
    ...OPTIONS,
    HOME: "/root",
    BUN_JSC_b: "3",
  });
});

test("an environment that sets all of them, if to other values, stays as it is: nothing begins anew a second time", () => {
  expect(environmentWith(OPTIONS, { BUN_JSC_a: "", BUN_JSC_b: "3" })).toBeNull();
});
