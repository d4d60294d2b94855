// Spans: sums are kept by quarters of an hour, and by hours and days of UTC, of which there are four and almost a
// hundred times fewer.
import { DAY_MS, HOUR_MS } from "../../base/clock.ts";
import { QUARTER_MS } from "./periods.ts";

export type SumSpan = {
  /** The length of the prefix of `2026-03-01T09:15` that distinguishes its periods. */
  readonly characters: 10 | 13 | 16;
  readonly ms: number;
  /** Ends the names of its sums, after their kind. */
  readonly suffix: string;
  /** The start of a period, after its prefix. */
  readonly start: string;
  readonly middle: string;
};

/** The finest first. */
export const SPANS = [
  { characters: 16, ms: QUARTER_MS, suffix: "", start: "", middle: "" },
  { characters: 13, ms: HOUR_MS, suffix: " by hour", start: ":00", middle: ":30" },
  { characters: 10, ms: DAY_MS, suffix: " by day", start: "T00:00", middle: "T12:00" },
] as const satisfies readonly SumSpan[];
