// The mails that wait in a workspace's queue and why, how fast they leave, and when the queue will be empty.
import { iso, MINUTE_MS } from "../../../base/clock.ts";
import { LANES, MARKETING, TRANSACTIONAL, type Lane } from "../../../mail/emails/queue/holds.ts";
import { countPaced } from "../../../mail/emails/queue/pace-queries.ts";
import { countSent } from "../../../mail/emails/health/queries.ts";
import type { Reader } from "../../../store/store.ts";
import { workspaceBySeq } from "../../../tenant/workspaces/queries.ts";
import { isPaused } from "../pace/brake.ts";
import { brakesOf, backlogsOf } from "../pace/queries.ts";
import type { RelayState } from "../../open-ways/way-choice.ts";
import {
  campaignsUnderWay,
  countApart,
  countDue,
  countHeld,
  countHeldByClock,
  countLater,
  countPacedOf,
  countToQueue,
  type RunningCampaign,
  type LaterMailTally,
} from "./queries.ts";
import type { HeldReason, QueueRecord, QueueTally } from "./record.ts";

export type QueueTerms = {
  readonly workspace: number;
  readonly nowMs: number;
  /** 0 = no limit. */
  readonly configuredRate: number;
  readonly relay: RelayState;
  /** The installation is held: no mail leaves (store/hold.ts). */
  readonly isHeld: boolean;
};

/** Index rows. */
const MOST_COUNTED = 50_000;
/** Each mail is read. */
const MOST_LATER = 5_000;
const MOST_CAMPAIGNS = 20;
const MOST_SENT = 1_000;
/** A rate over a shorter time means nothing. */
const SHORTEST_SECONDS = 5;

type LaneQueue = { readonly lane: QueueRecord["lanes"][number]; readonly reasons: QueueRecord["reasons"] };
type LaneTerms = QueueTerms & {
  readonly lane: Lane;
  /** Why no marketing mail leaves. */ readonly stopped: string | null;
};

export async function queueOf(reader: Reader, terms: QueueTerms): Promise<QueueRecord> {
  const { workspace, nowMs, configuredRate, relay, isHeld } = terms;
  const stopped = (await workspaceBySeq(reader, workspace))?.marketingStopped ?? null;
  const lanes = [
    await laneOf(reader, { ...terms, stopped, lane: TRANSACTIONAL }),
    await laneOf(reader, { ...terms, stopped, lane: MARKETING }),
  ];
  const { held, campaigns } = await campaignsOf(reader, workspace, stopped);
  const reasons = merged([...lanes.flatMap((one) => one.reasons), ...heldReasons(held)]);
  const handingOver = lanes.reduce((sum, { lane }) => sum + lane.handingOver, 0);
  const ratePerSecond = await rateOf(reader, workspace, nowMs);
  const leaving = [
    ...lanes.map(({ lane }) => lane.due),
    ...campaigns.filter(isGoing).map(({ notQueued }) => notQueued),
  ];
  const brakes = await brakesShown(reader, workspace, nowMs);
  const paced = countOf(reasons.filter(({ reason }) => reason === "PROVIDER_PACE"));
  // Mail that waits for a warm-up has its own forecast (src/sending/warmup).
  const warmsUp = paced > brakes.reduce((sum, { waiting }) => sum + waiting.count, 0);
  return {
    waiting: sumOf([...reasons.map(({ count }) => count), exactly(handingOver)]),
    ratePerSecond,
    configuredRatePerSecond: configuredRate === 0 ? null : configuredRate,
    doneInSeconds:
      relay.state === "AWAY" || isHeld || warmsUp
        ? null
        : latest([secondsFor(sumOf(leaving), ratePerSecond || configuredRate), ...brakes.map(secondsOfBrake)]),
    lanes: lanes.map(({ lane }) => lane),
    reasons,
    held,
    campaigns,
    brakes,
    relay: { ...relay, ways: [...relay.ways] },
  };
}

