// Starts workflows by their schedule: for each member of a segment, a batch of them at a time (interface-gaps.md §6 "SCHEDULE").
import { iso, type Clock } from "../clock.ts";
import { isStoreAway } from "../errors.ts";
import { restUntil, SHORT_REST_MS } from "../jobs/due.ts";
import type { Log } from "../log.ts";
import { segmentsNumbered } from "../segments/queries.ts";
import type { Store, Tx } from "../store/store.ts";
import { nextTime } from "./cron.ts";
import { start } from "./execution.ts";
import type { ScheduleConfig } from "./schedule.ts";
import { membersAfter, nextFiring, postpone, setFired, takeFiring, type FiringRow } from "./schedule-queries.ts";
import { holdWorkflow, type StartableRow } from "./version-queries.ts";

const MAX_MEMBERS_A_BATCH = 100;
const DISABLED_REST_MS = 600_000;
/** Before it is looked again whether a new segment has found its members. */
const SEGMENT_REST_MS = 5_000;
const REST_AFTER_FAULT_MS = 60_000;

export type Firing = { readonly store: Store; readonly clock: Clock; readonly log: Log };

/**
 * Starts a part of the members for whom it is time. A workflow that cannot be started is put off, so that it keeps no other
 * from its time. Answers how long there will be nothing to start.
 */
export async function fire({ store, clock, log }: Firing): Promise<number> {
  const firesAt = await store.read(nextFiring);
  const restMs = restUntil(firesAt, clock.nowMs());
  if (restMs > 0) return restMs;
  let taken: FiringRow | null = null;
  try {
    await store.write(async (tx) => {
      taken = await takeFiring(tx);
      if (taken) await fireOne(tx, taken);
    });
  } catch (error) {
    if (!taken || isStoreAway(error)) throw error;
    const { id, ...firing }: FiringRow = taken;
    await store.write((tx) => postpone(tx, firing, iso(tx.nowMs + REST_AFTER_FAULT_MS)));
    log.error("a workflow could not be started by the clock and will be tried again", { workflow: id, error });
  }
  return taken ? 0 : SHORT_REST_MS;
}

async function fireOne(tx: Tx, firing: FiringRow): Promise<void> {
  if (firing.disabled_at) await postpone(tx, firing, iso(tx.nowMs + DISABLED_REST_MS));
  else if (!(await isFilled(tx, firing.segment))) await postpone(tx, firing, iso(tx.nowMs + SEGMENT_REST_MS));
  else await startMembers(tx, firing);
}

/** False while a sweep is finding the members for a condition that is new: those it has yet to come to would be passed over. */
async function isFilled(tx: Tx, segment: number | null): Promise<boolean> {
  const [row] = segment === null ? [] : await segmentsNumbered(tx, [segment]);
  return row === undefined || row.state === "CURRENT";
}

/** However many times were missed while no process ran, the members are started once. */
async function startMembers(
  tx: Tx,
  { seq, segment, fires_at: firesAt, fired_to: from, trigger_config }: FiringRow,
): Promise<void> {
  const workflow = (await holdWorkflow(tx, seq)) as StartableRow;
  const members = segment === null ? [] : await membersAfter(tx, segment, from, MAX_MEMBERS_A_BATCH);
  for (const { contact } of members)
    await start(tx, workflow, { contact, event: null, context: { scheduledFor: firesAt } });
  const isOver = members.length < MAX_MEMBERS_A_BATCH;
  if (isOver)
    return void (await setFired(tx, seq, nextTime(JSON.parse(trigger_config) as ScheduleConfig, tx.nowMs), 0));
  await setFired(tx, seq, firesAt, members.at(-1)?.contact ?? 0);
}
