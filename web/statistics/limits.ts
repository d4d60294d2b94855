// The limits of Gmail and Yahoo for bulk senders, and what is usual for bounces.
import type { Totals } from "./calls.ts";

export type Verdict = "ok" | "warn" | "bad";

/** Gmail and Yahoo: below 0.1 %, never 0.3 %. Bounces: 2 % is usual, from 5 % on providers of relays stop a sender. */
export const LIMITS = { complained: { good: 0.001, most: 0.003 }, bounced: { good: 0.02, most: 0.05 } } as const;
export type Limited = keyof typeof LIMITS;

/** Fewer mails say little of a rate. */
export const FEW_MAILS = 100;

/** Of what was handed over or bounced at the hand-over; more than all cannot have bounced. */
export function rateOf(what: Limited, totals: Totals): number | null {
  const of = what === "complained" ? totals.sent : Math.max(totals.accepted, totals.sent);
  return of === 0 ? null : Math.min(1, totals[what] / of);
}

export function verdictOf(what: Limited, rate: number): Verdict {
  const { good, most } = LIMITS[what];
  return rate >= most ? "bad" : rate >= good ? "warn" : "ok";
}
