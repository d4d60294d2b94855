// Events for workflows: waiting executions go on, and new ones start, each exactly once.
//
// Executions on the way to a wait are brought to it first, and timeouts that ended before the event are taken, so that
// it does not matter how busy the run loop is. A wait that begins looks for its event in the log (arrival.ts); the
// trace names the events that have ended waits, so none counts twice.
import type { Consumer, Occurrence } from "../../../tenant/events/dispatch.ts";
import { listenersTo } from "../../../tenant/events/interests.ts";
import type { DispatchedEvent } from "../../../tenant/events/outbox.ts";
import type { Tx } from "../../../store/store.ts";
import { disabledAmong } from "../../../tenant/workspaces/queries.ts";
import { holdWorkflow, type StoredVersion, type Workflow } from "../definition/queries.ts";
import { currentVersion, Versions } from "../definition/version.ts";
import { advanceEach, type DueRun } from "./advance.ts";
import { arrivalOf, contextWith, usedEvents } from "./arrival.ts";
import { ONE, takes } from "./entry.ts";
import { EXECUTION_DUE, startEach } from "./execution.ts";
import { executionsAwaiting, executionsBehind, lockAwaiting, setArrived, type DueExecution } from "./queries.ts";
import { sidesOf } from "./side-by-side.ts";
import { endExecutionSteps } from "./trace-queries.ts";
import { noteUnstarted } from "./unstarted/unstarted.ts";

export const workflowConsumer: Consumer = {
  name: "workflows",
  consume: async (tx, occurrences) => {
    const listeners = new Listeners(tx);
    for (const { event, ...one } of occurrences)
      if (event && one.contact === null) await passOver(tx, listeners, { ...one, event });
    for (const side of sidesOf(occurrences.filter(isOfContact), ({ contact }) => contact))
      for (const [listening, alike] of await listeners.toEach(side)) await handle(tx, listeners, listening, alike);
  },
};

type EventOccurrence = Occurrence & { readonly event: DispatchedEvent };
type ContactEvent = EventOccurrence & { readonly contact: number };

/** An event without a contact starts nothing and ends no wait. */
async function passOver(tx: Tx, listeners: Listeners, one: EventOccurrence): Promise<void> {
  const { startable } = await listeners.to(one);
  for (const { workflow } of startable)
    await noteUnstarted(tx, workflow.seq, [{ contact: null, event: one.event, reason: "no_contact" }]);
}

function isOfContact(one: Occurrence): one is ContactEvent {
  return one.event !== null && one.contact !== null;
}

/** `arrived`: the same event of different contacts. */
async function handle(
  tx: Tx,
  listeners: Listeners,
  { all, startable }: EventListeners,
  arrived: readonly ContactEvent[],
): Promise<void> {
  const happened = arrived.map(({ contact, event }) => ({ contact, at: event.createdAt }));
  if (all.length > 0) await listeners.runOn(await executionsBehind(tx, happened, all));
  await endWaits(tx, listeners, arrived);
  const starts = arrived.map(({ contact, event }) => ({ contact, event, context: event.data }));
  for (const { workflow, version } of startable) {
    const started = await startEach(tx, workflow, starts, version);
    const without = arrived.flatMap(({ contact, event }, at) => {
      const reason = started[at]?.reason ?? null;
      return reason === null ? [] : [{ contact, event, reason }];
    });
    await noteUnstarted(tx, workflow.seq, without);
  }
}

async function endWaits(tx: Tx, listeners: Listeners, arrived: readonly ContactEvent[]): Promise<void> {
  const events = new Map(arrived.map(({ contact, event }) => [contact, event]));
  const [{ event: first }] = arrived as readonly [ContactEvent];
  const meant: number[] = [];
  for (const { seq, contact, version, entry } of await executionsAwaiting(tx, [...events.keys()], first.name)) {
    const { data } = events.get(contact) as DispatchedEvent;
    if (entry === ONE || takes(entry, await listeners.keysOf(version), data)) meant.push(seq);
  }
  if (meant.length === 0) return;
  for (const { seq: execution, contact, step, context } of await lockAwaiting(tx, meant, first.name)) {
    const event = events.get(contact) as DispatchedEvent;
    if ((await usedEvents(tx, execution)).has(event.id)) continue;
    if ((await setArrived(tx, execution, event.name, contextWith(context, event))) === 0) continue;
    await endExecutionSteps(tx, [{ execution, step, output: arrivalOf(event) }]);
    tx.signal(EXECUTION_DUE);
  }
}

/** `all`: by seq, also workflows that only wait for the event. */
type EventListeners = {
  readonly all: readonly number[];
  readonly startable: readonly { readonly workflow: Workflow; readonly version: StoredVersion }[];
};

/** The workflows that listen to an event, looked up once a batch. */
class Listeners {
  readonly #bySubjects = new Map<string, Promise<EventListeners>>();
  readonly #versions = new Versions();

  constructor(private readonly tx: Tx) {}

  /** Groups events of the same workspace and name. */
  async toEach(arrived: readonly ContactEvent[]): Promise<Map<EventListeners, ContactEvent[]>> {
    const alike = new Map<EventListeners, ContactEvent[]>();
    for (const one of arrived) {
      const listening = await this.to(one);
      alike.set(listening, [...(alike.get(listening) ?? []), one]);
    }
    return alike;
  }

  /** The template of the keys of executions on this version, if they have any. */
  async keysOf(version: number): Promise<string | undefined> {
    return (await this.#versions.bySeq(this.tx, version)).entryKey;
  }

  /** Executions of a disabled workspace stay where they are. */
  async runOn(executions: readonly DueExecution[]): Promise<void> {
    if (executions.length === 0) return;
    const workspaces = [...new Set(executions.map(({ workspace }) => workspace))];
    const disabled = await disabledAmong(this.tx, workspaces);
    const due: DueRun[] = [];
    for (const execution of executions)
      if (!disabled.has(execution.workspace))
        due.push({ execution, version: await this.#versions.bySeq(this.tx, execution.version) });
    await advanceEach(this.tx, due);
  }

  to({ workspace, subjects, event: { name } }: EventOccurrence): Promise<EventListeners> {
    const key = `${workspace} ${name} ${JSON.stringify(subjects)}`;
    const known = this.#bySubjects.get(key) ?? this.#listening(workspace, subjects, name);
    this.#bySubjects.set(key, known);
    return known;
  }

  async #listening(workspace: number, subjects: readonly string[], eventName: string): Promise<EventListeners> {
    const startable: EventListeners["startable"][number][] = [];
    const all = await listenersTo(this.tx, workspace, "workflow", subjects);
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