function countOf(reasons: QueueRecord["reasons"]): number {
  return reasons.reduce((sum, { count }) => sum + count.count, 0);
}

/** The brakes of a workspace, and the mail that waits for each. */
export async function brakesShown(reader: Reader, workspace: number, nowMs: number): Promise<QueueRecord["brakes"]> {
  const brakes = await brakesOf(reader, workspace);
  const backlogs = brakes.length === 0 ? [] : await backlogsOf(reader, workspace);
  const shown: QueueRecord["brakes"] = [];
  for (const { id, way, mailbox, perHour, pausedUntil, since, reply, ...brake } of brakes) {
    const theirs = backlogs.filter((backlog) => backlog.mailbox === mailbox);
    let count = 0;
    for (const { seq } of theirs) for (const lane of LANES) count += await countPaced(reader, seq, lane, MOST_COUNTED);
    const state = isPaused({ pausedUntil }, nowMs) ? "PAUSED" : "SLOWED";
    const { changedAt } = brake;
    const until = state === "PAUSED" ? pausedUntil : null;
    shown.push({
      id,
      mailbox,
      way,
      state,
      holds: brake.isHearsay ? "MARKETING" : "ALL",
      perHour,
      pausedUntil: until,
      since,
      changedAt,
      reply,
      waiting: counted(count),
    });
  }
  return shown;
}

async function laneOf(reader: Reader, terms: LaneTerms): Promise<LaneQueue> {
  const { workspace, nowMs, lane } = terms;
  const due = await countDue(reader, terms, iso(nowMs), MOST_COUNTED);
  const later = await countLater(reader, terms, iso(nowMs), MOST_LATER);
  const aside = await countApart(reader, { workspace, lane, hold: "operator" }, MOST_COUNTED);
  const paced = await countApart(reader, { workspace, lane, hold: "pace" }, MOST_COUNTED);
  const byClock = await countHeldByClock(reader, terms, iso(nowMs), MOST_COUNTED);
  const tally = counted(due.count);
  const handingOver = later.find(({ why }) => why === "HANDING_OVER")?.count ?? 0;
  return {
    lane: { lane: NAMES[lane], due: tally, handingOver, oldestAt: due.firstAt },
    reasons: [
      ...(due.count === 0 ? [] : [dueReason(terms, tally)]),
      ...(byClock.count === 0 ? [] : [heldReason("CLOCK_IN_DOUBT", lane, byClock.count)]),
      ...laterReasons(terms, later),
      ...(aside === 0 ? [] : [heldReason("OPERATOR", lane, aside)]),
      ...(paced === 0 ? [] : [heldReason("PROVIDER_PACE", lane, paced)]),
    ],
  };
}

const NAMES = ["TRANSACTIONAL", "MARKETING"] as const;

function heldReason(
  reason: "CLOCK_IN_DOUBT" | "OPERATOR" | "PROVIDER_PACE",
  lane: Lane,
  count: number,
): QueueRecord["reasons"][number] {
  return { reason, lane: NAMES[lane], count: counted(count), nextAt: null };
}

function isStopped({ lane, stopped }: LaneTerms): boolean {
  return lane === MARKETING && stopped !== null;
}

function dueReason(terms: LaneTerms, count: QueueTally): QueueRecord["reasons"][number] {
  const waits = terms.isHeld ? "SENDING_HELD" : terms.relay.state === "AWAY" ? "RELAY_AWAY" : "DUE";
  return { reason: isStopped(terms) ? "MARKETING_STOPPED" : waits, lane: NAMES[terms.lane], count, nextAt: null };
}

function laterReasons(terms: LaneTerms, later: readonly LaterMailTally[]): QueueRecord["reasons"] {
  const isLowerBound = later.reduce((sum, { count }) => sum + count, 0) === MOST_LATER;
  return later.flatMap(({ why, count, firstAt }) => {
    if (why === "HANDING_OVER") return [];
    const reason = isStopped(terms) && why === "SCHEDULED" ? "MARKETING_STOPPED" : why;
    return [{ reason, lane: NAMES[terms.lane], count: { count, isLowerBound }, nextAt: firstAt }];
  });
}

