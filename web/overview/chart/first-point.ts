// Where the chart of a new installation starts.
import { SERIES, type SeriesName } from "./series-names.ts";

/** The minimum, so that one bar is not as wide as the chart. */
const LEAST_POINTS = 14;

/** Drops the empty points before the first email. */
export function fromFirst<Point extends Readonly<Record<SeriesName, number>>>(
  points: readonly Point[],
): readonly Point[] {
  const first = points.findIndex((point) => SERIES.some(({ name }) => point[name] > 0));
  if (first === -1) return points;
  return points.slice(Math.min(first, Math.max(0, points.length - LEAST_POINTS)));
}
