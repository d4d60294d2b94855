// Events reach workflows: what waits for one goes on, and what is started by one starts, each exactly once.
import type { Variables } from "../contacts/data.ts";
import type { Consumer, Happened } from "../events/dispatch.ts";
import { listenersTo } from "../events/interests.ts";
import type { DispatchedEvent } from "../events/outbox.ts";
import type { Tx } from "../store/store.ts";
import { EXECUTION_DUE, start } from "./execution.ts";
import { endExecutionStep, executionsAwaiting, setArrived } from "./execution-queries.ts";
import { listeningWorkflow, type StartableRow } from "./version-queries.ts";
import { currentVersion, type NumberedVersion } from "./version.ts";

export const workflowConsumer: Consumer = {
  name: "workflows",
  consume: async (tx, happened) => {
    const listeners = new Listeners(tx);
    for (const one of happened) await hear(tx, listeners, one);
  },
};

/** An event without a contact concerns nobody who could be in a workflow. */
async function hear(tx: Tx, listeners: Listeners, { workspace, topics, contact, event }: Happened): Promise<void> {
  if (event === null || contact === null) return;
  const context = JSON.parse(event.data) as Variables;
  await wake(tx, contact, event, context);
  for (const { workflow, numbered } of await listeners.to(workspace, topics, event.name))
    await start(tx, workflow, { contact, eventName: event.name, context }, numbered);
}

async function wake(tx: Tx, contact: number, event: DispatchedEvent, data: Variables): Promise<void> {
  for (const { seq, step, context } of await executionsAwaiting(tx, contact, event.name)) {
    const merged = JSON.stringify({ ...(JSON.parse(context) as Variables), ...data });
    if ((await setArrived(tx, seq, event.name, merged)) === 0) continue;
    const output = { eventName: event.name, eventId: event.id, receivedAt: event.created_at, branch: "event" };
    await endExecutionStep(tx, seq, step, { status: "COMPLETED", output: JSON.stringify(output) });
    tx.signal(EXECUTION_DUE);
  }
}

type Startable = { readonly workflow: StartableRow; readonly numbered: NumberedVersion };

/** Who is started by what, asked for once a batch. */
class Listeners {
  readonly #byTopics = new Map<string, Promise<Startable[]>>();

  constructor(private readonly tx: Tx) {}

  to(workspace: number, topics: readonly string[], eventName: string): Promise<Startable[]> {
    const key = `${workspace} ${JSON.stringify(topics)}`;
    const known = this.#byTopics.get(key) ?? this.#startedBy(workspace, topics, eventName);
    this.#byTopics.set(key, known);
    return known;
  }

  async #startedBy(workspace: number, topics: readonly string[], eventName: string): Promise<Startable[]> {
    const found: Startable[] = [];
    for (const seq of await listenersTo(this.tx, workspace, "workflow", topics)) {
      const workflow = await listeningWorkflow(this.tx, seq);
      if (workflow && isStartedBy(workflow, eventName))
        found.push({ workflow, numbered: await currentVersion(this.tx, workflow) });
    }
    return found;
  }
}

function isStartedBy(
  { enabled, trigger_type: type, trigger_config: config }: StartableRow,
  eventName: string,
): boolean {
  return enabled === 1 && type === "EVENT" && (JSON.parse(config) as { eventName: string }).eventName === eventName;
}
