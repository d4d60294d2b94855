// How many requests go into a transaction, where two transactions of a kind are under way at a time.
import { expect, test } from "bun:test";
import { Gatherings } from "../../src/store/postgres/gatherings.ts";
import type { Tx } from "../../src/store/store.ts";

const FOR_EVER_MS = 60_000;

/** A store whose transactions end when the test says so; tells how many requests each has. */
function slowStore({ patienceMs = FOR_EVER_MS } = {}) {
  const sizes: number[] = [];
  const ends: (() => void)[] = [];
  const gatherings = new Gatherings(async (work) => {
    const answers = await work({} as Tx);
    await new Promise<void>((resolve) => ends.push(resolve));
    return answers;
  }, patienceMs);
  const together = async (_: Tx, requests: readonly number[]) => {
    sizes.push(requests.length);
    return requests;
  };
  const ask = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => gatherings.carryOut(together, index)));
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  /** The oldest of them ends. */
  const end = async () => {
    ends.shift()?.();
    await turn();
  };
  return { sizes, ask, turn, end };
}

test("two transactions share what comes at the same moment", async () => {
  const { sizes, ask, end } = slowStore();
  const answers = ask(50);
  await end();
  await end();
  await end();
  expect(sizes).toEqual([25, 25]);
  expect(await answers).toEqual(Array.from({ length: 50 }, (_, index) => index));
});

test("a few that come at the same moment while nothing is under way go together", async () => {
  const { sizes, ask, turn } = slowStore();
  void ask(32);
  await turn();
  expect(sizes).toEqual([32]);
});

test("no transaction has more than 64", async () => {
  const { sizes, ask, end } = slowStore();
  const answers = ask(300);
  for (let ended = 0; ended < 8; ended++) await end();
  await answers;
  expect(sizes.slice(0, 2)).toEqual([64, 64]);
  expect(Math.max(...sizes)).toBe(64);
});

test("two who are alone wait for nobody", async () => {
  const { sizes, ask, turn } = slowStore();
  void ask(1);
  await turn();
  void ask(1);
  await turn();
  expect(sizes).toEqual([1, 1]);
});

test("what comes while a transaction is under way goes once it is as much, or once the other has ended", async () => {
  const { sizes, ask, turn, end } = slowStore();
  void ask(40);
  await turn();
  await end();
  void ask(3);
  await turn();
  expect(sizes).toEqual([20, 20]);
  void ask(17);
  await turn();
  expect(sizes).toEqual([20, 20, 20]);
  void ask(5);
  await end();
  await end();
  expect(sizes).toEqual([20, 20, 20, 5]);
});

test("the few that come while a transaction takes long go without it before long", async () => {
  const { sizes, ask, turn, end } = slowStore({ patienceMs: 1 });
  void ask(40);
  await turn();
  await end();
  void ask(3);
  while (sizes.length < 3) await turn();
  expect(sizes).toEqual([20, 20, 3]);
});
