// Memory that many share, and what is left for the others.
import { expect, test } from "bun:test";
import { SharedBytes } from "../../src/base/brakes/shared-bytes.ts";

test("one holder gets half, whatever number of shares it has, and the next ones half of what is left", () => {
  const memory = new SharedBytes(120);
  const first = memory.share("a");
  const second = memory.share("a");
  expect([first.take(40), second.take(21), second.take(20), second.take(1)]).toEqual([true, false, true, false]);
  const other = memory.share("b");
  expect([other.take(31), other.take(30), memory.freeBytes]).toEqual([false, true, 30]);
});

test("what is given back is there for everybody, once", () => {
  const memory = new SharedBytes(100);
  const share = memory.share("a");
  share.take(50);
  share.release();
  share.release();
  expect([memory.freeBytes, memory.share("b").take(50), memory.freeBytes]).toEqual([100, true, 50]);
});
