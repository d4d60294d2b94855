// Series of counts: rows of sums, put into their periods and groups.
import { iso } from "../../base/clock.ts";
import type { CountRow } from "./queries.ts";
import type { StatisticsCounts, Statistics } from "./record.ts";

type SeriesRecord = Statistics["series"][number];

const NOTHING: StatisticsCounts = {
  accepted: 0,
  sent: 0,
  delivered: 0,
  failed: 0,
  bounced: 0,
  hardBounced: 0,
  softBounced: 0,
  complained: 0,
  opened: 0,
  clicked: 0,
  unsubscribed: 0,
  leftTopic: 0,
  skipped: 0,
  cancelled: 0,
};
const NAMES = Object.keys(NOTHING) as (keyof StatisticsCounts)[];

/**
 * `starts`: the starts of the periods, and the end of the last. One series, unless the rows are grouped: then the
 * groups with most mails first, the combined smaller ones last.
 */
export function seriesOf(rows: readonly CountRow[], starts: readonly number[], isGrouped: boolean): SeriesRecord[] {
  if (!isGrouped) return [oneSeries(null, rows, starts)];
  const groups = [...Map.groupBy(rows, ({ group }) => group)].sort(
    ([one, ones], [other, others]) => Number(one === null) - Number(other === null) || mails(others) - mails(ones),
  );
  return groups.map(([group, theirs]) => oneSeries(group, theirs, starts));
}

function mails(rows: readonly CountRow[]): number {
  const sumByName = (name: "accepted" | "sent") => rows.reduce((total, row) => total + row[name], 0);
  return Math.max(sumByName("accepted"), sumByName("sent"));
}

function oneSeries(group: string | null, rows: readonly CountRow[], starts: readonly number[]): SeriesRecord {
  const byPeriod = Map.groupBy(rows, ({ at }) => periodOf(Date.parse(momentOf(at)), starts));
  const points = starts
    .slice(0, -1)
    .map((start, index) => ({ at: iso(start), ...sumOf((byPeriod.get(index) ?? []).map(countsIn)) }));
  return { group, totals: sumOf(points), points };
}

/** The moment of `2026-03-01`, `2026-03-01T09` or `2026-03-01T09:15`. */
function momentOf(at: string): string {
  return `${at}${"T00:00".slice(at.length - 10)}Z`;
}

/** The index of the last start that is not after `ms`. */
function periodOf(ms: number, starts: readonly number[]): number {
  let [low, high] = [0, starts.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= ms) low = middle;
    else high = middle;
  }
  return low;
}

function countsIn({
  hard_bounced: hardBounced,
  soft_bounced: softBounced,
  left_topic: leftTopic,
  at: _,
  group: __,
  ...same
}: CountRow): StatisticsCounts {
  return { ...same, leftTopic, hardBounced, softBounced, bounced: hardBounced + softBounced };
}

function sumOf(parts: readonly StatisticsCounts[]): StatisticsCounts {
  const sum = { ...NOTHING };
  for (const part of parts) for (const name of NAMES) sum[name] += part[name];
  return sum;
}
