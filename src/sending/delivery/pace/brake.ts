// The brake on a workspace's mail to one mailbox provider by one way out: how it slows down, rests, and speeds up
// again.
import { HOUR_MS, iso, MINUTE_MS } from "../../../base/clock.ts";
import type { Pace } from "../../../base/brakes/token-bucket.ts";

export type Brake = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly way: string;
  /** The name of a provider; for any other server, the domain of the addresses. */
  readonly mailbox: string;
  readonly perHour: number;
  /** The rate at which the brake ends. */
  readonly fullPerHour: number;
  /** Null = slowed down, not paused. */
  readonly pausedUntil: string | null;
  /** Pauses in a row. */
  readonly pauses: number;
  /** The brake comes from reports alone, and not from the provider itself: then transactional mail does not wait. */
  readonly isHearsay: boolean;
  /** The provider's reply, without addresses. */
  readonly reply: string;
  readonly since: string;
  readonly changedAt: string;
};

/** Codes and new passwords do not wait because of reports by third parties. */
export function holds({ isHearsay }: Pick<Brake, "isHearsay">, isMarketing: boolean): boolean {
  return isMarketing || !isHearsay;
}

export type BrakeChange = Pick<Brake, "perHour" | "fullPerHour" | "pausedUntil" | "pauses">;

/** One a minute: it shows whether the provider takes mail again. */
const LEAST_PER_HOUR = 60;
/** Assumed where no traffic was measured before. */
const UNMEASURED_PER_HOUR = 600;
const LEAST_FULL_PER_HOUR = 1_200;
/** Mails that were in transit when the brake was put on are answered as before it. */
const SETTLING_MS = 30_000;
const FIRST_PAUSE_MS = HOUR_MS;
const LONGEST_PAUSE_MS = 24 * HOUR_MS;
/** Time without a complaint of the provider. */
const GROWS_EVERY_MS = 10 * MINUTE_MS;
const GROWTH = 1.5;
/** Time without any mail to the provider. */
const FORGOTTEN_MS = 24 * HOUR_MS;

/**
 * The provider demanded a slower pace. `perHour`: the mails that it took lately. Null = the demand was met a moment
 * ago.
 */
export function slowed(brake: Brake | null, perHour: number, nowMs: number): BrakeChange | null {
  const before = perHour || UNMEASURED_PER_HOUR;
  if (brake === null) return { ...halved(before), fullPerHour: Math.max(LEAST_FULL_PER_HOUR, 2 * before), ...NO_PAUSE };
  if (isPaused(brake, nowMs) || nowMs - Date.parse(brake.changedAt) < SETTLING_MS) return null;
  const { fullPerHour, pauses } = brake;
  return { ...halved(brake.perHour), fullPerHour, pausedUntil: null, pauses };
}

const NO_PAUSE = { pausedUntil: null, pauses: 0 } as const;

function halved(perHour: number): Pick<BrakeChange, "perHour"> {
  return { perHour: Math.max(LEAST_PER_HOUR, Math.floor(perHour / 2)) };
}

/**
 * The provider takes nothing because of our reputation: rests for an hour, and twice as long each time after that, up
 * to a day.
 */
export function paused(brake: Brake | null, perHour: number, nowMs: number): BrakeChange | null {
  if (brake !== null && isPaused(brake, nowMs)) return null;
  const pauses = (brake?.pauses ?? 0) + 1;
  const restMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (pauses - 1));
  const fullPerHour = brake?.fullPerHour ?? Math.max(LEAST_FULL_PER_HOUR, 2 * perHour);
  return { perHour: LEAST_PER_HOUR, fullPerHour, pausedUntil: iso(nowMs + restMs), pauses };
}

export function isPaused({ pausedUntil }: Pick<Brake, "pausedUntil">, nowMs: number): boolean {
  return pausedUntil !== null && Date.parse(pausedUntil) > nowMs;
}

/**
 * The brake after a while: as it was (null), changed, or ended ("gone"). `hasTaken`: the provider has taken mail since
 * the last change.
 */
export function eased(brake: Brake, hasTaken: boolean, nowMs: number): BrakeChange | "gone" | null {
  const { fullPerHour, pauses, pausedUntil } = brake;
  if (pausedUntil !== null) {
    if (Date.parse(pausedUntil) > nowMs) return null;
    return { perHour: LEAST_PER_HOUR, fullPerHour, pausedUntil: null, pauses };
  }
  const unchangedMs = nowMs - Date.parse(brake.changedAt);
  if (unchangedMs >= FORGOTTEN_MS) return "gone";
  if (!hasTaken || unchangedMs < GROWS_EVERY_MS) return null;
  const perHour = Math.ceil(brake.perHour * GROWTH);
  return perHour >= fullPerHour ? "gone" : { perHour, fullPerHour, pausedUntil: null, pauses };
}

/** When `eased` next changes the brake. */
export function easesAtMs({ pausedUntil, changedAt }: Pick<Brake, "pausedUntil" | "changedAt">): number {
  return pausedUntil === null ? Date.parse(changedAt) + GROWS_EVERY_MS : Date.parse(pausedUntil);
}

/** Spread evenly; a burst of a minute's mail, at most. */
export function paceOfBrake({ perHour }: Pick<Brake, "perHour">, horizonMs: number): Pace {
  return { intervalMs: HOUR_MS / perHour, burst: 1, horizonMs };
}

/** For the log, the status and letters to the operator. */
export function brakeInWords(
  { mailbox, way, pausedUntil, perHour, reply, isHearsay }: Brake,
  workspace: string,
): string {
  const mail = isHearsay ? "marketing mail" : "mail";
  const what =
    pausedUntil === null
      ? `takes ${mail} slowly: ${perHour} an hour at most`
      : `takes no ${mail}: paused until ${pausedUntil}`;
  return `${mailbox} ${what} (workspace ${workspace}, sending route ${way}). It said: ${reply}`;
}
