// The condition of the installation, from which the needs of its operator follow.
import { lastBackups } from "../../backup/queries.ts";
import { backupOf, type BackupState } from "../../backup/state.ts";
import { certificatesOf, type CertificateState } from "../../../base/certificates/state.ts";
import { DAY_MS, iso } from "../../../base/clock.ts";
import type { Config } from "../../../base/config.ts";
import { behindIn, seenIn, type ClockMark } from "../../../store/clock-queries.ts";
import { failingHosts, type FailingHost } from "../../hosts/queries.ts";
import { brakeInWords, isPaused } from "../../../sending/delivery/pace/brake.ts";
import { brakesByWorkspace, type BrakeOfWorkspace } from "../../../sending/delivery/pace/queries.ts";
import { unreadMessages, type UnreadCount } from "../../../mail/inbound/queries.ts";
import { failingMailboxes, type FailingMailbox } from "../../../mail/inbound/mailbox/queries.ts";
import { refusedThroughout, type Refusals } from "../../../mail/emails/health/queries.ts";
import { heldSince } from "../../../store/hold.ts";
import { spaceOf, storeSpace, type Space } from "../../../store/space.ts";
import type { Reader } from "../../../store/store.ts";
import { haltedWarmups, type WarmupHalt } from "../../../sending/warmup/queries.ts";
import { refusedDomains, whyOf } from "../../../ground/ways/domain-queries.ts";
import { watchedFaults, type WatchedFault } from "../../watch/queries.ts";
import { dueIn } from "../figure-queries.ts";
import { lossesOf, type RecordLoss } from "../../../tenant/domains/losses.ts";
import {
  changedDomains,
  failingDomains,
  stoppedWorkspaces,
  type DomainFailureRow,
  type StoppedWorkspace,
} from "./queries.ts";

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
  readonly unread: UnreadCount | null;
  readonly failingMailboxes: readonly FailingMailbox[];
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

const MOST = 50;

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
    failingMailboxes: await failingMailboxes(reader, config.bounceMailboxes),
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
