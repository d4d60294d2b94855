// A workspace's bounce and complaint rates: hard bounces and complaints, as percentages of the mails that were handed
// over or refused (docs/bounces.md).
import { DAY_MS, iso } from "../../../base/clock.ts";
import type { Reader } from "../../../store/store.ts";
import { countBounced, countComplaints, countSent } from "./queries.ts";
import type { Health, HealthWarning } from "./record.ts";

/** Rates in per cent; 0 = never. */
export type HealthLimits = {
  /** The rate from which there is a warning. */
  readonly bounceRateWarning: number;
  readonly complaintRateWarning: number;
  /** The rate from which marketing mail is stopped. */
  readonly bounceRateStop: number;
  readonly complaintRateStop: number;
};

const WINDOW_MS = 30 * DAY_MS;
/** Only the latest mails count, so that a bounded number of rows is read. */
const MAX_MAILS = 10_000;
/** A rate of fewer mails, bounces or complaints means nothing. */
const MIN_MAILS = 100;
const MIN_BOUNCES = 5;
const MIN_COMPLAINTS = 3;

/** The rates of the last 30 days, or of the last 10,000 mails if there were more. */
export async function healthOf(
  reader: Reader,
  workspace: number,
  nowMs: number,
  limits: HealthLimits,
): Promise<Health> {
  const monthAgo = iso(nowMs - WINDOW_MS);
  const { sent: left, seen, firstAt } = await countSent(reader, workspace, monthAgo, MAX_MAILS);
  const since = seen === MAX_MAILS && firstAt !== null ? firstAt : monthAgo;
  const { bounced, hard, refused } = await countBounced(reader, workspace, since, MAX_MAILS);
  const complained = await countComplaints(reader, workspace, since, MAX_MAILS);
  const sent = left + refused;
  const bounceRate = perCent(hard, sent);
  const complaintRate = perCent(complained, sent);
  const exceeded = (bounceLimit: number, complaintLimit: number): HealthWarning[] => [
    ...(hard >= MIN_BOUNCES && isOver(sent, bounceRate, bounceLimit) ? (["BOUNCE_RATE"] as const) : []),
    ...(complained >= MIN_COMPLAINTS && isOver(sent, complaintRate, complaintLimit)
      ? (["COMPLAINT_RATE"] as const)
      : []),
  ];
  return {
    since,
    sentCount: sent,
    bouncedCount: bounced,
    hardBouncedCount: hard,
    softBouncedCount: bounced - hard,
    complainedCount: complained,
    bounceRate,
    complaintRate,
    warnings: exceeded(limits.bounceRateWarning, limits.complaintRateWarning),
    stopReasons: exceeded(limits.bounceRateStop, limits.complaintRateStop),
  };
}

function isOver(mails: number, rate: number, limit: number): boolean {
  return limit > 0 && mails >= MIN_MAILS && rate >= limit;
}

/** To a thousandth of a per cent. At most 100, because a late complaint may be about a mail before `since`. */
function perCent(part: number, total: number): number {
  return total === 0 ? 0 : Math.min(100, Math.round((part / total) * 100_000) / 1_000);
}
