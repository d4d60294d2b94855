// What the chart draws: bars of what was handed over, lines over them. Each line has a dash of its own, so that colour
// is not all.

export type SeriesName = "sent" | "delivered" | "opened" | "bounced";

type Drawn = { readonly name: SeriesName; readonly token: string; readonly dash?: number[] };

export const SERIES: readonly Drawn[] = [
  { name: "sent", token: "--fig-2" },
  { name: "delivered", token: "--ok" },
  { name: "opened", token: "--note", dash: [6, 4] },
  { name: "bounced", token: "--bad", dash: [2, 3] },
];
