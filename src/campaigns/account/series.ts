// The course of a campaign: what its recipients' mails came to, hour by hour or day by day.
import { DAY_MS, iso } from "../../clock.ts";
import { invalidParameter } from "../../errors.ts";
import { dayIn, periods } from "../../statistics/periods.ts";
import type { Reader } from "../../store/store.ts";
import type { Campaign } from "../queries.ts";
import { countRecipients } from "../recipient-queries.ts";
import { countHappenings, HAPPENINGS, type Happening, type HappeningCount } from "./series-queries.ts";

export type SeriesTerms = {
  /** Null = hours for the first three days, days from then on. */
  readonly step: "hour" | "day" | null;
  readonly timeZone: string;
};

/** So many are looked at one by one; of more, one in so many. */
const MOST_RECIPIENTS = 20_000;
/** What happens later is not in the series. */
const MOST_DAYS = 31;
const DAYS_BY_HOUR = 3;
const MOST_POINTS = 1_000;
const QUARTER_MS = 15 * 60_000;

type Point = { readonly at: string } & Readonly<Record<Happening, number>>;
export type Series = {
  readonly step: "hour" | "day";
  readonly timeZone: string;
  readonly isAbout: boolean;
  readonly points: readonly Point[];
};

/** From its start to the last that happened. @throws AppError INVALID_PARAMETERS on `timeZone` */
export async function seriesOf(
  reader: Reader,
  campaign: Campaign,
  { step, timeZone }: SeriesTerms,
  mostRecipients = MOST_RECIPIENTS,
): Promise<Series> {
  refuseUnknownZone(timeZone);
  if (campaign.startedAt === null) return { step: step ?? "hour", timeZone, isAbout: false, points: [] };
  const people = (await countRecipients(reader, [campaign.seq]))[0]?.people ?? 0;
  // Odd, because numbers of contacts may go up by twos.
  const nth = people <= mostRecipients ? 1 : Math.ceil(people / mostRecipients) | 1;
  const counts = await countHappenings(reader, campaign.seq, nth);
  const fromMs = Date.parse(campaign.startedAt);
  const lastMs = Math.min(fromMs + MOST_DAYS * DAY_MS, Math.max(fromMs, ...counts.map(momentOf)) + QUARTER_MS);
  const by = step ?? (lastMs - fromMs > DAYS_BY_HOUR * DAY_MS ? "day" : "hour");
  const starts = periods({ fromMs, toMs: lastMs }, by, timeZone, MOST_POINTS) ?? [];
  const points = pointsOf(starts, counts, nth);
  return { step: by, timeZone, isAbout: nth > 1, points };
}

function refuseUnknownZone(timeZone: string): void {
  try {
    dayIn(timeZone);
  } catch {
    throw invalidParameter("timeZone", `There is no time zone "${timeZone}".`, "invalid_time_zone");
  }
}

function momentOf({ quarter }: HappeningCount): number {
  return Date.parse(`${quarter}:00.000Z`);
}

/** `starts`: those of the periods, and the end of the last. */
function pointsOf(starts: readonly number[], counts: readonly HappeningCount[], nth: number): readonly Point[] {
  const points = starts.slice(0, -1).map((ms) => ({ at: iso(ms), ...NOTHING }));
  for (const count of counts) {
    const place = starts.findLastIndex((ms) => ms <= Math.max(momentOf(count), starts[0] ?? 0));
    const point = points[place];
    if (point) point[count.what] += count.people * nth;
  }
  return points;
}

const NOTHING = Object.fromEntries(HAPPENINGS.map((what) => [what, 0])) as Record<Happening, number>;
