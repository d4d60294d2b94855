// Events that executions wait for. Each ends one wait of an execution, also if it came before that wait began.
import type { Variables } from "../../../audience/contacts/data.ts";
import { eventsNamed } from "../../../tenant/events/queries.ts";
import type { DispatchedEvent } from "../../../tenant/events/outbox.ts";
import type { Reader } from "../../../store/store.ts";
import { takes } from "./entry.ts";
import type { DueExecution } from "./queries.ts";
import { traceOf } from "./trace-queries.ts";

/** The output of a wait that an event has ended. */
export function arrivalOf({ name: eventName, id: eventId, createdAt: receivedAt }: DispatchedEvent) {
  return { eventName, eventId, receivedAt, branch: "event" };
}

/** The data of the events so far, and of this one. */
export function contextWith(context: Variables, event: DispatchedEvent): Variables {
  return { ...context, ...event.data };
}

/** The events read per look-up of one with the same key. */
const EVENTS_A_LOOK = 20;

/**
 * The first event of this name since the execution began that has ended none of its waits, and has the same key if
 * executions on this version have one; null if none yet. Events that are committed later find the wait when
 * they are dispatched.
 */
export async function arrivedBefore(
  reader: Reader,
  { seq, contact, afterEvent, entry }: DueExecution,
  name: string,
  entryKey: string | undefined,
): Promise<DispatchedEvent | null> {
  const used = await usedEvents(reader, seq);
  const most = entryKey === undefined ? used.size + 1 : EVENTS_A_LOOK;
  for (let after: number | undefined = afterEvent; after !== undefined;) {
    const events: DispatchedEvent[] = await eventsNamed(reader, { contact, name, after }, most);
    const found = events.find(({ id, data }) => !used.has(id) && takes(entry, entryKey, data));
    if (found || events.length < most) return found ?? null;
    after = events.at(-1)?.seq;
  }
  return null;
}

/** The public ids of the events that have ended waits of the execution. */
export async function usedEvents(reader: Reader, execution: number): Promise<ReadonlySet<unknown>> {
  const outputs = (await traceOf(reader, execution)).map(({ output }) => output ?? {});
  return new Set(outputs.flatMap(({ eventId }) => eventId ?? []));
}
