// Spans: sums are kept by quarters of an hour, and by hours and days of UTC, of which there are four and almost a
// hundred times fewer.
import { DAY_MS, HOUR_MS } from "../../base/clock.ts";
import { QUARTER_MS } from "./periods.ts";

export type SumSpan = {
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
] as const satisfies readonly SumSpan[];
