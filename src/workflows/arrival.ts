// Events that are waited for: each counts for one wait of an execution, also where it came before that wait began.
import type { Variables } from "../contacts/data.ts";
import { eventsNamed } from "../events/queries.ts";
import type { DispatchedEvent } from "../events/outbox.ts";
import type { Reader } from "../store/store.ts";
import type { DueExecution } from "./execution-queries.ts";
import { traceOf } from "./trace-queries.ts";

/** What the trace says of a wait that is over. */
type Arrival = {
  readonly eventName: string;
  readonly eventId: string;
  readonly receivedAt: string;
  readonly branch: "event";
};

export function arrivalOf({ name, id, created_at: receivedAt }: DispatchedEvent): Arrival {
  return { eventName: name, eventId: id, receivedAt, branch: "event" };
}

/** The context of an execution (JSON) with the data of an event. */
export function contextWith(context: string, event: DispatchedEvent): string {
  return JSON.stringify({ ...(JSON.parse(context) as Variables), ...(JSON.parse(event.data) as Variables) });
}

/**
 * The first event of this name since the execution began that no wait of it has used; null if there is none yet. What is committed
 * later finds the wait when it is dispatched.
 */
export async function arrivedBefore(
  reader: Reader,
  { seq, contact, after_event: after }: DueExecution,
  name: string,
): Promise<DispatchedEvent | null> {
  if (after === null) return null;
  const used = await usedEvents(reader, seq);
  const events = await eventsNamed(reader, { contact, name, after }, used.size + 1);
  return events.find(({ id }) => !used.has(id)) ?? null;
}

/** The public ids of the events for which waits of the execution are over. */
export async function usedEvents(reader: Reader, execution: number): Promise<ReadonlySet<string>> {
  const outputs = (await traceOf(reader, execution)).map(
    ({ output }) => JSON.parse(output ?? "{}") as Partial<Arrival>,
  );
  return new Set(outputs.flatMap(({ eventId }) => eventId ?? []));
}
