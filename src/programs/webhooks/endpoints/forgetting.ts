// The retention of endpoint events: they are kept for a replay, and no longer than events and email from outside.
import { NOTHING_DUE } from "../../../base/jobs/due.ts";
import { DAY_MS, HOUR_MS } from "../../../base/clock.ts";
import { uuidAt } from "../../../base/ids.ts";
import type { Store } from "../../../store/store.ts";
import { allRetention } from "../../../tenant/workspaces/queries.ts";
import { daysOf, type Days } from "../../../tenant/workspaces/retention.ts";
import { deleteSome } from "./queries.ts";
import { deleteEventsBefore, deleteTakenBefore, hasEventsBefore } from "./replay-queries.ts";
import { KEPT_DAYS } from "./replay.ts";

const MAX_DELETED_A_BATCH = 200;

/** Deletes some old events; answers how long there will be none. `days`: of the installation. */
export async function forgetOld(store: Store, nowMs: number, days: Days): Promise<number> {
  let isMore = false;
  for (const workspace of await store.read(allRetention)) {
    const { eventDays, inboundDays } = daysOf(days, workspace);
    const keptDays = Math.min(KEPT_DAYS, ...[eventDays, inboundDays].filter((one) => one > 0));
    const before = uuidAt(nowMs - keptDays * DAY_MS);
    if (!(await store.read((reader) => hasEventsBefore(reader, workspace.seq, before)))) continue;
    await store.write((tx) => deleteEventsBefore(tx, workspace.seq, before, MAX_DELETED_A_BATCH));
    isMore = true;
  }
  return isMore ? 0 : HOUR_MS;
}

/**
 * As `forgetOld`, for events that all endpoints have taken, which only a replay of everything would send again; 0 = not
 * sooner.
 */
export async function forgetTaken(store: Store, nowMs: number, deliveredDays: number): Promise<number> {
  if (deliveredDays === 0) return HOUR_MS;
  const before = uuidAt(nowMs - deliveredDays * DAY_MS);
  let isMore = false;
  for (const { seq } of await store.read(allRetention)) {
    if (!(await store.read((reader) => hasEventsBefore(reader, seq, before)))) continue;
    const deleted = await store.write((tx) => deleteTakenBefore(tx, seq, before, MAX_DELETED_A_BATCH));
    isMore ||= deleted === MAX_DELETED_A_BATCH;
  }
  return isMore ? 0 : HOUR_MS;
}

/** Deletes some deliveries of an endpoint that was removed; answers how long there will be none. */
export async function forgetRemoved(store: Store): Promise<number> {
  return (await store.write((tx) => deleteSome(tx, MAX_DELETED_A_BATCH))) ? 0 : NOTHING_DUE;
}
