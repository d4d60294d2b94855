// The size of each segment over time: its number of members is recorded once a day, and kept for 400 days.
import { DAY_MS, iso, type Clock } from "../../base/clock.ts";
import type { Reader, Store, Tx } from "../../store/store.ts";
import type { Segment } from "./queries.ts";
import {
  hasToCount,
  insertSizes,
  deleteSizesBefore,
  setCounted,
  sizesSince,
  takeToCount,
  type Size,
} from "./size-queries.ts";

export const MAX_DAYS = 400;
const SEGMENTS_A_STEP = 200;

/** Records the sizes of some segments without a size for today; answers for how long to rest. */
export async function countStep(store: Store, clock: Clock): Promise<number> {
  const today = dayOf(clock.nowMs());
  if (!(await store.read((reader) => hasToCount(reader, today)))) return untilTomorrowMs(clock.nowMs());
  const counted = await store.write(countSome);
  return counted < SEGMENTS_A_STEP ? untilTomorrowMs(clock.nowMs()) : 0;
}

async function countSome(tx: Tx): Promise<number> {
  const today = dayOf(tx.nowMs);
  const segments = await takeToCount(tx, today, SEGMENTS_A_STEP);
  if (segments.length === 0) return 0;
  await insertSizes(tx, segments, today);
  await deleteSizesBefore(tx, segments, dayOf(tx.nowMs - MAX_DAYS * DAY_MS));
  await setCounted(tx, segments, today);
  return segments.length;
}

/** Oldest first; the counted ones of the last `days` days. */
export function sizesOf(reader: Reader, { seq }: Segment, days: number, nowMs: number): Promise<readonly Size[]> {
  return sizesSince(reader, seq, dayOf(nowMs - days * DAY_MS));
}

/** Bounded, since segments may be created before tomorrow. */
function untilTomorrowMs(nowMs: number): number {
  return DAY_MS - (nowMs % DAY_MS);
}

function dayOf(ms: number): string {
  return iso(ms).slice(0, DAY_CHARS);
}

const DAY_CHARS = 10;
