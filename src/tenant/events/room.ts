// The events room: gives events to the rooms that act on them, and to those that notify endpoints.
import type { Ground, Room } from "../../ground/ground.ts";
import { Dispatcher, type CatchUp, type Consumer } from "./dispatch.ts";
import { ENDPOINTS_TOLD, FOR_ENDPOINTS, OUTBOX_FILLED, recallRows } from "./outbox.ts";
import { LOOK_OFTEN_MS } from "../../base/jobs/due.ts";

type Consumers = {
  /** Act on events and changes, in this order. */
  readonly inside: readonly Consumer[];
  /** Notifies endpoints. */
  readonly endpoints: Consumer;
  /** Whether callers leave little time for work that can wait. */
  readonly isCrowded: () => boolean;
};

/** Each event may be sent to a hundred endpoints. */
const ROWS_FOR_ENDPOINTS = 10;
/** While callers come by the hundred, endpoints get a small part of the time: few calls are made, too. */
const ROWS_IN_CROWD = 2;
const REST_IN_CROWD_MS = 1_000;

export function openEvents(
  ground: Ground,
  { inside, endpoints, isCrowded }: Consumers,
): Room & { readonly catchUp: CatchUp } {
  const dispatcher = new Dispatcher({ ...ground, consumers: inside });
  const telling = (most: number) => new Dispatcher({ ...ground, consumers: [endpoints], queue: FOR_ENDPOINTS, most });
  const [many, few] = [telling(ROWS_FOR_ENDPOINTS), telling(ROWS_IN_CROWD)];
  let notBeforeMs = -Infinity;
  const tellStep = async () => {
    const startMs = ground.clock.monotonicMs();
    const wasCrowded = isCrowded();
    if (wasCrowded && startMs < notBeforeMs) return notBeforeMs - startMs;
    const restMs = await (wasCrowded ? few : many).step();
    if (!isCrowded()) return restMs;
    notBeforeMs = ground.clock.monotonicMs() + REST_IN_CROWD_MS;
    return Math.max(restMs, REST_IN_CROWD_MS);
  };
  return {
    loops: [
      { name: "dispatching events", step: () => dispatcher.step(), wokenBy: OUTBOX_FILLED, lookEveryMs: LOOK_OFTEN_MS },
      { name: "telling endpoints of events", step: tellStep, wokenBy: ENDPOINTS_TOLD, lookEveryMs: LOOK_OFTEN_MS },
    ],
    recall: recallRows,
    catchUp: (workspace) => dispatcher.catchUp(workspace),
  };
}
