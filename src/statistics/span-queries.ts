// The SQL of spans: sums are kept by quarters of an hour, and by hours and days of UTC, of which there are four and almost a hundred times fewer.
import { DAY_MS, HOUR_MS } from "../clock.ts";
import type { Sql } from "../store/sql.ts";
import { text } from "./fact-queries.ts";
import { QUARTER_MS } from "./periods.ts";

export type Span = {
  /** How much of `2026-03-01T09:15` tells its periods apart. */
  readonly characters: 10 | 13 | 16;
  readonly ms: number;
  /** What is kept by it is called so, after what is summed up. */
  readonly suffix: string;
  /** Of a period, after its characters. */
  readonly start: string;
  readonly middle: string;
};

/** The finest first. */
export const SPANS = [
  { characters: 16, ms: QUARTER_MS, suffix: "", start: "", middle: "" },
  { characters: 13, ms: HOUR_MS, suffix: " by hour", start: ":00", middle: ":30" },
  { characters: 10, ms: DAY_MS, suffix: " by day", start: "T00:00", middle: "T12:00" },
] as const satisfies readonly Span[];

/** The start of the period that a `quarter` is in, of the span whose suffix is in the column `span`. */
export const START_OF_SPAN = text(
  `case span ${SPANS.map(({ suffix, characters, start }) => `when '${suffix}' then substr(quarter, 1, ${characters}) || '${start}'`).join(" ")} end`,
);

/** Rows of `span`, the suffix of each. */
export function rowsOf(spans: readonly Span[]): Sql {
  return text(spans.map(({ suffix }) => `select '${suffix}' as span`).join(" union all "));
}
