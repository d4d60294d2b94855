// The two ways in which the server on its own file is ended under load: kill -9 again and again, and SIGTERM once.
import { reportOn, type Report } from "./report.ts";
import type { Stopped } from "./server-process.ts";
import type { Sink } from "./sink.ts";
import { Stage } from "./stage.ts";

const SHORTEST_WAIT_MS = 30;
const LONGEST_WAIT_MS = 400;
/** Before SIGTERM so many mails must have arrived: the load is on. */
const ARRIVALS_BEFORE_STOP = 300;

export type KillPlan = {
  readonly kills: number;
  /** Of the random moments and requests; what the processes make of them differs from run to run. */
  readonly seed: number;
  readonly onKill?: (kill: number) => void;
};

/** Kills the server again and again while clients send, then lets it finish. */
export async function killAgainAndAgain(plan: KillPlan): Promise<Report> {
  await using stage = await Stage.set(plan.seed);
  await killEach(stage, plan);
  await stage.drain();
  return reportOn(stage.evidence(), stage);
}

async function killEach(stage: Stage, { kills, onKill }: KillPlan): Promise<void> {
  for (let kill = 1; kill <= kills; kill++) {
    await using server = await stage.start({ load: true });
    // A busy machine may accept nothing in the time to a kill, and then there is nothing to lose.
    if (kill === 1) await stage.accepted(2);
    await untilKill(stage);
    stage.door.fall();
    await server.kill();
    stage.inspect(server);
    onKill?.(kill);
  }
}

const LONGEST_MOOD_MS = 300;
const LONGEST_PAUSE_MS = 2_000;
export const LEAST_BY_BACKUP = 10;
const MOST_MORE_KILLS = 40;

/**
 * The same with two ways out, of which the first goes away and comes back all the time, and the second now and then.
 */
export async function killWithTwoWays(plan: KillPlan): Promise<Report & { readonly byBackup: number }> {
  await using stage = await Stage.set(plan.seed, { hasBackup: true });
  const backup = stage.backup as Sink;
  let isOver = false;
  // Owners pause and resume both beside the server, which is killed all the time.
  const pauses = (async () => {
    while (!isOver) {
      stage.pause(stage.random.below(2) === 0 ? "default" : "backup", stage.random.below(3) === 0);
      await Bun.sleep(LONGEST_PAUSE_MS / 2 + stage.random.below(LONGEST_PAUSE_MS));
    }
    for (const way of ["default", "backup"]) while (!stage.pause(way, false)) await Bun.sleep(LONGEST_MOOD_MS);
  })();
  const moods = (async () => {
    while (!isOver) {
      stage.sink.isAway = stage.random.below(2) === 0;
      backup.isAway = stage.random.below(8) === 0;
      await Bun.sleep(stage.random.below(LONGEST_MOOD_MS));
    }
    stage.sink.isAway = backup.isAway = false;
  })();
  await killEach(stage, plan);
  // A busy machine gets little done while the first is away: there it takes more kills until the second has had its
  // share.
  for (let more = 0; backup.arrivals.length <= LEAST_BY_BACKUP && more < MOST_MORE_KILLS; more++)
    await killEach(stage, { ...plan, kills: 1 });
  isOver = true;
  await Promise.all([moods, pauses]);
  await stage.drain();
  return { ...reportOn(stage.evidence(), stage), byBackup: backup.arrivals.length };
}

/**
 * Half of the runs end soon after the start, when much is accepted and little has left; the others while mails leave.
 */
async function untilKill(stage: Stage): Promise<void> {
  if (stage.random.below(2) === 0) await stage.arrivals(1);
  await Bun.sleep(SHORTEST_WAIT_MS + stage.random.below(LONGEST_WAIT_MS - SHORTEST_WAIT_MS + 1));
}

/** Stops the server once with SIGTERM while clients send, then lets another run finish what is left. */
export async function stopUnderLoad(seed: number): Promise<{ readonly stopped: Stopped; readonly report: Report }> {
  await using stage = await Stage.set(seed);
  await using server = await stage.start({ load: true });
  await stage.arrivals(ARRIVALS_BEFORE_STOP);
  stage.door.fall();
  const stopped = await server.stop();
  stage.inspect(server);
  await stage.drain();
  return { stopped, report: reportOn(stage.evidence(), stage) };
}
