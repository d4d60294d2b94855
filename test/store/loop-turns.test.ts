// Reads that take turns of the event loop.
import { expect, test } from "bun:test";
import { LoopTurns } from "../../src/store/loop-turns.ts";

/** How many turns of the loop went by until each was let in. */
async function turnsTaken(turns: LoopTurns, asking: number): Promise<number[]> {
  let turn = 0;
  let isOver = false;
  const tick = () => {
    turn++;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const taken = await Promise.all(
    Array.from({ length: asking }, async () => {
      await turns.next();
      return turn;
    }),
  );
  isOver = true;
  return taken;
}

test("the first needs not wait, the others have a turn each, in the order in which they came", async () => {
  expect(await turnsTaken(new LoopTurns(), 5)).toEqual([0, 1, 2, 3, 4]);
});

test("after the last the next one needs not wait", async () => {
  const turns = new LoopTurns();
  await turnsTaken(turns, 3);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(turns.next()).toBeUndefined();
});

test("who comes in a turn that is taken waits for the next one", async () => {
  const turns = new LoopTurns();
  expect(turns.next()).toBeUndefined();
  expect(turns.next()).toBeInstanceOf(Promise);
});
