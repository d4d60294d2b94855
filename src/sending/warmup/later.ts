// The forecast of a warm-up: its position at a later moment, given the mail that waits now.
import { DAY_MS, iso } from "../../base/clock.ts";
import { allowedOn, doneAtMs, type WarmupPosition } from "./plan.ts";

type WarmupCounts = ReadonlyMap<string, number>;

type WarmupProgress = Omit<WarmupPosition, "sent"> & {
  /** By mailbox provider: the mails that each got today, and those that wait. */
  readonly sent: WarmupCounts;
  readonly waiting: WarmupCounts;
};

/**
 * The position at `fromMs`, a moment ahead: its day then, the mails that each provider will have got on that day, and
 * those that will still wait. A day begins with its first email, so days pass only while mail waits.
 */
export function standingAt<Known extends WarmupProgress>(warmup: Known, fromMs: number, nowMs: number): Known {
  const { day, dayBeganAt, waiting } = warmup;
  const beganMs = dayBeganAt === null ? nowMs : Date.parse(dayBeganAt);
  const another = { dayBeganAt: null, sent: new Map<string, number>() };
  if (beganMs + DAY_MS <= nowMs) return standingAt({ ...warmup, ...another, day: day + 1 }, fromMs, nowMs);
  const lastMs = Math.max(nowMs, ...[...waiting].map(([mailbox, count]) => doneMs(warmup, mailbox, count, nowMs)));
  if (dayBeganAt === null && lastMs === nowMs) return warmup;
  const passed = Math.max(0, Math.ceil((Math.min(lastMs, fromMs) - beganMs) / DAY_MS) - 1);
  const then = [...new Set([...warmup.sent.keys(), ...waiting.keys()])].map(
    (mailbox) => [mailbox, leaving(warmup, mailbox, { passed, beganMs, fromMs, nowMs })] as const,
  );
  const left = new Map(then.map(([mailbox, { left }]) => [mailbox, left]));
  if (beganMs + (passed + 1) * DAY_MS <= fromMs) return { ...warmup, ...another, day: day + passed + 1, waiting: left };
  const sent = new Map(then.map(([mailbox, { gone }]) => [mailbox, gone]));
  return { ...warmup, day: day + passed, dayBeganAt: iso(beganMs + passed * DAY_MS), sent, waiting: left };
}

function doneMs(warmup: WarmupProgress, mailbox: string, count: number, nowMs: number): number {
  return doneAtMs({ ...warmup, sent: warmup.sent.get(mailbox) ?? 0 }, mailbox, count, nowMs);
}

type WarmupDay = { readonly passed: number; readonly beganMs: number; readonly fromMs: number; readonly nowMs: number };

/**
 * For one provider, after `passed` days: the mails that it has got of the next day until `fromMs`, and those that still
 * wait.
 */
function leaving(warmup: WarmupProgress, mailbox: string, { passed, beganMs, fromMs, nowMs }: WarmupDay) {
  const { plan, day, sent, waiting } = warmup;
  let left = waiting.get(mailbox) ?? 0;
  for (let ahead = 0; ; ahead++) {
    const allowed = allowedOn(plan, mailbox, day + ahead);
    if (allowed === null) return { gone: 0, left: 0 };
    const before = ahead === 0 ? (sent.get(mailbox) ?? 0) : 0;
    const free = Math.max(0, allowed - before);
    if (ahead < passed) {
      left -= Math.min(left, free);
      continue;
    }
    const [beginsMs, endsMs] = [Math.max(nowMs, beganMs + ahead * DAY_MS), beganMs + (ahead + 1) * DAY_MS];
    const part = Math.min(1, Math.max(0, fromMs - beginsMs) / (endsMs - beginsMs));
    const now = Math.min(left, Math.floor(free * part));
    return { gone: before + now, left: left - now };
  }
}
