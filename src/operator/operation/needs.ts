// The needs of the operator, in words: for the status, and for the log, which repeats the open ones at each start.
import { lastBackups } from "../backup/queries.ts";
import { backupFault, backupOf, type BackupState } from "../backup/state.ts";
import { certificatesOf, needsOf, type CertificateState } from "../../base/certificates/state.ts";
import { DAY_MS, iso, MINUTE_MS } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import type { Ground } from "../../ground/ground.ts";
import type { LoopSpec } from "../../base/jobs/loops.ts";
import { behindIn, doubtIn, seenIn, type ClockMark } from "../../store/clock-queries.ts";
import { failingHosts, type FailingHost } from "../hosts/queries.ts";
import { brakeInWords, isPaused } from "../../sending/delivery/pace/brake.ts";
import { brakesByWorkspace, type BrakeOfWorkspace } from "../../sending/delivery/pace/queries.ts";
import { unreadMessages, type Unread } from "../../mail/inbound/queries.ts";
import { refusedThroughout, type Refusals } from "../../mail/emails/health/queries.ts";
import { heldSince } from "../../store/hold.ts";
import { isShort, spaceOf, storeSpace, type Space } from "../../store/space.ts";
import type { Reader } from "../../store/store.ts";
import { haltedWarmups, type WarmupHalt } from "../../sending/warmup/queries.ts";
import { refusedDomains, whyOf } from "../../ground/ways/domain-queries.ts";
import { watchedFaults, type WatchedFault } from "../watch/queries.ts";
import { keyOf, sentenceOf } from "../watch/seen.ts";
import { dueIn } from "./figure-queries.ts";
import { lossesOf, type RecordLoss } from "../../tenant/domains/losses.ts";
import {
  changedDomains,
  failingDomains,
  stoppedWorkspaces,
  type DomainFailureRow,
  type StoppedWorkspace,
} from "./status-queries.ts";

/** The state of this process. */
type Sees = {
  readonly relay: string | null;
  /** AWAY: its reply; null = unknown. */
  readonly relayReply?: string | null;
  readonly stream: string | null;
  /** Ways that cannot be used, if there are several; `reply` null = unknown. */
  readonly waysAway: readonly { readonly name: string; readonly reply?: string | null }[];
};

export type InstallationCondition = {
  /** Since when the whole installation is held; null = it is not. */
  readonly heldSince: string | null;
  /** The clock as it is believed; in doubt, nothing is deleted by age and no scheduled mail leaves. */
  readonly clock: ClockMark;
  /** In words, while the clock is behind the latest time seen; else null. */
  readonly clockBehind: string | null;
  readonly oldestDueSeconds: number;
  readonly failingDomains: readonly DomainFailureRow[];
  readonly changedRecords: readonly ChangedRecord[];
  readonly stoppedWorkspaces: readonly StoppedWorkspace[];
  /** Workspaces whose last emails of the last day were all refused. */
  readonly refused: readonly Refusals[];
  readonly failingHosts: readonly FailingHost[];
  /** Mailbox providers that are sent less mail. */
  readonly brakes: readonly SeenBrake[];
  readonly haltedWarmups: readonly WarmupHalt[];
  /** Verified sender domains that a way out does not take email of. */
  readonly refusedDomains: readonly RefusedDomain[];
  /** Faults that are visible only from outside. */
  readonly watched: readonly WatchedFault[];
  /** Messages from outside that stopped the reading thread; null = none, of the last day. */
  readonly unread: Unread | null;
  readonly disk: Space;
  readonly certificates: readonly CertificateState[];
  readonly backup: BackupState;
};

type RefusedDomain = Readonly<Record<"way" | "domain" | "workspace" | "since", string>> & {
  readonly problem: string | null;
};

type SeenBrake = Omit<
  BrakeOfWorkspace,
  "seq" | "workspace" | "workspaceName" | "fullPerHour" | "pauses" | "isHearsay"
> & {
  readonly workspace: string;
  /** In words. */
  readonly text: string;
};

/** A record of a sender domain that was in order. */
type ChangedRecord = RecordLoss & { readonly domain: string; readonly workspace: string };

/** `key`: the same for as long as it is the same need, even if numbers in the text change. */
export type OperatorNeed = { readonly key: string; readonly text: string };

const MOST = 50;
const LATE_SECONDS = 300;
const LOOK_EVERY_MS = 10 * MINUTE_MS;

