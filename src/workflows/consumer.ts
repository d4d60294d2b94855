// Events reach workflows: executions that wait for one go on, and workflows that one starts are started, each exactly once.
// Executions that are still on the way to a wait are run up to it first, so that it does not matter how busy the run loop is.
import type { Variables } from "../contacts/data.ts";
import type { Consumer, Occurrence } from "../events/dispatch.ts";
import { listenersTo } from "../events/interests.ts";
import type { DispatchedEvent } from "../events/outbox.ts";
import type { Tx } from "../store/store.ts";
import { disabledAmong } from "../workspaces/queries.ts";
import { advance } from "./advance.ts";
import { arrivalOf, contextWith, usedEvents } from "./arrival.ts";
import { EXECUTION_DUE, start } from "./execution.ts";
import { executionsAwaiting, executionsBehind, setArrived, type DueExecution } from "./execution-queries.ts";
import { endExecutionStep } from "./trace-queries.ts";
import { holdWorkflow, type StartableRow } from "./version-queries.ts";
import { currentVersion, Versions, type NumberedVersion } from "./version.ts";

export const workflowConsumer: Consumer = {
  name: "workflows",
  consume: async (tx, occurrences) => {
    const listeners = new Listeners(tx);
    for (const one of occurrences) await handle(tx, listeners, one);
  },
};

/** Executions are of contacts: an event without one starts and resumes nothing. */
async function handle(tx: Tx, listeners: Listeners, { workspace, topics, contact, event }: Occurrence): Promise<void> {
  if (event === null || contact === null) return;
  const context = JSON.parse(event.data) as Variables;
  const { all, startable } = await listeners.to(workspace, topics, event.name);
  for (const execution of all.length === 0 ? [] : await executionsBehind(tx, contact, all, event.created_at))
    await listeners.runOn(execution);
  await resumeWaiting(tx, contact, event);
  for (const { workflow, numbered } of startable) await start(tx, workflow, { contact, event, context }, numbered);
}

async function resumeWaiting(tx: Tx, contact: number, event: DispatchedEvent): Promise<void> {
  for (const { seq, step, context } of await executionsAwaiting(tx, contact, event.name)) {
    if ((await usedEvents(tx, seq)).has(event.id)) continue;
    if ((await setArrived(tx, seq, event.name, contextWith(context, event))) === 0) continue;
    await endExecutionStep(tx, seq, step, { status: "COMPLETED", output: JSON.stringify(arrivalOf(event)) });
    tx.signal(EXECUTION_DUE);
  }
}

type Startable = { readonly workflow: StartableRow; readonly numbered: NumberedVersion };

/** Workflows that listen to an event: all of them by seq, and those that it starts. */
type Listening = { readonly all: readonly number[]; readonly startable: readonly Startable[] };

/** The workflows that listen to an event, asked for once a batch. */
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

  /** What belongs to a disabled workspace stays where it is. */
  async runOn(execution: DueExecution): Promise<void> {
    const { workspace, version } = execution;
    if ((await disabledAmong(this.tx, [workspace])).size > 0) return;
    await advance(this.tx, execution, await this.#versions.bySeq(this.tx, version));
  }

  async #listening(workspace: number, topics: readonly string[], eventName: string): Promise<Listening> {
    const startable: Startable[] = [];
    const all = await listenersTo(this.tx, workspace, "workflow", topics);
    for (const seq of all) {
      const workflow = await holdWorkflow(this.tx, seq);
      if (workflow && isStartedBy(workflow, eventName))
        startable.push({ workflow, numbered: await currentVersion(this.tx, workflow) });
    }
    return { all, startable };
  }
}

function isStartedBy(
  { enabled, trigger_type: type, trigger_config: config }: StartableRow,
  eventName: string,
): boolean {
  return enabled === 1 && type === "EVENT" && (JSON.parse(config) as { eventName: string }).eventName === eventName;
}
