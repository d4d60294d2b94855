// Three servers on one PostgreSQL: any of them is killed at any moment, the database goes away and comes back.
import type { Random } from "../support/seeded.ts";
import { Installation } from "./installation.ts";
import type { Node } from "./node.ts";
import { sharedReportOn, type SharedReport } from "./shared-report.ts";

export type SharedKillPlan = {
  readonly kills: number;
  readonly seed: number;
  /** After so many kills the database goes away: orderly, then in a crash, and so on in turn. */
  readonly killsAnOutage?: number;
  readonly onKill?: (kill: number) => void;
};

export const RATE_PER_SECOND = 100;
const CLIENTS = 12;
const SHORTEST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 2_500;
/** Longer than the servers wait for it: they have to say 503. */
const LONGEST_OUTAGE_MS = 6_000;

/** Kills one server after the other while clients send, then lets all of them finish. */
export async function killAnyOfThree(plan: SharedKillPlan): Promise<SharedReport> {
  const { kills, seed, killsAnOutage = 3, onKill } = plan;
  await using installation = await Installation.set({ seed, ratePerSecond: RATE_PER_SECOND, nodes: [{}, {}, {}] });
  installation.load(CLIENTS);
  for (let kill = 1; kill <= kills; kill++) {
    await Bun.sleep(between(installation.random, SHORTEST_WAIT_MS, LONGEST_WAIT_MS));
    await killAndStartAgain(installation, installation.random.pick(installation.nodes));
    if (kill % killsAnOutage === 0) await takeDatabaseAway(installation, kill / killsAnOutage);
    onKill?.(kill);
  }
  await installation.drain();
  return await sharedReportOn(installation);
}

async function killAndStartAgain(installation: Installation, node: Node): Promise<void> {
  await installation.kill(node);
  await Bun.sleep(installation.random.below(500));
  await installation.startAgain(node);
}

/** The first crash is a long one, and a server dies in it as well. */
async function takeDatabaseAway(installation: Installation, time: number): Promise<void> {
  const { database, random } = installation;
  if (time % 2 === 1) return installation.withoutDatabase(() => database.restart());
  const victim = random.pick(installation.nodes);
  await installation.withoutDatabase(async () => {
    await database.crash();
    await installation.kill(victim);
    await Bun.sleep(time === 2 ? LONGEST_OUTAGE_MS : random.below(LONGEST_OUTAGE_MS));
    await database.up();
  });
  await installation.startAgain(victim);
}

function between(random: Random, leastMs: number, mostMs: number): number {
  return leastMs + random.below(mostMs - leastMs + 1);
}
