// Events that started nothing, and why; the last of each workflow are kept.
import { DAY_MS, HOUR_MS, iso } from "../../../../base/clock.ts";
import type { DispatchedEvent } from "../../../../tenant/events/outbox.ts";
import type { Store, Tx } from "../../../../store/store.ts";
import {
  deleteUnstartedBefore,
  deleteUnstartedBeyond,
  insertUnstarted,
  overfullWorkflows,
} from "./unstarted-queries.ts";

/** The limit of a workflow. */
export const KEPT = 10_000;
const MAX_DELETED_A_BATCH = 500;

export const REASONS = [
  "entered_before",
  "still_inside",
  "key_running",
  "key_failed",
  "too_often",
  "no_contact",
] as const;
export type UnstartedReason = (typeof REASONS)[number];

/** For people. */
export const SAID: Readonly<Record<UnstartedReason, string>> = {
  entered_before: "The contact was in this workflow and may not enter again.",
  still_inside: "The contact is in this workflow now, and enters again only after that has ended.",
  key_running: "An execution of this contact with the same key is running.",
  key_failed: "The entry key takes too long to render for this event.",
  too_often: "The workflow was started too often for this contact within an hour.",
  no_contact: "The event belongs to no contact.",
};

type UnstartedEntry = {
  readonly contact: number | null;
  readonly event: Pick<DispatchedEvent, "id" | "name">;
  readonly reason: UnstartedReason;
};

export async function noteUnstarted(tx: Tx, workflow: number, events: readonly UnstartedEntry[]): Promise<void> {
  if (events.length > 0) await insertUnstarted(tx, workflow, events);
}

/**
 * Forgets some that are older than `days` (0 = none), or more than are kept. Answers how long there will be nothing to
 * forget.
 */
export async function forgetUnstarted(store: Store, days: number): Promise<number> {
  const old = (tx: Tx) => deleteUnstartedBefore(tx, iso(tx.nowMs - days * DAY_MS), MAX_DELETED_A_BATCH);
  if (days > 0 && (await store.write(old)) > 0) return 0;
  const [overfull] = await store.read((reader) => overfullWorkflows(reader, KEPT));
  if (!overfull) return HOUR_MS;
  await store.write((tx) => deleteUnstartedBeyond(tx, overfull.workflow, KEPT, MAX_DELETED_A_BATCH));
  return 0;
}
