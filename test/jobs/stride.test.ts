// How much is done at once.
import { expect, test } from "bun:test";
import { Stride } from "../../src/base/jobs/stride.ts";

test("a stride grows while it is quick, shrinks as far as it must, and stays within its bounds", () => {
  const stride = new Stride({ first: 100, least: 10, most: 500, aimMs: 10 });
  const lengths = [1, 0, 1, 1, 20, 500, 10_000, 10].map((ms) => {
    stride.took(ms);
    return stride.length;
  });
  expect(lengths).toEqual([200, 400, 500, 500, 250, 10, 10, 10]);
});

test("where writers do not wait for each other, it does not shrink because the way is long", () => {
  const stride = new Stride({ first: 1, least: 1, most: 500, aimMs: 8 });
  stride.took(10_000);
  expect([stride.lengthOn("sqlite"), stride.lengthOn("postgres")]).toEqual([1, 500]);
});