export async function conditionOf(reader: Reader, config: Config, nowMs: number): Promise<InstallationCondition> {
  const clock = await seenIn(reader);
  return {
    heldSince: await heldSince(reader),
    clock,
    clockBehind: behindIn(clock, nowMs),
    oldestDueSeconds: await oldestDue(reader, nowMs),
    failingDomains: await failingDomains(reader, MOST),
    changedRecords: (await changedDomains(reader, MOST)).flatMap(({ domain, workspace, checks }) =>
      lossesOf({ domain, checks }).map((loss) => ({ ...loss, domain, workspace })),
    ),
    stoppedWorkspaces: await stoppedWorkspaces(reader, MOST),
    refused: await refusedThroughout(reader, iso(nowMs - DAY_MS), null),
    failingHosts: await failingHosts(reader, MOST),
    haltedWarmups: await haltedWarmups(reader, null, MOST),
    brakes: (await brakesByWorkspace(reader, MOST)).map((brake) => seenBrake(brake, nowMs)),
    refusedDomains: (await refusedDomains(reader, MOST)).map(({ way, name: domain, workspaceName, since, known }) => {
      return { way, domain, workspace: workspaceName, since, problem: whyOf(known) };
    }),
    watched: await watchedFaults(reader, MOST),
    unread: await unreadMessages(reader, iso(nowMs - DAY_MS)),
    disk: storeSpace(config) ?? spaceOf(config.data.dir),
    certificates: certificatesOf(config, nowMs),
    backup: backupOf(config, await lastBackups(reader, MOST)),
  };
}

function seenBrake(brake: BrakeOfWorkspace, nowMs: number): SeenBrake {
  const { id, way, mailbox, perHour, reply, since, changedAt, workspaceName } = brake;
  const pausedUntil = isPaused(brake, nowMs) ? brake.pausedUntil : null;
  const text = brakeInWords({ ...brake, pausedUntil }, workspaceName);
  return { id, way, mailbox, perHour, pausedUntil, reply, since, changedAt, workspace: workspaceName, text };
}

async function oldestDue(reader: Reader, nowMs: number): Promise<number> {
  const due = [
    ...(await dueIn(reader, "transactional", iso(nowMs))),
    ...(await dueIn(reader, "marketing", iso(nowMs))),
  ];
  return Math.round((nowMs - Math.min(nowMs, ...due.map(({ oldestAt }) => Date.parse(oldestAt)))) / 1000);
}

/**
 * Needs that a process notices as they begin, and writes to the log. `lateSeconds`: the age from which waiting mail is
 * late.
 */
