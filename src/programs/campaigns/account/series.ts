// A campaign over time: the moments of its recipients' mails, by hour or by day.
import { DAY_MS, iso } from "../../../base/clock.ts";
import { periods, refuseUnknownZone } from "../../../mail/statistics/periods.ts";
import type { Reader } from "../../../store/store.ts";
import type { Campaign } from "../queries.ts";
import { countRecipients } from "../recipients/recipient-queries.ts";
import {
  countHappenings,
  endsOf,
  HAPPENINGS,
  mailsLookedAt,
  type SeriesEvent,
  type HappeningCount,
  type Windows,
} from "./series-queries.ts";

export type SeriesTerms = {
  /** Null = hours for the first three days, days from then on. */
  readonly step: "hour" | "day" | null;
  readonly timeZone: string;
};

/**
 * So many are read; of more, those whose numbers are in some windows, evenly spread: mails were sent in the order of
 * the numbers.
 */
const MOST_RECIPIENTS = 10_000;
const MOST_WINDOWS = 100;
/** Later moments are not in the series. */
const MOST_DAYS = 31;
const DAYS_BY_HOUR = 3;
const MOST_POINTS = 1_000;
const QUARTER_MS = 15 * 60_000;

type Point = { readonly at: string } & Readonly<Record<SeriesEvent, number>>;
export type CampaignSeries = {
  readonly step: "hour" | "day";
  readonly timeZone: string;
  readonly isEstimate: boolean;
  readonly points: readonly Point[];
};

/** From its start to the last moment. @throws AppError INVALID_PARAMETERS on `timeZone` */
export async function seriesOf(
  reader: Reader,
  campaign: Campaign,
  { step, timeZone }: SeriesTerms,
  mostRecipients = MOST_RECIPIENTS,
): Promise<CampaignSeries> {
  refuseUnknownZone(timeZone);
  if (campaign.startedAt === null) return { step: step ?? "hour", timeZone, isEstimate: false, points: [] };
  const people = (await countRecipients(reader, [campaign.seq]))[0]?.people ?? 0;
  const windows = people <= mostRecipients ? null : await windowsOf(reader, campaign.seq, people / mostRecipients);
  const looked = { campaign: campaign.seq, windows };
  const mails = await mailsLookedAt(reader, looked);
  const counts = await countHappenings(
    reader,
    looked,
    mails.filter((mail) => mail !== null),
  );
  const fromMs = Date.parse(campaign.startedAt);
  const lastMs = Math.min(fromMs + MOST_DAYS * DAY_MS, Math.max(fromMs, ...counts.map(momentOf)) + QUARTER_MS);
  const by = step ?? (lastMs - fromMs > DAYS_BY_HOUR * DAY_MS ? "day" : "hour");
  const starts = periods({ fromMs, toMs: lastMs }, by, timeZone, MOST_POINTS) ?? [];
  const points = pointsOf(starts, counts, windows === null ? 1 : people / Math.max(1, mails.length));
  return { step: by, timeZone, isEstimate: windows !== null, points };
}

/** About one recipient in `every`. */
async function windowsOf(reader: Reader, campaign: number, every: number): Promise<Windows | null> {
  const ends = await endsOf(reader, campaign);
  if (ends === null) return null;
  const numbers = ends.last - ends.first + 1;
  const width = Math.max(1, Math.ceil(numbers / MOST_WINDOWS / every));
  const windows = Math.min(MOST_WINDOWS, Math.max(1, Math.floor(numbers / every / width)));
  const starts = Array.from({ length: windows }, (_, index) => ends.first + Math.floor((index * numbers) / windows));
  return { starts, width };
}

function momentOf({ quarter }: HappeningCount): number {
  return Date.parse(`${quarter}:00.000Z`);
}

/** `starts`: those of the periods, and the end of the last. */
function pointsOf(starts: readonly number[], counts: readonly HappeningCount[], factor: number): readonly Point[] {
  const points = starts.slice(0, -1).map((ms) => ({ at: iso(ms), ...NOTHING }));
  for (const count of counts) {
    const place = starts.findLastIndex((ms) => ms <= Math.max(momentOf(count), starts[0] ?? 0));
    const point = points[place];
    if (point) point[count.what] += count.people * factor;
  }
  return factor === 1 ? points : points.map(rounded);
}

function rounded({ at, ...counts }: Point): Point {
  const whole = Object.entries(counts).map(([what, people]) => [what, Math.round(people)]);
  return { at, ...(Object.fromEntries(whole) as Record<SeriesEvent, number>) };
}

const NOTHING = Object.fromEntries(HAPPENINGS.map((what) => [what, 0])) as Record<SeriesEvent, number>;
