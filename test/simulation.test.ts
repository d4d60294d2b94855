// The simulation in short: whatever happens, in whatever order, and wherever the process dies, the promises hold.
import { expect, test } from "bun:test";
import { inWords } from "./simulation.ts";
import { A_HOUSE, play, type Played } from "./simulation/play.ts";

/** `npm run test:long` plays more. */
const SEEDS = Number(process.env["POSTHORN_SIMULATION_SEEDS"] ?? 60);

const FIRST_OF_HOUSES = Array.from({ length: SEEDS / A_HOUSE }, (_, house) => 1 + house * A_HOUSE);

const known = new Map<number, Played>();

// A test a house: one of all seeds would take minutes on a busy machine, and one that is given up plays on beside the
// next.
test.each(FIRST_OF_HOUSES)(
  `${A_HOUSE} seeds from %d on: each mail has one outcome, nothing leaves twice, who left is left alone, and all accounts close`,
  async (first) => {
    const failed: string[] = [];
    let crashes = 0;
    await play(first, A_HOUSE, (played) => {
      known.set(played.seed, played);
      crashes += played.crashes;
      if (played.faults.length > 0) failed.push(inWords(played, first));
    });
    expect(failed).toEqual([]);
    expect(crashes).toBeGreaterThan(1);
  },
);

/** The first of a house: each had the same company when it was played before. */
test.each([
  ["one server", 1],
  ["two servers on one store", 21],
  ["two ways out", 11],
])("a seed that is played again is the same to the last arrival: %s", async (_, from) => {
  const again: Played[] = [];
  await play(from, 3, (played) => again.push(played));
  if (!known.has(from)) await play(from, 3, (played) => known.set(played.seed, played));
  expect(again).toEqual(again.flatMap(({ seed }) => known.get(seed) ?? []));
});
