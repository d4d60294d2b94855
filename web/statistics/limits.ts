// The bulk sender limits of Gmail and Yahoo, and usual bounce rates.
import type { Totals } from "./calls.ts";

export type Verdict = "ok" | "warn" | "bad";

/**
 * Complaints: Gmail and Yahoo want less than 0.1 %, never 0.3 %. Bounces: 2 % is usual; from 5 % on, relay providers
 * stop a sender.
 */
export const LIMITS = { complained: { good: 0.001, most: 0.003 }, bounced: { good: 0.02, most: 0.05 } } as const;
export type LimitedRate = keyof typeof LIMITS;

/** Too few emails for a meaningful rate. */
export const MIN_EMAILS = 100;

/** Complaints relative to sent, bounces to accepted emails; at most 1. Null without emails. */
export function rateOf(what: LimitedRate, totals: Totals): number | null {
  const of = what === "complained" ? totals.sent : Math.max(totals.accepted, totals.sent);
  return of === 0 ? null : Math.min(1, totals[what] / of);
}

export function verdictOf(what: LimitedRate, rate: number): Verdict {
  const { good, most } = LIMITS[what];
  return rate >= most ? "bad" : rate >= good ? "warn" : "ok";
}
