// Finds an event by its public id without an index on ids, since every event would pay for a rare query. Ids ascend
// with the clock, and row numbers nearly do, so a few steps lead to the place where it must be.
import { AppError } from "../../base/errors.ts";
import { uuidAt } from "../../base/ids.ts";
import type { Reader } from "../../store/store.ts";
import { eventNear, idAtOrAfter, seqsOfEvents, type FoundEvent } from "./queries.ts";

/** Transactions that end late write their numbers in another order than their ids. */
const OUT_OF_ORDER_MS = 10_000;
/** How many events are searched near its place. */
const MOST_NEAR = 20_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** @throws AppError EVENT_NOT_FOUND, also for another workspace's event */
export async function findEvent(reader: Reader, workspace: number, id: string): Promise<FoundEvent> {
  const named = id.toLowerCase();
  const from = UUID.test(named) ? await firstSince(reader, workspace, timeOf(named) - OUT_OF_ORDER_MS) : null;
  const found = from === null ? null : await eventNear(reader, { workspace, id: named, from, most: MOST_NEAR });
  if (!found) throw new AppError("EVENT_NOT_FOUND", `There is no event ${id}.`);
  return found;
}

/** A list whose ids ascend with the clock: its ends, and its next row. */
type TimedList = {
  readonly bounds: () => Promise<{ readonly first: number; readonly last: number } | null>;
  readonly next: (seq: number) => Promise<{ readonly seq: number; readonly id: string } | null>;
};

/** The number of the first event whose id was made at this moment or later; null = none. */
async function firstSince(reader: Reader, workspace: number, ms: number): Promise<number | null> {
  const bounds = () => seqsOfEvents(reader, workspace);
  return firstOfListSince({ bounds, next: (seq) => idAtOrAfter(reader, workspace, seq) }, ms);
}

/** The number of the first row of a list whose id was made at this moment or later, or its last; null = it is empty. */
export async function firstOfListSince(list: TimedList, ms: number): Promise<number | null> {
  const bounds = await list.bounds();
  if (bounds === null) return null;
  const earliest = uuidAt(ms);
  let [low, high] = [bounds.first, bounds.last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = await list.next(middle);
    if (next === null || next.id >= earliest) high = middle;
    else low = next.seq + 1;
  }
  return low;
}

/** The number before which no event of the workspace was written in that time or later. */
export async function eventsSince(reader: Reader, workspace: number, ms: number): Promise<number> {
  return (await firstSince(reader, workspace, ms - OUT_OF_ORDER_MS)) ?? 0;
}

function timeOf(uuid: string): number {
  return parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}
