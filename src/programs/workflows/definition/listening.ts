// The events of a workflow: the event or the schedule that starts it, and the events that its executions wait for.
import { AppError, limitReached } from "../../../base/errors.ts";
import { listenersTo, listenTo } from "../../../tenant/events/interests.ts";
import { eventSubject } from "../../../tenant/events/subjects.ts";
import { segmentsNamed } from "../../../audience/segments/queries.ts";
import type { Tx } from "../../../store/store.ts";
import { nextTime } from "./trigger.ts";
import type { Definition } from "./definition.ts";
import { setSchedule, versionsInUse, type Workflow } from "./queries.ts";

const MAX_LISTENERS_AN_EVENT = 50;

/**
 * To be called with every change of the workflow. Events that executions of earlier versions wait for are kept until
 * its next change.
 * @throws AppError SEGMENT_NOT_FOUND, or CONFLICT if more than 50 workflows would listen to one event
 */
export async function listen(tx: Tx, workflow: Workflow & Definition): Promise<void> {
  const inUse = (await versionsInUse(tx, workflow.seq)).flatMap(eventsAwaitedIn);
  const own = workflow.enabled ? [...startingEventsOf(workflow), ...eventsAwaitedIn(workflow)] : [];
  await listenTo(tx, listenerFor(workflow), [...own, ...inUse].map(eventSubject));
  for (const name of own) await refuseTooManyListeners(tx, workflow.workspace, name);
  await keepSchedule(tx, workflow);
}

/** For a workflow that is deleted, without running executions. */
export function listenNoMore(tx: Tx, workflow: Workflow): Promise<void> {
  return listenTo(tx, listenerFor(workflow), []);
}

function listenerFor({ workspace, seq }: Workflow) {
  return { workspace, kind: "workflow", listener: seq } as const;
}

/** One event must not make thousands of executions in one transaction. */
async function refuseTooManyListeners(tx: Tx, workspace: number, eventName: string): Promise<void> {
  const listeners = await listenersTo(tx, workspace, "workflow", [eventSubject(eventName)]);
  if (listeners.length <= MAX_LISTENERS_AN_EVENT) return;
  throw limitReached(
    "listeners",
    MAX_LISTENERS_AN_EVENT,
    `At most ${MAX_LISTENERS_AN_EVENT} workflows of a workspace may listen to ${eventName}.`,
    "Disable another workflow that listens to this event, or merge some of them.",
  );
}

async function keepSchedule(tx: Tx, { workspace, seq, enabled, trigger }: Workflow): Promise<void> {
  if (trigger.type !== "SCHEDULE") return void (await setSchedule(tx, seq, null, null));
  const [segment] = await segmentsNamed(tx, workspace, [trigger.config.segmentId]);
  if (!segment) throw new AppError("SEGMENT_NOT_FOUND", `There is no segment ${trigger.config.segmentId}.`);
  await setSchedule(tx, seq, segment.seq, enabled ? nextTime(trigger.config, tx.nowMs) : null);
}

function startingEventsOf({ trigger }: Workflow): string[] {
  return trigger.type === "EVENT" ? [trigger.config.eventName] : [];
}

function eventsAwaitedIn({ steps }: Definition): string[] {
  return steps.flatMap((step) => (step.type === "WAIT_FOR_EVENT" ? [step.config.eventName] : []));
}
