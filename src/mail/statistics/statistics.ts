// The numbers of mails accepted, sent, delivered, opened … in each hour, day or week.
import { DAY_MS, HOUR_MS, iso } from "../../base/clock.ts";
import { invalidParameter } from "../../base/errors.ts";
import type { Reader } from "../../store/store.ts";
import { charactersFor, cutsFor, periods, QUARTER_MS, refuseUnknownZone, type SeriesStep } from "./periods.ts";
import { countsOf, reportsDeliveries, type CountQuery } from "./queries.ts";
import type { Statistics } from "./record.ts";
import { seriesOf } from "./series.ts";

export type StatisticsQuery = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly step: SeriesStep;
  readonly timeZone: string;
  readonly by: CountQuery["by"];
};

export const DEFAULT_DAYS = 30;
const MAX_POINTS = 1_000;
const MAX_DAYS = 1_100;

/** The least length. A day in a time zone may be an hour shorter than one of UTC. */
const STEP_MS: Readonly<Record<SeriesStep, number>> = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS };

/** @throws AppError INVALID_PARAMETERS if there are too many points, or no such time zone */
export async function mailStatistics(
  reader: Reader,
  workspace: number,
  asked: StatisticsQuery,
  mostSums?: number,
): Promise<Statistics> {
  const { step, timeZone, by } = asked;
  const starts = periodsOf(asked);
  const [fromMs, toMs] = [starts[0] as number, starts.at(-1) as number];
  const [characters, cuts] = [charactersFor(starts), cutsFor(starts)];
  const cut = { workspace, fromMs, toMs, characters, cuts, stepMs: STEP_MS[step], by };
  const { rows, isEstimate, cutAt } = await countsOf(reader, cut, mostSums);
  return {
    from: iso(fromMs),
    to: iso(toMs),
    step,
    timeZone,
    countedFrom: cutAt,
    isEstimate,
    deliveriesReported: await reportsDeliveries(reader, workspace),
    series: seriesOf(rows, starts, by !== null),
  };
}

function periodsOf({ fromMs, toMs, step, timeZone }: StatisticsQuery): readonly number[] {
  refuseUnknownZone(timeZone);
  if (fromMs >= toMs) throw invalidParameter("to", "The end must be after the beginning.", "invalid_range");
  const tooLong = (): Error =>
    invalidParameter("from", `Ask for at most ${MAX_POINTS} points and ${MAX_DAYS} days.`, "too_big");
  if (toMs - fromMs > MAX_DAYS * DAY_MS) throw tooLong();
  const starts = periods({ fromMs, toMs }, step, timeZone, MAX_POINTS);
  if (starts === null) throw tooLong();
  return starts;
}

/** The last 24 hours, from the start of the quarter of an hour in which they began. */
export async function failedOfDay(reader: Reader, workspace: number, nowMs: number): Promise<DailyFailures> {
  const beganMs = nowMs - DAY_MS;
  const [fromMs, toMs] = [beganMs - (beganMs % QUARTER_MS), nowMs + DAY_MS];
  const cut = { workspace, fromMs, toMs, characters: 16, cuts: [], stepMs: QUARTER_MS, by: null } as const;
  const { rows } = await countsOf(reader, cut);
  return { since: iso(fromMs), count: rows.reduce((sum, { failed }) => sum + failed, 0) };
}

export type DailyFailures = { readonly since: string; readonly count: number };
