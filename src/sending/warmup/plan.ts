// The plan of a warm-up: the emails that each mailbox provider gets on each day, and the time when the backlog will
// have left.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/clock.ts";

/** Emails a day, from the first day on: for providers with their own days, and for each other known provider. */
export type WarmupPlan = {
  readonly days: readonly number[];
  readonly providers: Readonly<Record<string, readonly number[]>>;
};

const FIRST_DAY = 50;
/** From this volume on a provider knows a sender. */
const LAST_DAY = 51_200;

/** Fifty on the first two days, then doubled every two days. */
export const DEFAULT_PLAN: WarmupPlan = { days: doubling(), providers: {} };

function doubling(): number[] {
  const days: number[] = [];
  for (let allowed = FIRST_DAY; allowed <= LAST_DAY; allowed *= 2) days.push(allowed, allowed);
  return days;
}

export const MOST_DAYS = 90;
export const MOST_A_DAY = 1_000_000;

/** Days as a person types them, such as `50, 50, 100`; null = not valid for a plan. */
export function daysIn(text: string): number[] | null {
  const days = text.split(",").map((word) => (/^\s*\d+\s*$/.test(word) ? Number(word) : 0));
  return days.length <= MOST_DAYS && days.every((one) => one >= 1 && one <= MOST_A_DAY) ? days : null;
}

/** The emails that a provider gets on a day, from 1; null = the plan is over for it. */
export function allowedOn({ days, providers }: WarmupPlan, mailbox: string, day: number): number | null {
  return (providers[mailbox] ?? days)[day - 1] ?? null;
}

/** The number of days after which no mail waits for the plan. */
export function lengthOf({ days, providers }: WarmupPlan): number {
  return Math.max(days.length, ...Object.values(providers).map(({ length }) => length));
}

/** The share of a day's emails that may leave as a burst; the others are spread over the day. */
const AT_ONCE = 1 / 4;

/** The last email of a day has left this long before the day ends. */
const ENDS_BEFORE_MS = HOUR_MS;

/**
 * The burst, and the interval of the other emails. While no mail is held up, no 24 hours have more than a day's emails.
 */
export function spread(allowed: number): { readonly intervalMs: number; readonly burst: number } {
  const burst = Math.max(1, Math.floor(allowed * AT_ONCE));
  return { burst, intervalMs: (DAY_MS - ENDS_BEFORE_MS) / Math.max(1, allowed - burst) };
}

const CATCHES_UP_MS = 15 * MINUTE_MS;

/** As `spread`, for a sender behind the day's plan: refused or held-up mail is caught up at twice the pace or more. */
export function catchingUp(allowed: number): ReturnType<typeof spread> {
  const { burst, intervalMs } = spread(allowed);
  return { burst, intervalMs: Math.min(CATCHES_UP_MS, intervalMs / 2) };
}

/**
 * The number of a day's emails that may have left when it is `passedMs` old, and the time until one more may (Infinity:
 * no more on this day).
 */
export function dueBy(allowed: number, passedMs: number): { readonly count: number; readonly nextInMs: number } {
  const { burst, intervalMs } = spread(allowed);
  const slots = Math.floor(Math.max(0, passedMs) / intervalMs);
  if (burst + slots >= allowed) return { count: allowed, nextInMs: Infinity };
  return { count: burst + slots, nextInMs: (slots + 1) * intervalMs - Math.max(0, passedMs) };
}

export type WarmupPosition = {
  readonly plan: WarmupPlan;
  readonly day: number;
  /** Null = the day has not begun. */
  readonly dayBeganAt: string | null;
  /** Mails that the provider got today. */
  readonly sent: number;
};

/** When the last of `waiting` emails to a provider leaves, if nothing stops them. */
export function doneAtMs(standing: WarmupPosition, mailbox: string, waiting: number, nowMs: number): number {
  const { plan, day, dayBeganAt, sent } = standing;
  const beganMs = dayBeganAt === null ? nowMs : Date.parse(dayBeganAt);
  let [left, atMs] = [waiting, nowMs];
  for (let ahead = 0; left > 0; ahead++) {
    const allowed = allowedOn(plan, mailbox, day + ahead);
    if (allowed === null) break;
    const free = Math.max(0, ahead === 0 ? allowed - sent : allowed);
    const endsMs = beganMs + (ahead + 1) * DAY_MS;
    if (left <= free) return Math.round(atMs + Math.max(0, endsMs - atMs) * (left / free));
    left -= free;
    atMs = Math.max(atMs, endsMs);
  }
  return atMs;
}
