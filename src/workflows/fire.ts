// The clock starts workflows: for each member of a segment, a part of them at a time (interface-gaps.md §6 "SCHEDULE").
import { iso, type Clock } from "../clock.ts";
import type { Store, Tx } from "../store/store.ts";
import { nextTime } from "./cron.ts";
import { start } from "./execution.ts";
import type { ScheduleConfig } from "./schedule.ts";
import { membersAfter, nextFiring, setFired, takeFiring, type FiringRow } from "./schedule-queries.ts";
import { listeningWorkflow, type StartableRow } from "./version-queries.ts";

const MEMBERS_A_BATCH = 100;
const LONGEST_REST_MS = 5_000;
const DISABLED_REST_MS = 600_000;

/** Starts a part of the members for whom it is time; answers how long there will be nothing to start. */
export async function fire(store: Store, clock: Clock): Promise<number> {
  const firesAt = await store.read(nextFiring);
  const waitMs = firesAt === null ? LONGEST_REST_MS : Date.parse(firesAt) - clock.nowMs();
  if (waitMs > 0) return Math.min(waitMs, LONGEST_REST_MS);
  await store.write(async (tx) => {
    const firing = await takeFiring(tx);
    if (firing?.disabled_at) await setFired(tx, firing.seq, iso(tx.nowMs + DISABLED_REST_MS), firing.fired_to);
    else if (firing) await startMembers(tx, firing);
  });
  return 0;
}

/** What was missed while nobody was there is made up for once. */
async function startMembers(
  tx: Tx,
  { seq, segment, fires_at: firesAt, fired_to: from, trigger_config }: FiringRow,
): Promise<void> {
  const workflow = (await listeningWorkflow(tx, seq)) as StartableRow;
  const members = segment === null ? [] : await membersAfter(tx, segment, from, MEMBERS_A_BATCH);
  for (const { contact } of members)
    await start(tx, workflow, { contact, eventName: null, context: { scheduledFor: firesAt } });
  const isOver = members.length < MEMBERS_A_BATCH;
  if (isOver)
    return void (await setFired(tx, seq, nextTime(JSON.parse(trigger_config) as ScheduleConfig, tx.nowMs), 0));
  await setFired(tx, seq, firesAt, members.at(-1)?.contact ?? 0);
}
