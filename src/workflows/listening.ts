// The events that a workflow listens to: the one that starts it, and those that its executions wait for.
import { limitReached } from "../errors.ts";
import { listenersTo, listenTo } from "../events/interests.ts";
import { eventTopic } from "../events/topics.ts";
import type { Tx } from "../store/store.ts";
import type { Definition } from "./definition.ts";
import { versionsInUse } from "./version-queries.ts";
import type { WorkflowRow } from "./queries.ts";

const MAX_LISTENERS_AN_EVENT = 50;

/**
 * To be called with every change of the workflow. What executions of earlier versions wait for stays among its events, until its
 * next change.
 * @throws AppError CONFLICT if more than 50 workflows would listen to one event
 */
export async function listenFor(tx: Tx, workflow: WorkflowRow, definition: Definition): Promise<void> {
  const versions = await versionsInUse(tx, workflow.seq);
  const inUse = versions.flatMap((version) => waitedFor(JSON.parse(version.definition) as Definition));
  const own = workflow.enabled === 1 ? [...startedBy(workflow), ...waitedFor(definition)] : [];
  const who = { workspace: workflow.workspace, kind: "workflow", listener: workflow.seq } as const;
  await listenTo(tx, who, [...own, ...inUse].map(eventTopic));
  for (const name of own) await refuseTooManyListeners(tx, workflow.workspace, name);
}

/** One event must not make thousands of executions in one transaction. */
async function refuseTooManyListeners(tx: Tx, workspace: number, eventName: string): Promise<void> {
  const listeners = await listenersTo(tx, workspace, "workflow", [eventTopic(eventName)]);
  if (listeners.length <= MAX_LISTENERS_AN_EVENT) return;
  throw limitReached(
    `At most ${MAX_LISTENERS_AN_EVENT} workflows of a workspace may listen to ${eventName}.`,
    "Disable another workflow that listens to this event, or merge some of them.",
  );
}

/** For a workflow that is deleted, of which nothing runs. */
export function listenNoMore(tx: Tx, workflow: WorkflowRow): Promise<void> {
  return listenTo(tx, { workspace: workflow.workspace, kind: "workflow", listener: workflow.seq }, []);
}

function startedBy({ trigger_type: type, trigger_config: config }: WorkflowRow): string[] {
  return type === "EVENT" ? [(JSON.parse(config) as { eventName: string }).eventName] : [];
}

function waitedFor({ steps }: Definition): string[] {
  return steps.flatMap((step) => (step.type === "WAIT_FOR_EVENT" ? [step.config.eventName] : []));
}
