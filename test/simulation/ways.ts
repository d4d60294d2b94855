// What owners do with the ways out of a simulation: pause them, and make rules for them, while mail leaves.
import { setRules, type RuleInput } from "../../src/ground/ways/keep-rules.ts";
import { WAYS_CHANGED } from "../../src/ground/ways/list.ts";
import { setPaused } from "../../src/ground/ways/queries.ts";
import type { Chance } from "../support/chance.ts";
import type { Installation } from "./installation.ts";
import type { Stage } from "./stage.ts";

const WAYS = ["default", "backup"] as const;

export async function changeWays({ installation, chance }: Stage): Promise<void> {
  const { store } = installation.server;
  if (chance.next() < 0.5) {
    const [name, isPaused] = [chance.of(WAYS), chance.next() < 0.6];
    await store.write(async (tx) => {
      await setPaused(tx, name, isPaused);
      tx.signal(WAYS_CHANGED);
    });
    return;
  }
  const rules = Array.from({ length: Math.floor(chance.next() * 3) }, (_, at) => ruleOf(chance, at));
  await store.write((tx) => setRules(tx, installation.known, rules));
}

function ruleOf(chance: Chance, at: number): RuleInput {
  const first = chance.of(WAYS);
  const ways = chance.next() < 0.5 ? [first] : [first, ...WAYS.filter((name) => name !== first)];
  return {
    name: `rule ${at}`,
    kind: chance.of(["MARKETING", "TRANSACTIONAL", null]),
    ways: ways.map((name) => ({ name, weight: Math.floor(chance.next() * 5) })),
    others: chance.next() < 0.5,
  };
}

/** Everything leaves again. */
export async function calmWays({ store, known }: Installation): Promise<void> {
  await store.write(async (tx) => {
    for (const name of WAYS) await setPaused(tx, name, false);
    await setRules(tx, known, []);
  });
}