async function campaignsOf(reader: Reader, workspace: number, stopped: string | null) {
  const held: QueueRecord["held"] = [];
  const campaigns: QueueRecord["campaigns"] = [];
  for (const campaign of await campaignsUnderWay(reader, workspace, MOST_CAMPAIGNS)) {
    const { id, name, isPaused, blocked } = campaign;
    const notQueued = counted(await countToQueue(reader, campaign, MOST_COUNTED));
    const reason = reasonOf(campaign, stopped);
    const state = isPaused ? "PAUSED" : reason === null ? "SENDING" : "BLOCKED";
    const paced = counted(await countPacedOf(reader, campaign.seq, MOST_COUNTED));
    campaigns.push({ id, name, state, problem: blocked, notQueued, paced });
    const count = counted(await countHeld(reader, campaign.seq, MOST_COUNTED));
    if (reason !== null) held.push({ campaignId: id, name, reason, text: blocked ?? stopped, count });
  }
  return { held, campaigns };
}

/** Why its mail is on hold; null = it goes on. */
export function reasonOf({ isPaused, isDomainVerified }: RunningCampaign, stopped: string | null): HeldReason | null {
  if (isPaused) return "CAMPAIGN_PAUSED";
  if (stopped !== null) return "MARKETING_STOPPED";
  return isDomainVerified ? null : "DOMAIN_NOT_VERIFIED";
}

function heldReasons(held: QueueRecord["held"]): QueueRecord["reasons"] {
  const some = held.filter(({ count }) => count.count > 0);
  return some.map(({ reason, count }) => ({ reason, lane: "MARKETING", count, nextAt: null }));
}

/** Merges the entries of one reason in one lane. */
function merged(reasons: QueueRecord["reasons"]): QueueRecord["reasons"] {
  const groups = [...Map.groupBy(reasons, ({ reason, lane }) => `${lane} ${reason}`).values()];
  return groups.map((some) => ({
    ...(some[0] as QueueRecord["reasons"][number]),
    count: sumOf(some.map(({ count }) => count)),
  }));
}

function isGoing({ state }: QueueRecord["campaigns"][number]): boolean {
  return state === "SENDING";
}

/** Mails a second, to a tenth. */
async function rateOf(reader: Reader, workspace: number, nowMs: number): Promise<number> {
  const { seen, firstAt } = await countSent(reader, workspace, iso(nowMs - MINUTE_MS), MOST_SENT);
  if (firstAt === null) return 0;
  const seconds = Math.max(SHORTEST_SECONDS, (nowMs - Date.parse(firstAt)) / 1000);
  return Math.round((seen / seconds) * 10) / 10;
}

/** Null = unknown. */
function secondsFor({ count, isLowerBound }: QueueTally, rate: number): number | null {
  if (count === 0) return 0;
  return isLowerBound || rate === 0 ? null : Math.ceil(count / rate);
}

/** Null = no mail leaves there until the provider is tried again. */
function secondsOfBrake({ state, waiting, perHour }: QueueRecord["brakes"][number]): number | null {
  return state === "PAUSED" && waiting.count > 0 ? null : secondsFor(waiting, perHour / 3_600);
}

function latest(seconds: readonly (number | null)[]): number | null {
  return seconds.reduce((last, one) => (last === null || one === null ? null : Math.max(last, one)), 0);
}

function counted(count: number): QueueTally {
  return { count, isLowerBound: count >= MOST_COUNTED };
}

function exactly(count: number): QueueTally {
  return { count, isLowerBound: false };
}

function sumOf(tallies: readonly QueueTally[]): QueueTally {
  return {
    count: tallies.reduce((sum, { count }) => sum + count, 0),
    isLowerBound: tallies.some(({ isLowerBound }) => isLowerBound),
  };
}