export function needsOfChange(seen: InstallationCondition, sees: Sees, lateSeconds = LATE_SECONDS): OperatorNeed[] {
  const { relay, relayReply, stream, waysAway } = sees;
  const { heldSince: held, clock, oldestDueSeconds } = seen;
  return [
    ...needIf(relay === "AWAY", "relay", relayNeed(relayReply)),
    ...(relay === "AWAY" ? [] : waysAway).map(({ name, reply }) => ({
      key: `way ${name}`,
      text: `The way out ${name} cannot be used${reply ? `: ${reply}` : ""}. Email leaves by the others.`,
    })),
    ...needIf(
      stream === "FAILING",
      "stream",
      "Nothing reaches the place of backup.stream; the log says why, and what came since is only here.",
    ),
    ...needIf(held !== null, "held", `The installation is held since ${held}: posthorn release lets email leave.`),
    ...needIf(clock.doubtedAt !== null, "clock", doubtIn(clock) ?? ""),
    ...needIf(seen.clockBehind !== null, "clock behind", seen.clockBehind ?? ""),
    ...needIf(
      oldestDueSeconds > lateSeconds && held === null,
      "queue",
      `Email waits that has been due for ${Math.round(oldestDueSeconds / 60)} minutes.`,
    ),
    ...seen.refused.map(({ workspace, count, since }) => ({
      key: `refused ${workspace}`,
      text: `The last ${count} emails of ${workspace} were all refused, the first at ${since}. Each says why.`,
    })),
    ...seen.failingDomains.map(({ domain, workspace }) => ({
      key: `domain ${domain} ${workspace}`,
      text: `The DNS record of ${domain} (${workspace}) is gone.`,
    })),
    ...seen.changedRecords.map(({ what, domain, workspace, problem }) => ({
      key: `record ${what} ${domain} ${workspace}`,
      text: `The ${NAMES[what]} of ${domain} (${workspace}) is not as it was. ${problem ?? ""}`.trim(),
    })),
    ...seen.failingHosts.map(({ host, workspace }) => ({
      key: `host ${host}`,
      text: `${host}, which links of ${workspace} name, does not lead here any more.`,
    })),
    ...seen.brakes
      .filter(({ pausedUntil }) => pausedUntil !== null)
      .map(({ mailbox, workspace, way, text }) => ({ key: `brake ${mailbox} ${workspace} ${way}`, text })),
    ...seen.haltedWarmups.map(({ name, workspace, reason }) => ({
      key: `warm-up ${name} ${workspace ?? ""}`.trim(),
      text: `The warm-up of ${name}${workspace === null ? "" : ` (${workspace})`} has halted: ${reason}${workspace === null ? "" : ` See: posthorn domain warmup ${name}`}`,
    })),
    ...needIf(
      seen.unread !== null,
      "unread",
      `Messages from outside could not be read: ${seen.unread?.count} since ${seen.unread?.since}. Bounces are read again, and email is kept unread; the log says why.`,
    ),
    ...seen.refusedDomains.map(({ way, domain, workspace, problem }) => ({
      key: `sender ${domain} ${way}`,
      text: `The way out ${way} is not used for ${domain} (${workspace}). ${problem ?? ""}`.trim(),
    })),
    ...seen.watched.map((fault) => ({ key: keyOf(fault), text: sentenceOf(fault) })),
    ...seen.stoppedWorkspaces.map(({ workspace, reason }) => ({
      key: `stopped ${workspace}`,
      text: `Marketing email of ${workspace} is stopped: ${reason}`,
    })),
  ];
}

function relayNeed(reply: string | null | undefined): string {
  return reply
    ? `The relay cannot be used: ${reply.replace(/\.$/, "")}. Email waits; posthorn doctor tries it.`
    : "The relay cannot be used; email waits. posthorn doctor tries it.";
}

/** Needs that arise with time alone. */
export function needsOfTime({ disk, certificates, backup }: InstallationCondition, nowMs: number): OperatorNeed[] {
  return [
    ...needIf(
      isShort(disk),
      "disk",
      `Only ${Math.round((disk.freeBytes ?? 0) / 1e6)} MB are free on the disk of ${disk.path}.`,
    ),
    ...certificates.flatMap((one) =>
      needsOf(one, nowMs).map((text) => ({ key: `certificate ${one.of.join()}`, text })),
    ),
    ...backupNeeds(backup, nowMs),
  ];
}

const NAMES = { SPF: "SPF record", DMARC: "DMARC record", RETURN_PATH: "MX record", INBOUND: "MX record" } as const;

function needIf(isSo: boolean, key: string, text: string): OperatorNeed[] {
  return isSo ? [{ key, text }] : [];
}

export function backupNeeds(backup: BackupState, nowMs: number): OperatorNeed[] {
  const { lastAt, lastError } = backup;
  const texts = {
    FAILED: `The last backup failed: ${lastError}`,
    NONE: "No backup has been made yet.",
    LATE: `The last backup was made at ${lastAt}.`,
  };
  const fault = backupFault(backup, nowMs);
  return fault === null ? [] : [{ key: "backup", text: texts[fault] }];
}

/** A fault that this process itself finds out, such as a relay that is away, is logged when it begins. */
const NOTHING_YET: Sees = { relay: null, stream: null, waysAway: [] };

/** At the start all needs, since the log of the run before may be unread; later the new ones that arise with time. */
export function reportingNeeds({ store, config, clock, log }: Ground): LoopSpec {
  let said: ReadonlySet<string> | null = null;
  const step = async () => {
    const nowMs = clock.nowMs();
    const seen = await store.read((reader) => conditionOf(reader, config, nowMs), { longFor: 0 });
    const ofTime = needsOfTime(seen, nowMs);
    const needs = said === null ? [...needsOfChange(seen, NOTHING_YET), ...ofTime] : ofTime;
    for (const { key, text } of needs) if (!said?.has(key)) log.warn(`needs attention: ${text}`);
    said = new Set(ofTime.map(({ key }) => key));
    return LOOK_EVERY_MS;
  };
  return { name: "reporting what needs somebody", step };
}
