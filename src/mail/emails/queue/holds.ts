// The lanes of the queue, and what holds a mail back. No other file says how they are stored. A held mail keeps its
// lane, so it returns to it when it is released.
import { sql, type Sql } from "../../../store/sql.ts";

export const TRANSACTIONAL = 0;
/** Marketing mail does not delay transactional mail. */
export const MARKETING = 1;
export const LANES = [TRANSACTIONAL, MARKETING] as const;
export type Lane = (typeof LANES)[number];
/** True of each mail: indexes of the queue begin with the lane. */
export const IN_ANY_LANE = sql`lane in (0, 1)`;

export function laneOf(isMarketing: boolean): Lane {
  return isMarketing ? MARKETING : TRANSACTIONAL;
}

/** Until its workspace is enabled; its campaign goes on; an operator releases it; a mailbox provider may get it. */
export const HOLDS = ["workspace", "campaign", "operator", "pace"] as const;
export type MailHold = (typeof HOLDS)[number];

/** The mails that may be claimed once they are due. Partial indexes have the same words. */
export const IN_TURN = sql`hold is null`;

/** A condition; after `set`, the change. */
export const HELD: Readonly<Record<MailHold, Sql>> = {
  workspace: sql`hold = 'workspace'`,
  campaign: sql`hold = 'campaign'`,
  operator: sql`hold = 'operator'`,
  pace: sql`hold = 'pace'`,
};
export const IS_HELD = sql`hold is not null`;
export const RELEASED = sql`hold = null`;

/** Which mails a hold may take: conditions that exclude each other. All others stay as they are held. */
export const TAKEN_BY: Readonly<Record<Exclude<MailHold, "pace">, readonly Sql[]>> = {
  workspace: [IN_TURN, HELD.pace],
  campaign: [IN_TURN, HELD.workspace, HELD.pace],
  operator: [IN_TURN, HELD.pace],
};

/** A heap of waiting mails: those of a lane that are in turn, or that one thing holds. */
export type Heap = { readonly lane: Lane; readonly hold: MailHold | null };

const heapsHeld = (hold: MailHold | null, lanes: readonly Lane[] = LANES) =>
  lanes.map((lane): Heap => ({ lane, hold }));

/** Campaigns send marketing mail only. */
export const HEAPS: readonly Heap[] = [
  ...heapsHeld(null),
  ...HOLDS.flatMap((hold) => heapsHeld(hold, hold === "campaign" ? [MARKETING] : LANES)),
];

export function inHeap({ lane, hold }: Heap): Sql {
  return sql`lane = ${lane} and ${hold === null ? IN_TURN : HELD[hold]}`;
}

/** The index of a heap's mails, by their numbers. */
export function indexOfHeap({ hold }: Heap): "emails_waiting" | "emails_held" {
  return hold === null ? "emails_waiting" : "emails_held";
}

/**
 * The heaps of the mails that do not leave, or that do. `isStopped`: marketing mail of the workspace does not leave.
 */
export function heapsOf(held: boolean, isStopped: boolean): readonly Heap[] {
  return HEAPS.filter(({ lane, hold }) => (hold !== null || (isStopped && lane === MARKETING)) === held);
}

/** As `heapsOf`, in one condition. */
export function isHeld(held: boolean, isStopped: boolean): Sql {
  if (held) return isStopped ? sql`(${IS_HELD} or lane = ${MARKETING})` : IS_HELD;
  return isStopped ? sql`${IN_TURN} and lane = ${TRANSACTIONAL}` : IN_TURN;
}
