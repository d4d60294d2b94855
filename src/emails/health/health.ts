// How a workspace's mail fares: bounces and complaints against what was sent (interface.md "Bounce rules").
import { DAY_MS, iso } from "../../clock.ts";
import type { Reader } from "../../store/store.ts";
import { countBounced, countComplaints, countSent } from "./queries.ts";

/** Rates in per cent; 0 = never. */
export type HealthLimits = {
  /** From which on there is a warning. */
  readonly bounceRateWarning: number;
  readonly complaintRateWarning: number;
  /** From which on marketing mail is stopped. */
  readonly bounceRateStop: number;
  readonly complaintRateStop: number;
};

export type Warning = "BOUNCE_RATE" | "COMPLAINT_RATE";

export type Health = {
  /** What is counted begins here. */
  readonly since: string;
  /** Handed over, or refused for the recipient's sake: as campaigns count. */
  readonly sentCount: number;
  readonly bouncedCount: number;
  readonly hardBouncedCount: number;
  readonly softBouncedCount: number;
  readonly complainedCount: number;
  /** Hard bounces alone, in per cent of sentCount (interface.md "Bounce rules"). */
  readonly bounceRate: number;
  readonly complaintRate: number;
  readonly warnings: readonly Warning[];
  /** Why no marketing mail leaves; none = it does. */
  readonly stops: readonly Warning[];
};

const WINDOW_MS = 30 * DAY_MS;
/** If there were more in that time, the last ones count: a bounded number of rows is read. */
const MAX_MAILS = 10_000;
/** With fewer mails, bounces or complaints a rate is chance. */
const MIN_MAILS = 100;
const MIN_BOUNCES = 5;
const MIN_COMPLAINTS = 3;

/** Of the last 30 days, or of the last 10,000 mails if there were more. */
export async function healthOf(
  reader: Reader,
  workspace: number,
  nowMs: number,
  limits: HealthLimits,
): Promise<Health> {
  const monthAgo = iso(nowMs - WINDOW_MS);
  const { sent: left, first_at } = await countSent(reader, workspace, monthAgo, MAX_MAILS);
  const since = left === MAX_MAILS && first_at !== null ? first_at : monthAgo;
  const { bounced, hard, refused } = await countBounced(reader, workspace, since, MAX_MAILS);
  const complained = await countComplaints(reader, workspace, since, MAX_MAILS);
  const sent = left + refused;
  const bounceRate = perCent(hard, sent);
  const complaintRate = perCent(complained, sent);
  const above = (bounceLimit: number, complaintLimit: number): Warning[] => [
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
    warnings: above(limits.bounceRateWarning, limits.complaintRateWarning),
    stops: above(limits.bounceRateStop, limits.complaintRateStop),
  };
}

function isOver(mails: number, rate: number, limit: number): boolean {
  return limit > 0 && mails >= MIN_MAILS && rate >= limit;
}

/** To a thousandth of a per cent: complaints are looked at in tenths. A late complaint may be about a mail before `since`. */
function perCent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(100, Math.round((part / whole) * 100_000) / 1_000);
}
