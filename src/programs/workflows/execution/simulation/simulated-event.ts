// The event that starts a simulation: the given one, or the contact's last of the trigger's name.
import { isReserved, readEventData, type DataChanges, type Variables } from "../../../../audience/contacts/data.ts";
import { isReservedEvent } from "../../../../tenant/events/catalog.ts";
import { loggedEvents } from "../../../../tenant/events/queries.ts";
import { json } from "../../../../store/columns.ts";
import type { Reader } from "../../../../store/store.ts";
import type { Trigger } from "../../definition/definition.ts";
import { nextTime } from "../../definition/trigger.ts";
import type { ContactInContext } from "../steps/execution-context.ts";

/** `id` and `createdAt`: of a recorded event. */
export type SimulatedEvent = {
  readonly name: string | null;
  readonly id: string | null;
  readonly createdAt: string | null;
  /** As `POST /v1/track` takes it. */
  readonly data: Variables;
};

type SimulationScope = {
  readonly workspace: number;
  readonly seq: number;
  readonly contact: ContactInContext;
  readonly nowMs: number;
};

/** `given` null = the last; without one, an event without data. */
export async function eventOf(
  reader: Reader,
  trigger: Trigger,
  given: Variables | null,
  { workspace, seq, contact, nowMs }: SimulationScope,
): Promise<SimulatedEvent> {
  const name = trigger.type === "EVENT" ? trigger.config.eventName : null;
  const none = { name, id: null, createdAt: null };
  if (given !== null) return { ...none, data: given };
  if (trigger.type === "SCHEDULE") return { ...none, data: { scheduledFor: nextTime(trigger.config, nowMs) } };
  const [last] = name === null ? [] : await loggedEvents(reader, { workspace, contact: seq, name }, null, 1);
  if (!last) return { ...none, data: {} };
  const { id, createdAt, data } = last;
  return { name, id, createdAt, data: isReservedEvent(last.name) ? data : asTracked(data, contact.data) };
}

/** The log does not mark data that was for the event alone: it is the data that the contact lacks. */
function asTracked(data: Variables, stored: Variables): Variables {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const isKept = isReserved(key) || Object.hasOwn(stored, key);
      return [key, isKept ? value : { value, persistent: false }];
    }),
  );
}

/** Minus zero is zero. @throws AppError VALIDATION_ERROR */
export function asRead(data: Variables, field: string): DataChanges {
  return json<DataChanges>(JSON.stringify(readEventData(data, field)));
}
