// A crowd is here while callers come by the hundred in a second, and gone soon after.
import { expect, test } from "bun:test";
import { Crowd } from "../../src/store/engine/crowd.ts";
import { TestClock } from "../support/clock.ts";

test("a crowd is here from the twentieth caller in a tenth of a second until they stay away", () => {
  const clock = new TestClock();
  const crowd = new Crowd(clock);
  const come = (callers: number) => {
    for (let n = 0; n < callers; n++) crowd.count();
  };
  come(19);
  expect(crowd.isHere).toBe(false);
  come(1);
  expect(crowd.isHere).toBe(true);
  clock.advance(999);
  expect(crowd.isHere).toBe(true);
  clock.advance(1);
  expect(crowd.isHere).toBe(false);
  for (let n = 0; n < 10; n++) {
    come(19);
    clock.advance(100);
  }
  expect(crowd.isHere).toBe(false);
  come(20);
  clock.advance(1_000);
  expect(crowd.isHere).toBe(false);
});
