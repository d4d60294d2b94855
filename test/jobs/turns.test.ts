// So many at once, the others in their order.
import { expect, test } from "bun:test";
import { Turns } from "../../src/jobs/turns.ts";

test("two at once, the others one by one as they came, whatever fails", async () => {
  const turns = new Turns(2);
  const begun: number[] = [];
  const ends: PromiseWithResolvers<void>[] = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const taken = ends.map(({ promise }, number) =>
    turns.take(async () => {
      begun.push(number);
      await promise;
      return number;
    }),
  );
  expect([begun, turns.waiting]).toEqual([[0, 1], 3]);
  ends[1]?.reject(new Error("broken"));
  expect(taken[1]).rejects.toThrow("broken");
  await taken[1]?.catch(() => undefined);
  await Promise.resolve();
  expect([begun, turns.waiting]).toEqual([[0, 1, 2], 2]);
  for (const { resolve } of ends) resolve();
  expect(await Promise.all([taken[0], ...taken.slice(2)])).toEqual([0, 2, 3, 4]);
  expect(await turns.take(async () => "done")).toBe("done");
});
