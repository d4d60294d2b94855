// The bulk sender limits of Gmail and Yahoo, and usual bounce rates.
import type { Totals } from "./calls.ts";

export type Verdict = "ok" | "warn" | "bad";

/** Gmail and Yahoo: below 0.1 %, never 0.3 %. Bounces: 2 % is usual, from 5 % on providers of relays stop a sender. */
export const LIMITS = { complained: { good: 0.001, most: 0.003 }, bounced: { good: 0.02, most: 0.05 } } as const;
export type LimitedRate = keyof typeof LIMITS;

/** Too few emails for a meaningful rate. */
export const MIN_EMAILS = 100;

/** Relative to sent plus refused; capped at 100 %. */
export function rateOf(what: LimitedRate, totals: Totals): number | null {
  const of = what === "complained" ? totals.sent : Math.max(totals.accepted, totals.sent);
  return of === 0 ? null : Math.min(1, totals[what] / of);
}

export function verdictOf(what: LimitedRate, rate: number): Verdict {
  const { good, most } = LIMITS[what];
  return rate >= most ? "bad" : rate >= good ? "warn" : "ok";
}
