// Three servers on one PostgreSQL: any of them is killed at any moment, the database goes away and comes back.
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
/** Before each kill, however slow the machine is. */
export const LEAST_DEPARTURES = 60;
const LONGEST_WAIT_MS = 1_500;
const LONGEST_OUTAGE_MS = 6_000;

/** Kills one server after the other while clients send, then lets all of them finish. */
export async function killAnyOfThree(plan: SharedKillPlan): Promise<SharedReport> {
  const { kills, seed, killsAnOutage = 3, onKill } = plan;
  await using installation = await Installation.set({ seed, ratePerSecond: RATE_PER_SECOND, nodes: [{}, {}, {}] });
  installation.load(CLIENTS);
  for (let kill = 1; kill <= kills; kill++) {
    await untilUnderLoad(installation);
    await killAndStartAgain(installation, installation.random.pick(installation.nodes));
    if (kill % killsAnOutage === 0) await takeDatabaseAway(installation, kill / killsAnOutage);
    onKill?.(kill);
  }
  await installation.drain();
  return await sharedReportOn(installation);
}

/** Mails have left since the last kill, and there are some in hand. */
async function untilUnderLoad(installation: Installation): Promise<void> {
  const { sink, random } = installation;
  const wanted = sink.departuresMs.length + LEAST_DEPARTURES;
  await installation.until(() => sink.departuresMs.length >= wanted, "mails had left");
  await Bun.sleep(random.below(LONGEST_WAIT_MS));
}

async function killAndStartAgain(installation: Installation, node: Node): Promise<void> {
  await installation.kill(node);
  await Bun.sleep(installation.random.below(500));
  await installation.startAgain(node);
}

/** The first crash is a long one, and a server dies in it as well. */
async function takeDatabaseAway(installation: Installation, time: number): Promise<void> {
  const {
    book: { refusals },
    database,
    random,
  } = installation;
  if (time % 2 === 1) return installation.withoutDatabase(() => database.restart());
  const victim = random.pick(installation.nodes);
  await installation.withoutDatabase(async () => {
    await database.crash();
    await installation.kill(victim);
    // The first one lasts longer than the servers wait for the database: they have to say 503.
    const { refused } = refusals;
    if (time === 2) await installation.until(() => refusals.refused > refused, "a server said 503");
    else await Bun.sleep(random.below(LONGEST_OUTAGE_MS));
    await database.up();
  });
  await installation.startAgain(victim);
}
