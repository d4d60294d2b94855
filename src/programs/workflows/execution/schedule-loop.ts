// Starts workflows by their schedules: one execution for each member of a segment, a batch of members at a time.
import { iso } from "../../../base/clock.ts";
import { isStoreAway } from "../../../base/errors.ts";
import { restUntil, SHORT_REST_MS } from "../../../base/jobs/due.ts";
import type { Ground } from "../../../ground/ground.ts";
import { segmentsNumbered } from "../../../audience/segments/queries.ts";
import type { Tx } from "../../../store/store.ts";
import { disabledAmong } from "../../../tenant/workspaces/queries.ts";
import { nextTime } from "../definition/trigger.ts";
import { holdWorkflow, type Workflow } from "../definition/queries.ts";
import { startEach } from "./execution.ts";
import { membersAfter, nextFiring, deferFiring, setFired, takeFiring, type DueSchedule } from "./schedule-queries.ts";

const MAX_MEMBERS_A_BATCH = 100;
const DISABLED_REST_MS = 600_000;
/** The rest before a new segment, whose members are being found, is checked again. */
const SEGMENT_REST_MS = 5_000;
const REST_AFTER_FAULT_MS = 60_000;

/**
 * Starts some of the due members. A workflow that cannot be started is deferred, so that it holds up no other. Answers
 * how long there will be nothing to start.
 */
export async function startScheduled({ store, clock, log }: Pick<Ground, "store" | "clock" | "log">): Promise<number> {
  const restMs = restUntil(await store.read(nextFiring), clock.nowMs());
  if (restMs > 0) return restMs;
  let taken: DueSchedule | null = null;
  try {
    await store.write(async (tx) => {
      taken = await takeFiring(tx);
      if (taken) await startOne(tx, taken);
    });
  } catch (error) {
    if (!taken || isStoreAway(error)) throw error;
    const firing: DueSchedule = taken;
    await store.write((tx) => deferFiring(tx, firing, iso(tx.nowMs + REST_AFTER_FAULT_MS)));
    log.error("a scheduled workflow could not be started and will be tried again", { workflow: firing.id, error });
  }
  return taken ? 0 : SHORT_REST_MS;
}

async function startOne(tx: Tx, firing: DueSchedule): Promise<void> {
  const isDisabled = (await disabledAmong(tx, [firing.workspace])).size > 0;
  if (isDisabled) await deferFiring(tx, firing, iso(tx.nowMs + DISABLED_REST_MS));
  else if (!(await isFilled(tx, firing.segment))) await deferFiring(tx, firing, iso(tx.nowMs + SEGMENT_REST_MS));
  else await startMembers(tx, firing);
}

/** False while a sweep is finding the members of a new condition: the missing ones would be left out. */
async function isFilled(tx: Tx, segment: number | null): Promise<boolean> {
  const [row] = segment === null ? [] : await segmentsNumbered(tx, [segment]);
  return row === undefined || row.state === "CURRENT";
}

/** The members are started once, even if several times were missed while no process ran. */
async function startMembers(tx: Tx, { seq, segment, firesAt, firedTo }: DueSchedule): Promise<void> {
  const workflow = (await holdWorkflow(tx, seq)) as Workflow;
  const { trigger } = workflow;
  const members = segment === null ? [] : await membersAfter(tx, segment, firedTo, MAX_MEMBERS_A_BATCH);
  const context = { scheduledFor: firesAt };
  await startEach(
    tx,
    workflow,
    members.map(({ contact }) => ({ contact, event: null, context })),
  );
  const last = members.length === MAX_MEMBERS_A_BATCH ? members.at(-1) : undefined;
  if (last) await setFired(tx, seq, firesAt, last.contact);
  else await setFired(tx, seq, trigger.type === "SCHEDULE" ? nextTime(trigger.config, tx.nowMs) : null, 0);
}
