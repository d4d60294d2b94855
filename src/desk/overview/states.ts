// The mails accepted since a given time, by their current state: the parts add up, and GET /emails lists each part.
// Mail to the team is listed there too, and counts in none.
import { MINUTE_MS } from "../../base/clock.ts";
import { HEAPS } from "../../mail/emails/queue/holds.ts";
import { firstFrom, lastBefore } from "../../mail/emails/list/queries.ts";
import { uuidAt } from "../../base/ids.ts";
import type { Reader } from "../../store/store.ts";
import type { States } from "./record.ts";
import type { EmailStatus } from "../../mail/emails/shape.ts";
import {
  countMails,
  countPerhaps,
  countSettledIn,
  countTeamMail,
  countWaitingIn,
  type StateCountQuery,
  type StateCountStart,
  type TeamMail,
} from "./state-queries.ts";

/** Read off an index. */
const MOST_MAILS = 2_000_000;
/** The limit of a state that few mails are in: each is looked up. */
const MOST_IN_STATE = 200_000;
/** Mails are numbered in the order of their times, except for ones accepted at the same time. */
const OVERLAP_MS = 10 * MINUTE_MS;

/** Most mails are sent, so these are the remainder when the others have been counted. */
export async function statesSince(reader: Reader, workspace: number, at: string): Promise<States> {
  const counted = { workspace, since: await sinceOf(reader, at), most: MOST_IN_STATE };
  const all = await countMails(reader, { ...counted, most: MOST_MAILS });
  const received = await countSettledIn(reader, "RECEIVED", counted);
  const perhaps = await countPerhaps(reader, counted);
  const counts = {
    waiting: Math.max(0, (await waitingOf(reader, counted)) - perhaps.repeated),
    perhapsDelivered: perhaps.settled + perhaps.repeated,
    failed: await countSettledIn(reader, "FAILED", counted),
    skipped: await countSettledIn(reader, "SKIPPED", counted),
    cancelled: await countSettledIn(reader, "CANCELLED", counted),
    bounced: await countSettledIn(reader, "BOUNCED", counted),
    complained: await countSettledIn(reader, "COMPLAINED", counted),
  };
  const isLowerBound = all >= MOST_MAILS || [received, ...Object.values(counts)].some((part) => part >= MOST_IN_STATE);
  const team = await countTeamMail(reader, counted);
  const parts = withoutTeam(counts, team);
  const others = sumOf(Object.values(parts));
  const accepted = Math.max(all - received - sumOf(team.map(({ mails }) => mails)), others);
  return { since: at, accepted, isLowerBound, sent: accepted - others, ...parts };
}

type StateParts = Omit<States, "since" | "accepted" | "isLowerBound" | "sent">;

/** Statuses that are not listed count as sent. */
const PART_OF: Readonly<Partial<Record<EmailStatus, keyof StateParts>>> = {
  QUEUED: "waiting",
  SENDING: "waiting",
  PERHAPS_DELIVERED: "perhapsDelivered",
  FAILED: "failed",
  SKIPPED: "skipped",
  CANCELLED: "cancelled",
  BOUNCED: "bounced",
  COMPLAINED: "complained",
};

function withoutTeam(counts: StateParts, team: readonly TeamMail[]): StateParts {
  const parts = { ...counts };
  for (const { status, mails } of team) {
    const part = PART_OF[status];
    if (part) parts[part] = Math.max(0, parts[part] - mails);
  }
  return parts;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

async function waitingOf(reader: Reader, counted: StateCountQuery): Promise<number> {
  let waiting = 0;
  for (const heap of HEAPS) waiting += await countWaitingIn(reader, heap, counted);
  return waiting;
}

async function sinceOf(reader: Reader, at: string): Promise<StateCountStart> {
  const atMs = Date.parse(at);
  const sure = await firstFrom(reader, uuidAt(atMs + OVERLAP_MS));
  return {
    at,
    from: await lastBefore(reader, uuidAt(atMs - OVERLAP_MS)),
    sure: sure ?? Number.MAX_SAFE_INTEGER,
  };
}
