// Events reach workflows: executions that wait for one go on, and workflows that one starts are started, each exactly once.
//
// Executions on the way to a wait are brought to it first, and timeouts that ended before the event are taken, so that it does not
// matter how busy the run loop is. A wait that begins looks for its event in the log (arrival.ts); the trace says which events have
// ended waits, so none counts twice.
import type { Consumer, Occurrence } from "../../events/dispatch.ts";
import { listenersTo } from "../../events/interests.ts";
import type { DispatchedEvent } from "../../events/outbox.ts";
import type { Tx } from "../../store/store.ts";
import { disabledAmong } from "../../workspaces/queries.ts";
import { holdWorkflow, type StoredVersion, type Workflow } from "../definition/queries.ts";
import { currentVersion, Versions } from "../definition/version.ts";
import { advance } from "./advance.ts";
import { arrivalOf, contextWith, usedEvents } from "./arrival.ts";
import { EXECUTION_DUE, start } from "./execution.ts";
import { executionsAwaiting, executionsBehind, setArrived, type DueExecution } from "./queries.ts";
import { endExecutionStep } from "./trace-queries.ts";

export const workflowConsumer: Consumer = {
  name: "workflows",
  consume: async (tx, occurrences) => {
    const listeners = new Listeners(tx);
    for (const one of occurrences) await handle(tx, listeners, one);
  },
};

/** An event without a contact starts nothing and ends no wait. */
async function handle(tx: Tx, listeners: Listeners, { workspace, topics, contact, event }: Occurrence): Promise<void> {
  if (event === null || contact === null) return;
  const { all, startable } = await listeners.to(workspace, topics, event.name);
  for (const execution of all.length === 0 ? [] : await executionsBehind(tx, contact, all, event.createdAt))
    await listeners.runOn(execution);
  await endWaits(tx, contact, event);
  for (const { workflow, version } of startable)
    await start(tx, workflow, { contact, event, context: event.data }, version);
}

async function endWaits(tx: Tx, contact: number, event: DispatchedEvent): Promise<void> {
  for (const { seq: execution, step, context } of await executionsAwaiting(tx, contact, event.name)) {
    if ((await usedEvents(tx, execution)).has(event.id)) continue;
    if ((await setArrived(tx, execution, event.name, contextWith(context, event))) === 0) continue;
    await endExecutionStep(tx, { execution, step }, arrivalOf(event));
    tx.signal(EXECUTION_DUE);
  }
}

/** `all`: by seq, also those that only wait for the event. */
type Listening = {
  readonly all: readonly number[];
  readonly startable: readonly { readonly workflow: Workflow; readonly version: StoredVersion }[];
};

/** The workflows that listen to an event, looked up once a batch. */
class Listeners {
  readonly #byTopics = new Map<string, Promise<Listening>>();
  readonly #versions = new Versions();

  constructor(private readonly tx: Tx) {}

  to(workspace: number, topics: readonly string[], eventName: string): Promise<Listening> {
    const key = `${workspace} ${JSON.stringify(topics)}`;
    const known = this.#byTopics.get(key) ?? this.#listening(workspace, topics, eventName);
    this.#byTopics.set(key, known);
    return known;
  }

  /** Executions of a disabled workspace stay where they are. */
  async runOn(execution: DueExecution): Promise<void> {
    const { workspace, version } = execution;
    if ((await disabledAmong(this.tx, [workspace])).size > 0) return;
    await advance(this.tx, execution, await this.#versions.bySeq(this.tx, version));
  }

  async #listening(workspace: number, topics: readonly string[], eventName: string): Promise<Listening> {
    const startable: Listening["startable"][number][] = [];
    const all = await listenersTo(this.tx, workspace, "workflow", topics);
    for (const seq of all) {
      const workflow = await holdWorkflow(this.tx, seq);
      if (workflow && isStartedBy(workflow, eventName))
        startable.push({ workflow, version: await currentVersion(this.tx, workflow) });
    }
    return { all, startable };
  }
}

function isStartedBy({ enabled, trigger }: Workflow, eventName: string): boolean {
  return enabled && trigger.type === "EVENT" && trigger.config.eventName === eventName;
}
