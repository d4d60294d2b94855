// So many bytes at once, the others in their order.
import { expect, test } from "bun:test";
import { ByteBudget } from "../../src/jobs/byte-budget.ts";

test("what fits runs, the rest waits as it came, what is larger than all runs alone, whatever fails", async () => {
  const budget = new ByteBudget(10);
  const begun: number[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const works = [6, 4, 5, 30, 1].map((bytes, number) => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    const work = budget.use(bytes, async () => {
      begun.push(number);
      await end.promise;
      return number;
    });
    return work.catch(() => "failed");
  });
  const settled = async (number: number) => (ends[number]?.resolve(), await works[number]);
  expect([begun, budget.waiting]).toEqual([[0, 1], 3]);
  ends[0]?.reject(new Error("broken"));
  expect(await works[0]).toBe("failed");
  expect([begun, budget.waiting]).toEqual([[0, 1, 2], 2]);
  expect(await settled(1)).toBe(1);
  expect(begun).toEqual([0, 1, 2]);
  expect(await settled(2)).toBe(2);
  expect(begun).toEqual([0, 1, 2, 3]);
  expect(await settled(3)).toBe(3);
  expect([begun, budget.waiting]).toEqual([[0, 1, 2, 3, 4], 0]);
  expect(await settled(4)).toBe(4);
});
