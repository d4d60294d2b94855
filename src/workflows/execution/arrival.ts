// Events that executions wait for. Each ends one wait of an execution, also if it came before that wait began.
import type { Variables } from "../../contacts/data.ts";
import { eventsNamed } from "../../events/queries.ts";
import type { DispatchedEvent } from "../../events/outbox.ts";
import type { Reader } from "../../store/store.ts";
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

/**
 * The first event of this name since the execution began that has ended none of its waits; null if there is none yet. Events that
 * are committed later find the wait when they are dispatched.
 */
export async function arrivedBefore(
  reader: Reader,
  { seq, contact, afterEvent: after }: DueExecution,
  name: string,
): Promise<DispatchedEvent | null> {
  const used = await usedEvents(reader, seq);
  const events = await eventsNamed(reader, { contact, name, after }, used.size + 1);
  return events.find(({ id }) => !used.has(id)) ?? null;
}

/** The public ids of the events that have ended waits of the execution. */
export async function usedEvents(reader: Reader, execution: number): Promise<ReadonlySet<unknown>> {
  const outputs = (await traceOf(reader, execution)).map(({ output }) => output ?? {});
  return new Set(outputs.flatMap(({ eventId }) => eventId ?? []));
}
