// How many mails were accepted, sent, delivered, opened … in each hour, day or week.
import { DAY_MS, iso } from "../clock.ts";
import { invalidParameter } from "../errors.ts";
import type { Reader } from "../store/store.ts";
import { charactersFor, dayIn, periods, quarterAt, QUARTER_MS, type Step } from "./periods.ts";
import { countedFrom, countsOf, type Cut } from "./queries.ts";
import { isGroupKind } from "./group-queries.ts";
import type { Statistics } from "./record.ts";
import { seriesOf } from "./series.ts";

export type Asked = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly step: Step;
  readonly timeZone: string;
  readonly by: Cut["by"];
};

export const DEFAULT_DAYS = 30;
const MAX_POINTS = 1_000;
const MAX_DAYS = 1_100;

/** @throws AppError INVALID_PARAMETERS if there are too many points, or no such time zone */
export async function mailStatistics(reader: Reader, workspace: number, asked: Asked): Promise<Statistics> {
  const { step, timeZone, by } = asked;
  const starts = periodsOf(asked);
  const [fromMs, toMs] = [starts[0] as number, starts.at(-1) as number];
  const cut = { workspace, from: quarterAt(fromMs), to: quarterAt(toMs), characters: charactersFor(starts), by };
  const rows = await countsOf(reader, cut);
  const tally = by !== null && isGroupKind(by) ? "groups" : "mails";
  const lows = [await countedFrom(reader, "emails", tally), await countedFrom(reader, "events", tally)];
  return {
    from: iso(fromMs),
    to: iso(toMs),
    step,
    timeZone,
    countedFrom: lows.reduce((latest, low) => (latest === null || (low !== null && low > latest) ? low : latest), null),
    series: seriesOf(rows, starts, by !== null),
  };
}

function periodsOf({ fromMs, toMs, step, timeZone }: Asked): readonly number[] {
  refuseUnknownZone(timeZone);
  if (fromMs >= toMs) throw invalidParameter("to", "The end must be after the beginning.", "invalid_range");
  const tooLong = (): Error =>
    invalidParameter("from", `Ask for at most ${MAX_POINTS} points and ${MAX_DAYS} days.`, "too_big");
  if (toMs - fromMs > MAX_DAYS * DAY_MS) throw tooLong();
  const starts = periods({ fromMs, toMs }, step, timeZone, MAX_POINTS);
  if (starts === null) throw tooLong();
  return starts;
}

function refuseUnknownZone(timeZone: string): void {
  try {
    dayIn(timeZone);
  } catch {
    throw invalidParameter("timeZone", `There is no time zone "${timeZone}".`, "invalid_time_zone");
  }
}

/** Of the last 24 hours, and of the quarter of an hour in which they began. */
export async function failedOfDay(reader: Reader, workspace: number, nowMs: number): Promise<FailedOfDay> {
  const beganMs = nowMs - DAY_MS;
  const [from, to] = [quarterAt(beganMs - (beganMs % QUARTER_MS)), quarterAt(nowMs + DAY_MS)];
  const rows = await countsOf(reader, { workspace, from, to, characters: 10, by: null });
  return { since: `${from}:00.000Z`, count: rows.reduce((sum, { failed }) => sum + failed, 0) };
}

export type FailedOfDay = { readonly since: string; readonly count: number };
