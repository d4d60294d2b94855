// The series of the chart: bars for sent email, lines for the rest. Each line has its own dash, so colour is not the
// only cue.

export type SeriesName = "sent" | "delivered" | "opened" | "bounced";

type SeriesStyle = { readonly name: SeriesName; readonly token: string; readonly dash?: number[] };

type DeliverySeries = {
  readonly deliveriesReported: boolean;
  readonly series: readonly { readonly totals: { readonly delivered: number } }[];
};

/** Without any delivery report the series of deliveries is left out. */
export function seriesOf({ deliveriesReported, series }: DeliverySeries): readonly SeriesStyle[] {
  const told = deliveriesReported || (series[0]?.totals.delivered ?? 0) > 0;
  return SERIES.filter(({ name }) => name !== "delivered" || told);
}

export const SERIES: readonly SeriesStyle[] = [
  { name: "sent", token: "--fig-2" },
  { name: "delivered", token: "--ok" },
  { name: "opened", token: "--note", dash: [6, 4] },
  { name: "bounced", token: "--bad", dash: [2, 3] },
];
