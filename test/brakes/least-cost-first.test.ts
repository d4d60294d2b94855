// Work on one thread in turns that count what each has cost.
import { expect, test } from "bun:test";
import { LeastCostFirst } from "../../src/base/brakes/least-cost-first.ts";

function lineWithCosts() {
  let spentMs = 0;
  const done: string[] = [];
  const line = new LeastCostFirst(() => spentMs);
  const work = (workspace: number, name: string, costMs: number) =>
    line.run(workspace, () => {
      spentMs += costMs;
      done.push(name);
    });
  return { line, work, done };
}

test("who joins comes next, and goes first until it has cost as much", async () => {
  const { work, done } = lineWithCosts();
  const heavy = Array.from({ length: 4 }, (_, index) => work(1, `heavy ${index}`, 100));
  await heavy[0];
  const light = Array.from({ length: 5 }, (_, index) => work(2, `light ${index}`, 40));
  await Promise.all([...heavy, ...light]);
  expect(done).toEqual([
    "heavy 0",
    ...["light 0", "heavy 1", "light 1", "light 2"],
    ...["heavy 2", "light 3", "light 4", "heavy 3"],
  ]);
});

test("those whose work costs the same take turns", async () => {
  const { work, done } = lineWithCosts();
  await Promise.all(
    [1, 2, 3].flatMap((workspace) => ["a", "b"].map((name) => work(workspace, `${workspace}${name}`, 1))),
  );
  expect(done).toEqual(["1a", "2a", "3a", "1b", "2b", "3b"]);
});

test("what fails fails by itself, and the line goes on", async () => {
  const { line, work, done } = lineWithCosts();
  const failing = line.run(1, () => {
    throw new Error("no");
  });
  const next = work(1, "next", 1);
  await expect(failing).rejects.toThrow("no");
  await next;
  expect(done).toEqual(["next"]);
});
