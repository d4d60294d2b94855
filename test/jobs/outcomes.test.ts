// Outcomes of work are recorded together, and none waits for one that does not come.
import { expect, test } from "bun:test";
import { Outcomes } from "../../src/base/jobs/outcomes.ts";

const FOR_EVER_MS = 1_000_000;

function outcomes(recorded: number[], gatherMs = FOR_EVER_MS) {
  const settle = async (outcome: number) => {
    recorded.push(outcome);
    return outcome;
  };
  return new Outcomes(settle, gatherMs);
}

test("an outcome waits while other mails are on their way, and is recorded with theirs", async () => {
  const recorded: number[] = [];
  const waiting = outcomes(recorded);
  const other = Promise.withResolvers<void>();
  const handOver = waiting.whileOnItsWay(() => other.promise);
  const first = waiting.record(1);
  await Promise.resolve();
  expect([recorded, waiting.unrecorded]).toEqual([[], 1]);
  other.resolve();
  await handOver;
  const second = waiting.record(2);
  expect(await Promise.all([first, second])).toEqual([1, 2]);
  expect([recorded, waiting.unrecorded]).toEqual([[1, 2], 0]);
});

test("where the mail on its way comes to nothing, the others wait no longer", async () => {
  const recorded: number[] = [];
  const waiting = outcomes(recorded);
  const other = Promise.withResolvers<void>();
  const handOver = waiting.whileOnItsWay(() => other.promise).catch(() => "lost");
  const first = waiting.record(1);
  other.reject(new Error("lost"));
  expect([await handOver, await first]).toEqual(["lost", 1]);
});

test("two hundred are enough, whatever is on its way", async () => {
  const recorded: number[] = [];
  const waiting = outcomes(recorded);
  void waiting.whileOnItsWay(() => new Promise(() => {}));
  const all = Array.from({ length: 200 }, (_, index) => waiting.record(index));
  expect((await Promise.all(all)).length).toBe(200);
  expect(recorded.length).toBe(200);
});

test("without a time to gather, each is recorded at once", async () => {
  const recorded: number[] = [];
  const waiting = outcomes(recorded, 0);
  void waiting.whileOnItsWay(() => new Promise(() => {}));
  expect(await waiting.record(1)).toBe(1);
});
