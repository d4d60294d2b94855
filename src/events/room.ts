// The events room: gives events to the rooms that act on them.
import type { Ground, Room } from "../ground.ts";
import { Dispatcher, type CatchUp, type Consumer } from "./dispatch.ts";
import { OUTBOX_FILLED, recallRows } from "./outbox.ts";

/** `consumers`: act on events and changes, in this order. */
export function openEvents(ground: Ground, consumers: readonly Consumer[]): Room & { readonly catchUp: CatchUp } {
  const dispatcher = new Dispatcher({ ...ground, consumers });
  return {
    loops: [{ name: "dispatching events", step: () => dispatcher.step(), wokenBy: OUTBOX_FILLED }],
    recall: recallRows,
    catchUp: (workspace) => dispatcher.catchUp(workspace),
  };
}
